import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describe as told, guardEngine } from '../guard.fixture.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { callOf } from '../../adapters/contract.ts';
import { plainEvent, ROOT, send } from '../../engine/engine.fixture.ts';

const DENIED = 'deny guard/settings-change';
const SHARED = '.claude/settings.json';
const ENTRY = [
  { hooks: [{ type: 'command', command: '/opt/bin/fairlead', args: ['hook', '--agent', 'claude-code'] }] },
];
const WIRED = JSON.stringify({ model: 'opus', hooks: { PreToolUse: ENTRY } }, null, 2);
const POSTED = JSON.stringify({
  hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:4711/hook/claude-code' }] }] },
});

const recorded = JSON.parse(
  readFileSync(
    new URL('../../../test/fixtures/claude-code/ConfigChange/project-settings.json', import.meta.url),
    'utf8',
  ),
) as unknown;
const changed = claudeCode.parse(callOf(recorded));
const start = plainEvent('session.start', { session: changed.session, start: { source: 'startup' } });

async function after(before: string | undefined, now: string | undefined): Promise<string> {
  const disk: Record<string, string> = before === undefined ? {} : { [SHARED]: before };
  const engine = guardEngine({ files: {} });
  Object.assign(engine, {
    files: { readText: (path: string) => disk[path.replace(`${ROOT}/`, '')], stat: () => undefined },
  });
  await send(engine, start);
  if (now === undefined) delete disk[SHARED];
  else disk[SHARED] = now;
  return told(await send(engine, changed));
}

it('is about the file that was recorded', () => {
  expect(changed).toMatchObject({ name: 'config.changed', place: { path: `${ROOT}/${SHARED}` } });
});

it.each<[string, string | undefined, string | undefined, string]>([
  ['hooks switched off', undefined, '{"disableAllHooks": true}', DENIED],
  ['our entries gone', WIRED, '{"model":"opus"}', DENIED],
  ['our posted entries gone', POSTED, '{"model":"opus"}', DENIED],
  ['the file gone', WIRED, undefined, DENIED],
  ['another setting', WIRED, WIRED.replace('opus', 'haiku'), 'pass'],
  ['no entries before, none now', '{}', '{"model":"opus"}', 'pass'],
  ['hooks of others', '{}', '{"hooks":{"Stop":[]}}', 'pass'],
  ['our entries are new', '{}', WIRED, 'pass'],
])('%s', async (_, before, now, verdict) => {
  expect(await after(before, now)).toBe(verdict);
});
