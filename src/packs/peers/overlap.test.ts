import { describe, expect, it } from 'vitest';
import { send, toolEvent } from '../../engine/engine.fixture.ts';
import { cellsOf, MINUTE, playSessions, TREES } from './sessions.fixture.ts';
import type { Sessions } from './sessions.fixture.ts';

const A = 'one/claude/1';
const B = 'one/codex/2';
const C = 'two/claude/3';
const APP = 'src/app.ts';

describe('another session in the same directory', () => {
  it('is named with when and what, and how to go on, in three lines', async () => {
    const sessions = playSessions();
    await sessions.read(B, APP);
    await sessions.edit(A, APP);
    sessions.pass(3 * MINUTE);
    expect(await sessions.edit(B, APP)).toEqual([
      '[peers/overlap] src/app.ts was changed 3 minutes ago by another session (claude "one/clau"): edited near "const before = 1;". You have not read it since.\n' +
        'Read it again before you change it: the text that you know may be gone.\n' +
        'If this change is meant to replace the other one, go on; each change is told once.',
    ]);
  });

  it.each<[string, number, (sessions: Sessions) => Promise<readonly string[]>]>([
    ['an edit of what another has changed', 1, (s) => s.edit(B, APP)],
    ['a command that changes it', 1, (s) => s.run(B, `sed -i s/a/b/ ${APP}`)],
    ['a command that changes all that is in its directory', 1, (s) => s.run(B, 'rm -rf src')],
    ['a command that changes what matches', 1, (s) => s.run(B, 'sed -i s/a/b/ src/*.ts')],
    ['a command that takes back all changes', 1, (s) => s.run(B, 'git reset --hard')],
    ['a command that changes others that match', 0, (s) => s.run(B, 'sed -i s/a/b/ src/*.css')],
    ['an edit of another file', 0, (s) => s.edit(B, 'src/app.test.ts')],
    ['an edit of its own change', 0, (s) => s.edit(A, APP)],
    ['a command that changes nothing', 0, (s) => s.run(B, `cat ${APP}`)],
    [
      'an edit by a sub-agent of the one that changed it',
      0,
      (s) => s.edit(A, APP, { subagent: { id: 'a1', type: 'general' } }),
    ],
  ])('%s: %i', async (_, count, act) => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    expect(await act(sessions)).toHaveLength(count);
  });

  it.each<[string, number, (sessions: Sessions) => Promise<unknown>]>([
    ['nothing', 1, async () => {}],
    ['a look at the file', 0, (s) => s.read(B, APP)],
    ['a command that shows it', 0, (s) => s.run(B, `cd src && sed -n 1,20p app.ts`)],
    ['git showing it', 0, (s) => s.run(B, `git diff -- ${APP}`)],
    ['a command that only names it', 1, (s) => s.run(B, `npm test ${APP}`)],
    ['a prompt that brings it', 0, (s) => s.prompt(B, `Look at @${APP} first.`)],
    ['a look at another file', 1, (s) => s.read(B, 'src/other.ts')],
    ['a look by a third session', 1, (s) => s.read('one/claude/9', APP)],
    ['the end of the other session', 0, (s) => s.event(A, 'session.end')],
    [
      'a second change after the look',
      1,
      async (s) => {
        await s.read(B, APP);
        await s.edit(A, APP);
      },
    ],
    ['a list of commits', 1, async (s) => s.run(B, `git log -1 --oneline -- ${APP}`)],
    ['the commits with what they changed', 0, async (s) => s.run(B, `git log -p -- ${APP}`)],
    ['how much was changed', 1, async (s) => s.run(B, `git diff --stat ${APP}`)],
    ['whether a word is there', 1, async (s) => s.run(B, `grep -q foo ${APP}`)],
    ['the lines with a word', 0, async (s) => s.run(B, `grep -n foo ${APP}`)],
    ['two hours of silence', 0, async (s) => s.pass(121 * MINUTE)],
    [
      'two hours with a prompt in between',
      1,
      async (s) => {
        s.pass(70 * MINUTE);
        await s.prompt(A);
        s.pass(70 * MINUTE);
      },
    ],
    [
      'a prompt after two hours of silence',
      0,
      async (s) => {
        s.pass(121 * MINUTE);
        await s.prompt(A);
      },
    ],
    [
      'a change of another file after two hours of silence',
      0,
      async (s) => {
        s.pass(121 * MINUTE);
        await s.edit(A, 'src/other.ts');
      },
    ],
    [
      'the end of the other session, and its resumption',
      0,
      async (s) => {
        await s.event(A, 'session.end');
        await s.event(A, 'session.start');
      },
    ],
    [
      'a change by the other session after it was resumed',
      1,
      async (s) => {
        await s.event(A, 'session.end');
        await s.event(A, 'session.start');
        await s.edit(A, APP);
      },
    ],
  ])('since the change: %s → %i', async (_, count, act) => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    await act(sessions);
    expect(await sessions.edit(B, APP)).toHaveLength(count);
  });

  it('is told of the other by a name that is not its own', async () => {
    const sessions = playSessions();
    await sessions.edit('one/codex/019a9060-1111', APP);
    const [note] = await sessions.edit('one/codex/019a9060-2222', APP);
    expect(note).toContain('codex "one/codex/019a9060-1"');
  });

  it('hears of a file that is gone as gone', async () => {
    const sessions = playSessions();
    const path = `${TREES.one}/${APP}`;
    const gone = { kind: 'edit', paths: [path], edits: [{ path, operation: 'remove' }] } as const;
    const after = { name: 'tool.after', session: A, agent: 'claude', cwd: TREES.one } as const;
    await send(sessions.engine, toolEvent(gone, after));
    sessions.disk.set(path, undefined);
    expect((await sessions.edit(B, APP))[0]).toMatch(/src\/app\.ts was removed .* by another session .*: deleted\./);
  });

  it('does not hear of a file that was removed and is there again', async () => {
    const sessions = playSessions();
    await sessions.run(A, `rm ${APP}`);
    expect(await sessions.edit(B, APP)).toEqual([]);
  });

  it('hears once of each change, and of each other session', async () => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    expect(await sessions.edit(B, APP)).toHaveLength(1);
    expect(await sessions.edit(B, APP)).toEqual([]);
    expect(await sessions.edit(A, APP), 'and so does the first of the second').toHaveLength(1);
    expect(await sessions.edit(B, APP)).toHaveLength(1);
  });

  it('one that reads all the time is there, whatever it changes', async () => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    await sessions.edit(B, 'src/b.ts');
    for (let minutes = 0; minutes < 180; minutes += 30) {
      sessions.pass(30 * MINUTE);
      await sessions.read(A, 'src/other.ts');
    }
    expect(await sessions.edit(B, APP)).toHaveLength(1);
  });
});

