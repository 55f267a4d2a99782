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
const POST = [{ hooks: [{ type: 'http', url: 'http://127.0.0.1:4711/hook/claude-code' }] }];
const POSTED = JSON.stringify({ hooks: { Stop: POST } });

/** Two events of ours and a hook of others. */
const OTHERS = [{ hooks: [{ type: 'command', command: 'lint' }] }];
const FULL = { hooks: { PreToolUse: [...ENTRY, ...OTHERS], Stop: ENTRY } };
const full = JSON.stringify(FULL);
const withBefore = (groups: unknown) => JSON.stringify({ hooks: { ...FULL.hooks, PreToolUse: groups } });
const handler = (fields: object) => [{ hooks: [{ ...ENTRY[0]?.hooks[0], ...fields }] }];

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

it('compares with the beginning of the session, whatever was refused and shortened since', async () => {
  const disk: Record<string, string> = { [SHARED]: full };
  const engine = Object.assign(guardEngine(), {
    files: { readText: (path: string) => disk[path.replace(`${ROOT}/`, '')], stat: () => undefined },
  });
  await send(engine, start);
  disk[SHARED] = withBefore(OTHERS);
  expect(told(await send(engine, changed))).toBe(DENIED);
  await send(engine, plainEvent('session.start', { session: changed.session, start: { source: 'compact' } }));
  expect(told(await send(engine, changed))).toBe(DENIED);
  disk[SHARED] = full;
  expect(told(await send(engine, changed))).toBe('pass');
});

it('refuses the change of another file while the one that called us is gone', async () => {
  const disk: Record<string, string> = { [SHARED]: WIRED };
  const engine = Object.assign(guardEngine(), {
    files: { readText: (path: string) => disk[path.replace(`${ROOT}/`, '')], stat: () => undefined },
  });
  const other = { ...changed, place: { path: `${ROOT}/.claude/settings.local.json`, change: 'changed' } };
  await send(engine, start);
  expect(told(await send(engine, other))).toBe('pass');
  delete disk[SHARED];
  expect(told(await send(engine, other))).toBe(DENIED);
  expect(told(await send(engine, changed))).toBe(DENIED);
  disk[SHARED] = WIRED;
  expect(told(await send(engine, other))).toBe('pass');
});

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
  ['a variable of ours', full, JSON.stringify({ ...FULL, env: { FAIRLEAD_DISABLED: '1' } }), DENIED],
  ['a variable of ours in a file that was none', undefined, '{"env":{"FAIRLEAD_DISABLED":"1"}}', DENIED],
  ['another variable', full, JSON.stringify({ ...FULL, env: { PORT: '1' } }), 'pass'],
  ['one of our entries gone', full, withBefore(OTHERS), DENIED],
  ['one of our events gone', full, JSON.stringify({ hooks: { PreToolUse: FULL.hooks.PreToolUse } }), DENIED],
  ['an entry for other tools', full, withBefore([{ ...ENTRY[0], matcher: 'Nope' }]), DENIED],
  ['an entry for all tools, in other words', full, withBefore([{ ...ENTRY[0], matcher: '*' }]), 'pass'],
  ['an entry that waits for nobody', full, withBefore(handler({ async: true })), DENIED],
  [
    'an entry that no longer stops the agent when it fails',
    withBefore(handler({ onFailure: 'block' })),
    withBefore(handler({})),
    DENIED,
  ],
  ['an entry that stops it from now on', full, withBefore([...handler({ onFailure: 'block' }), ...OTHERS]), 'pass'],
  ['an entry that runs only sometimes', full, withBefore(handler({ if: 'Bash(git *)' })), DENIED],
  ['another program in our place', full, withBefore(handler({ command: '/bin/true' })), DENIED],
  [
    'another program before ours',
    full,
    withBefore(handler({ command: '/bin/true', args: ['/opt/bin/fairlead', 'hook', '--agent', 'claude-code'] })),
    DENIED,
  ],
  ['no time to answer', full, withBefore(handler({ timeout: 0.001 })), DENIED],
  ['less time to answer', full, withBefore(handler({ timeout: 5 })), 'pass'],
  ['another client of ours', full, full.replaceAll('/opt/bin/fairlead', '/home/dev/a b/fairlead-client'), 'pass'],
  [
    'our launcher by way of Node',
    full,
    withBefore(
      handler({
        command: '/usr/bin/node',
        args: ['/opt/bin/fairlead', 'hook', '--agent', 'claude-code', '--event', 'PreToolUse'],
      }),
    ),
    'pass',
  ],
  ['a post instead of a program', full, withBefore(POST), 'pass'],
  [
    'a line for a shell',
    full,
    withBefore([{ hooks: [{ type: 'command', command: '"/opt/x y/fairlead" hook --agent claude-code' }] }]),
    'pass',
  ],
  ['the hook of others gone', full, withBefore(ENTRY), 'pass'],
  [
    'an entry that was narrow stays so',
    withBefore([{ ...ENTRY[0], matcher: 'Bash' }]),
    withBefore([{ ...ENTRY[0], matcher: 'Bash' }]).replace('{', '{"model":"opus",'),
    'pass',
  ],
  ['no JSON any more', full, `${full},`, DENIED],
])('%s', async (_, before, now, verdict) => {
  expect(await after(before, now)).toBe(verdict);
});
