import { describe, expect, it } from 'vitest';
import { send } from '../../engine/engine.fixture.ts';
import { NO_FACTS } from '../../event/facts.ts';
import type { Look, RuleFacts } from '../../event/facts.ts';
import { guardEngine, shell } from '../guard.fixture.ts';
import type { GuardWorld } from '../guard.fixture.ts';

/** The action on a command, when a look finds this. */
async function decide(command: string, losses: RuleFacts['losses'], world: GuardWorld = {}) {
  const engine = Object.assign(guardEngine(world), { facts: { ...NO_FACTS, losses } });
  return send(engine, shell(command));
}
const always =
  (look: Look): RuleFacts['losses'] =>
  (effects) =>
    effects.map(() => look);
const NOTHING = always({ lost: [] });

const HELD = ['git reset --hard', 'git branch -D topic', 'git commit --amend', 'rm -rf src', 'rm app.sqlite'];

describe('what no look has found harmless stays stopped', () => {
  it.each<[string, RuleFacts['losses']]>([
    ['there was no time', () => undefined],
    ['it came to nothing', () => Promise.resolve(undefined)],
    ['it threw', () => Promise.reject(new Error('disk'))],
    [
      'it threw at once',
      () => {
        throw new Error('disk');
      },
    ],
    ['it never ended', () => new Promise(() => {})],
    ['it could not look', always({ unseen: 'the repository could not be read' })],
    ['it saw some of it', (effects) => effects.map((_, at) => (at === 0 ? { unseen: 'x' } : { lost: [] }))],
    ['something is lost', always({ lost: [{ what: 'changed', count: 1, names: ['a'] }] })],
  ])('%s', async (_, losses) => {
    const actions = await Promise.all(HELD.map(async (command) => (await decide(command, losses)).action));
    expect(actions.filter((action) => action === 'pass')).toEqual([]);
    const careful = await Promise.all(
      HELD.map(async (command) => (await decide(command, losses, { careful: true })).action),
    );
    expect(careful).toEqual(HELD.map(() => 'deny'));
  });
});

it.each([...HELD, 'git reset --hard && git clean -fdx'])('%s passes when a look finds nothing', async (command) => {
  expect((await decide(command, NOTHING)).action).toBe('pass');
  expect((await decide(command, NOTHING, { careful: true })).action).toBe('pass');
});

it('a rebase of what nobody has passes in careful mode, one of what is shared does not', async () => {
  const shared = always({ lost: [{ what: 'shared', count: 3, names: ['origin/topic'] }] });
  expect((await decide('git rebase main', NOTHING, { careful: true })).action).toBe('pass');
  const { action, reason } = await decide('git rebase main', shared, { careful: true });
  expect([action, reason?.split('\n')[0]]).toEqual([
    'deny',
    '[guard/git] `git rebase main` rewrites 3 commits that origin/topic has, so it rewrites shared history.',
  ]);
});

it('what a remote had some time ago is not enough in careful mode', async () => {
  const merged = always({ lost: [], isOfRemote: true });
  expect((await decide('git push origin --delete topic', merged)).action).toBe('pass');
  const { action, reason } = await decide('git push origin --delete topic', merged, { careful: true });
  expect([action, reason?.split('\n')[0]]).toEqual([
    'deny',
    '[guard/git] `git push origin --delete topic` deletes or moves "topic", merged or not. Fairlead could not look: what the remote has by now was not asked.',
  ]);
});

it.each(['rm -rf /', 'rm -rf ~', 'rm -rf .git', 'cd ~ && rm -rf .', 'dd if=/dev/zero of=/dev/sda', 'rm .git/index'])(
  '%s is stopped whatever a look finds',
  async (command) => {
    const looked: string[] = [];
    const { action } = await decide(command, (effects) => {
      looked.push(...effects.map(({ kind }) => kind));
      return effects.map(() => ({ unseen: 'x' }));
    });
    expect(action).not.toBe('pass');
  },
);

it('nothing is looked at where nothing would be stopped', async () => {
  let looks = 0;
  const counting: RuleFacts['losses'] = (effects) => {
    looks += 1;
    return effects.map(() => ({ lost: [] }));
  };
  for (const command of ['ls', 'rm a.txt', 'echo x > a.txt', 'git status', 'git push', 'rm -rf node_modules', 'mv a b'])
    await decide(command, counting);
  expect(looks).toBe(0);
});

