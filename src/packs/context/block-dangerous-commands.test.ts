import { describe, expect, it } from 'vitest';
import type { Answer, World } from '../world.fixture.ts';
import { contextWorld } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { judge, pauseSession, relaysOf } from './session.fixture.ts';

const RULE = 'block-dangerous-commands';
const worldOf = (more: ContextWorldOptions = {}): World => contextWorld({ only: [RULE], ...more });
const run = (world: World, command: string, more?: Readonly<Record<string, unknown>>): Promise<Answer> =>
  world.before('Bash', { command }, more);

it.each<[string, string]>([
  ['ls; sudo ls', 'deny sudo'],
  ['a | sudo b', 'deny sudo'],
  ['echo $(sudo id)', 'deny sudo'],
  ['doas ls', 'deny sudo'],
  ['sudo -i', 'deny sudo'],
  ['echo id | sudo -s', 'deny sudo'],
  [': > /usr/bin/a', 'deny install-to-bin'],
  ['git push', 'deny git-push'],
  ['a && git -C r push -f', 'deny git-push'],
  ['git push origin :old', 'deny git-push'],
  ['cp -r a b /usr/bin', 'deny cp-to-bin'],
  ['cp -t /usr/local/bin a b', 'deny cp-to-bin'],
  ['mv x $HOME/go/bin/x', 'deny cp-to-bin'],
  ['install -m 755 a ~/.local/bin/', 'deny install-to-bin'],
  ['echo x > ~/.local/bin/x', 'deny install-to-bin'],
  ['a && sudo cp x /usr/bin', 'deny sudo'],
  ['cp x /usr/bin; git push', 'deny git-push'],
  ['git commit -m "then git push"', 'pass'],
  ['grep sudo f', 'pass'],
  ['echo "sudo rm; git push; cp a /usr/bin"', 'pass'],
  ['cat <<E\nsudo ls\nE', 'pass'],
  ['cp a ./bin/', 'pass'],
  ['cp /usr/bin/a .', 'pass'],
  ['git push --dry-run', 'pass'],
  ['git push -n', 'pass'],
  ['', 'pass'],
])('%j: %s', async (command, expected) => {
  expect(await judge(worldOf(), command)).toBe(expected);
});

it.each<[string, string, string]>([
  ['position: mid', 'git push', 'pass'],
  ['position: mid', 'sudo ls', 'pass'],
  ['position: mid', 'ls && git push', 'deny git-push'],
  ['position: middle', 'git push', 'deny git-push'],
  ['ask: [git-push]', 'git push', 'ask git-push'],
  ['ask: [git-push]', 'sudo ls', 'deny sudo'],
  ['ask: git-push', 'git push', 'deny git-push'],
  ['bin_dirs: [/srv/bin/]', 'cp a /srv/bin', 'deny cp-to-bin'],
  ['bin_dirs: [$HOME/tools]', 'cp a ~/tools/', 'deny cp-to-bin'],
  ['bin_dirs: [/srv/bin]', 'cp a /usr/bin', 'pass'],
  ['bin_dirs: all', 'cp a /usr/bin', 'deny cp-to-bin'],
])('danger: { %s }: %s: %s', async (options, command, expected) => {
  expect(await judge(worldOf({ options: `danger: { ${options} }` }), command)).toBe(expected);
});

describe('where it acts', () => {
  it('is off until its own setting switches it on, though the pack is on', async () => {
    expect((await run(contextWorld(), 'sudo ls')).action).toBe('pass');
    expect((await run(contextWorld({ only: [] }), 'sudo ls')).action).toBe('pass');
  });

  it('acts where nothing is initialised, in a paused session, and in other agents of it', async () => {
    const world = worldOf({ uninitialised: true });
    pauseSession(world);
    expect(await judge(world, 'a && sudo b')).toBe('deny sudo');
    expect((await run(world, 'git push', { agent_id: 'a1', agent_type: 'explorer' })).action).toBe('deny');
  });
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['sudo ls "', {}, 'ask sudo'],
  ['sudo ls "', { permission_mode: 'bypassPermissions' }, 'ask sudo'],
  ['sudo ls "', { permission_mode: 'dontAsk' }, 'deny sudo'],
  ['ls "sudo', {}, 'pass'],
])('what cannot be read whole: %s %o: %s', async (command, more, expected) => {
  expect(await judge(worldOf(), command, more)).toBe(expected);
});

it('says what was seen, why, what to do, and who can allow it', async () => {
  const { reason } = await run(worldOf(), 'cp build/tool /usr/local/bin/');
  expect(reason).toContain('`cp build/tool /usr/local/bin/`');
  expect(reason).toContain('inside the project');
  expect(reason).toContain('fairlead allow-once');
});

it.each<[string | undefined, string]>([
  [undefined, 'nudge'],
  ['relay: { blocks: relay }', 'relay'],
])('each block is relayed without the command; with %s as %s', async (options, event) => {
  const world = worldOf(options === undefined ? {} : { options });
  for (const command of ['sudo ls', 'git push secret', 'ls', 'install a /usr/bin']) await run(world, command);
  const message = expect.not.stringMatching(/secret/) as string;
  const rule = `context/${RULE}`;
  expect(relaysOf(world).toSorted((one, other) => (one.variant < other.variant ? -1 : 1))).toMatchObject([
    { event, rule, message, variant: 'git-push' },
    { event, rule, message, variant: 'install-to-bin' },
    { event, rule, message, variant: 'sudo' },
  ]);
});
