import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codexInstaller } from './install.ts';

const PLUGIN = join(import.meta.dirname, '..', '..', '..', 'plugin');
/** A word that the shell of the client makes of its own variable; an installation quotes the path that stands there. */
const ROOT = '/plugin-root/bin/fairlead';

const read = (name: string): unknown => JSON.parse(readFileSync(join(PLUGIN, name), 'utf8'));

it('wires every event that an installation can, as an installation would', () => {
  const { wired, add } = codexInstaller;
  const launch = { command: ROOT, args: [], homeArgs: [] };
  const addition = add('', { launch, failsClosed: () => true });
  if ('refusal' in addition) throw new Error(addition.refusal);
  const text = addition.edits.map(({ inserted }) => inserted).join('');
  const { hooks } = read('hooks/codex.json') as { hooks: object };
  expect(Object.keys(hooks)).toEqual(wired.map(({ name }) => name));
  const told = JSON.stringify(hooks)
    .replaceAll(String.raw`\"$PLUGIN_ROOT/bin/fairlead\"`, ROOT)
    .replaceAll(IF_GONE, 'run fairlead init again, or take its hooks out of .codex/hooks.json');
  expect(JSON.parse(told)).toEqual((JSON.parse(text) as { hooks: object }).hooks);
});

const IF_GONE = 'take the plugin out with codex plugin remove fairlead@fairlead';

it('is what its manifest names, with the version of the package', () => {
  const { version } = read('../package.json') as { version: string };
  expect(read('.codex-plugin/plugin.json')).toMatchObject({ version, hooks: './hooks/codex.json' });
});