it('says of the root what it is', async () => {
  const { reason } = await decide('rm -rf /', () => undefined);
  expect(reason?.split('\n').slice(0, 2)).toEqual([
    '[guard/catastrophe] `rm -rf /` would delete the whole system.',
    'Name the one directory that is meant: `rm -rf dist`.',
  ]);
});

describe('no advice goes round its own rule', () => {
  it.each(['git push -f origin main', 'git push origin +main', 'git push --force origin release/2'])(
    '%s',
    async (command) => {
      const { action, reason } = await decide(command, () => undefined);
      expect(action).toBe('deny');
      expect(reason).not.toContain('--force-with-lease');
    },
  );

  it('git push --force, of whatever branch', async () => {
    for (const careful of [true, false])
      for (const command of ['git push --force', 'git push --force origin topic', 'git push -f --mirror'])
        expect((await decide(command, () => undefined, { careful })).reason).not.toContain('with-lease');
  });

  it.each(['rm -rf /', 'rm -rf /usr', 'rm -rf ~', 'rm -rf .'])('%s', async (command) => {
    const { action, reason } = await decide(command, () => undefined);
    expect(action).toBe('deny');
    expect(reason).not.toMatch(/\bmv\b|nothing brings it back/);
  });
});

describe('a forced push is judged by the remotes that the settings name, not by how long a look takes', () => {
  const ORIGIN = '[core]\n\tbare = false\n[remote "origin"]\n\turl = ../up.git\n';
  const late: readonly RuleFacts['losses'][] = [() => undefined, () => new Promise(() => {}), NOTHING];

  async function decideIn(config: string | undefined, command: string) {
    const files = { '.git/HEAD': 'ref: refs/heads/main\n', ...(config !== undefined && { '.git/config': config }) };
    const decisions = await Promise.all(
      late.map(async (losses) => {
        const engine = Object.assign(guardEngine({ files }), { facts: { ...NO_FACTS, losses } });
        const stat = (path: string) =>
          /\/\.git(?:\/HEAD)?$/.test(path) ? { kind: path.endsWith('HEAD') ? 'file' : 'dir', size: 1 } : undefined;
        Object.assign(engine.files, { stat });
        const { action, by, reason = '' } = await send(engine, shell(command));
        return [action, ...by.slice(0, 1), reason.split('\n')[0]?.replace(/^\[.*?\] /, '') ?? ''].join(' | ');
      }),
    );
    return [...new Set(decisions)];
  }

  it.each<[string, string | undefined, string, string]>([
    ['no remote', '[core]\n', 'git push -f origin main', 'pass | '],
    ['no remote, after a commit', '[core]\n', 'git commit -qm a && git push -f', 'pass | '],
    ['no remote, another branch', '[core]\n', 'git push -f origin topic', 'pass | '],
    ['another remote', ORIGIN, 'git push -f upstream main', 'pass | '],
    [
      'a remote',
      ORIGIN,
      'git push -f origin main',
      'deny | guard/catastrophe | `git push -f origin main` overwrites "main", a protected branch.',
    ],
    [
      'an address',
      '[core]\n',
      'git push -f ../up.git main',
      'deny | guard/catastrophe | `git push -f ../up.git main` overwrites "main", a protected branch.',
    ],
    ...(
      [
        ['a remote that the call makes', '[core]\n', 'git remote add origin x && git push -f origin main'],
        ['settings in another file', '[include]\n\tpath = more\n', 'git push -f origin main'],
        ['settings in other words', '[Remote "origin"]\n\turl = ../up.git\n', 'git push -f origin main'],
        ['an address of the branch', '[branch "main"]\n\tremote = ../up.git\n', 'git push -f origin main'],
        ['no settings', undefined, 'git push -f origin main'],
        ['elsewhere', ORIGIN, 'ssh host git push -f origin main'],
      ] as const
    ).map(([name, config, command]): [string, string | undefined, string, string] => [
      name,
      config,
      command,
      'deny | guard/catastrophe | `' +
        command.replace(/.*&& /, '') +
        '` overwrites "main", a protected branch, if there is such a remote: that is not known here.',
    ]),
  ])('%s', async (_, config, command, decision) => {
    expect(await decideIn(config, command)).toEqual([decision]);
  });
});
