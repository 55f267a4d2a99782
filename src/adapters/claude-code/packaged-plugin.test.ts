import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { handlerFor } from './install-entry.ts';
import { WIRED } from './install-events.ts';
import { serverEntry } from './server-entry.ts';

const PLUGIN = join(import.meta.dirname, '..', '..', '..', 'plugin');
// Not a shell with the script as its word: an agent that knows no words apart would let that shell read the event.
const LAUNCH = { command: '${CLAUDE_PLUGIN_ROOT}/bin/fairlead', args: [], homeArgs: [] };
const IF_GONE =
  'Fairlead cannot start: run `claude plugin update fairlead@fairlead`, or `claude plugin disable fairlead@fairlead`';

const read = (name: string): string => readFileSync(join(PLUGIN, name), 'utf8');

it('wires every event that an installation can, as an installation would', () => {
  const groups = WIRED.map((event) => {
    const wanted = handlerFor(event, { launch: LAUNCH, failsClosed: () => true });
    if (wanted.type !== 'command') throw new Error(`${event.name} is posted`);
    const args = wanted.args.map((word, at) => (wanted.args[at - 1] === '--if-gone' ? IF_GONE : word));
    return [event.name, [{ hooks: [{ ...wanted, args }] }]] as const;
  });
  expect((JSON.parse(read('hooks/hooks.json')) as { hooks: object }).hooks).toEqual(Object.fromEntries(groups));
});

it('brings the tool server as an installation would', () => {
  expect(JSON.parse(read('.mcp.json'))).toEqual({ mcpServers: { fairlead: serverEntry(LAUNCH) } });
});

it('has the version of the package', () => {
  const { version } = JSON.parse(read('../package.json')) as { version: string };
  expect(JSON.parse(read('.claude-plugin/plugin.json'))).toMatchObject({ version });
});