describe('changes by commands', () => {
  it.each<[string, string, string, number]>([
    ['one file', `sed -i s/a/b/ ${APP}`, APP, 1],
    ['another pattern', 'sed -i s/a/b/ src/*.css', APP, 0],
    ['nothing', `grep a ${APP}`, APP, 0],
    ['what a build makes', 'npm run build > dist/build.log', 'dist/build.log', 0],
    ['what lies elsewhere', 'echo a > /tmp/app.ts', APP, 0],
  ])('%s: %s', async (_, command, file, count) => {
    const sessions = playSessions();
    await sessions.run(A, command);
    expect(await sessions.edit(B, file)).toHaveLength(count);
  });

  it.each([
    ['a directory', 'npx prettier --write src'],
    ['all', 'git reset --hard'],
    ['a pattern', 'sed -i s/a/b/ src/*.ts'],
    ['an archive', 'tar xzf release.tgz'],
    ['what git does not know', 'git clean -fdx'],
  ])('%s counts for a file that was written meanwhile, and for no other: %s', async (_, command) => {
    const path = `${TREES.one}/${APP}`;
    const tell = async (prepare: (sessions: Sessions, at: number) => unknown) => {
      const sessions = playSessions();
      await sessions.run(A, command, 'tool.after', (at) => prepare(sessions, at));
      return sessions.edit(B, APP);
    };
    expect(await tell(() => {}), 'it is as it was').toEqual([]);
    expect(await tell(({ disk }) => disk.set(path, undefined)), 'it is to be created').toEqual([]);
    expect(await tell(({ disk }, at) => disk.set(path, at + 60_000)), 'written since').toEqual([]);
    expect(await tell(({ disk }, at) => disk.set(path, at))).toHaveLength(1);
  });

  it('a file of another session that went with its directory is not to be read again', async () => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    await sessions.run(A, 'rm -rf src', 'tool.after', () => sessions.disk.set(`${TREES.one}/${APP}`, undefined));
    expect(await sessions.edit(B, APP)).toEqual([]);
  });

  it('names the command, without what it must not show', async () => {
    const sessions = playSessions();
    await sessions.run(A, `TOKEN=ghp_${'a1B2'.repeat(9)} sed -i s/a/b/ ${APP}`);
    const [note = ''] = await sessions.edit(B, APP);
    expect(note).toContain('sed -i');
    expect(note).not.toContain('a1B2a1B2');
  });

  it('one that failed may have changed it, one that never ran has not', async () => {
    const failed = playSessions();
    await failed.run(A, `sed -i s/a/b/ ${APP} && npm test`, 'tool.failed');
    expect(await failed.edit(B, APP)).toHaveLength(1);
    const never = playSessions();
    await never.run(A, `sed -i s/a/b/ ${APP}`, 'never');
    expect(await never.edit(B, APP)).toEqual([]);
  });

  it('are known only where another rule has them read', async () => {
    const sessions = playSessions({ isGuarded: false });
    sessions.engine.effectsOf = () => expect.fail('nobody asks for it');
    await sessions.run(A, `sed -i s/a/b/ ${APP}`);
    expect(await sessions.edit(B, APP)).toEqual([]);
  });

  it('one note tells of all files that a call is about', async () => {
    const sessions = playSessions();
    for (const name of ['a', 'b', 'c']) await sessions.edit(A, `src/${name}.ts`);
    const notes = await sessions.run(B, 'rm -rf src');
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain('src/c.ts, with 2 other files, was changed');
    expect(await sessions.edit(B, 'src/a.ts'), 'told').toEqual([]);
  });
});

describe('another work tree', () => {
  it('is said otherwise: the text here is not stale, the branches will meet', async () => {
    const sessions = playSessions();
    await sessions.edit(A, APP);
    await sessions.read(C, APP);
    expect(await sessions.edit(C, APP)).toEqual([
      '[peers/overlap] src/app.ts was changed less than a minute ago in another work tree of this repository by another session (claude "one/clau"): edited near "const before = 1;".\n' +
        'Look at /home/dev/one/src/app.ts before you go on: where both change the same lines, the branches conflict when they are merged.\n' +
        'If the two changes have nothing to do with each other, go on; each change is told once.',
    ]);
    expect(await sessions.edit(C, APP)).toEqual([]);
  });

  it.each<[string, number, (sessions: Sessions) => Promise<unknown>]>([
    ['a directory as a whole', 0, (s) => s.run(A, 'npx prettier --write src')],
    ['a pattern', 0, (s) => s.run(A, 'sed -i s/a/b/ src/*.ts')],
    ['changes taken back', 0, (s) => s.run(A, `git checkout -- ${APP}`)],
    ['the file by a command', 1, (s) => s.run(A, `sed -i s/a/b/ ${APP}`)],
  ])('counts for the same file alone: %s', async (_, count, act) => {
    const sessions = playSessions();
    await act(sessions);
    expect(await sessions.edit(C, APP)).toHaveLength(count);
  });
});

it('keeps no more than so many files of a session, and so many sessions', async () => {
  const sessions = playSessions();
  for (let at = 0; at < 130; at += 1) await sessions.edit(A, `src/${at}.ts`);
  expect(Object.keys(cellsOf(sessions, 'peers.changes'))).toHaveLength(100);
  expect(await sessions.edit(B, 'src/29.ts')).toEqual([]);
  expect(await sessions.edit(B, 'src/30.ts')).toHaveLength(1);
  for (let at = 0; at < 40; at += 1) await sessions.edit(`one/codex/x${at}`, `docs/${at}.md`);
  expect(Object.values(cellsOf(sessions, 'peers.sessions'))[0]).toHaveLength(32);
  expect(Object.keys(cellsOf(sessions, 'peers.files'))).toHaveLength(32);
  expect(Object.keys(cellsOf(sessions, 'peers.changes')), 'of those that are gone nothing is left').toHaveLength(32);
});

it('changes nothing where a session is alone, but for its own changes', async () => {
  const sessions = playSessions();
  await sessions.edit(A, APP);
  const rows = sessions.engine.recorded.length;
  await sessions.read(A, APP);
  await sessions.run(A, `cat ${APP}`);
  await sessions.read(A, `${TREES.one}/docs/a.md`);
  expect(sessions.engine.recorded.slice(rows).map(({ row }) => [row.changed, row.tier])).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
    [false, 1],
  ]);
});
