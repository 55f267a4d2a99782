import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, isLong } from '../../../test/cases.ts';
import { cellsOf, MINUTE, playSessions, TREES } from './sessions.fixture.ts';
import type { Sessions } from './sessions.fixture.ts';

const WHO = ['one/claude/1', 'one/codex/2', 'two/claude/3'] as const;
const FILES = ['a.ts', 'src/b.ts', 'src/c.ts'] as const;

type Step =
  | {
      readonly do: 'edit' | 'helper' | 'run' | 'read' | 'show' | 'mention';
      readonly who: string;
      readonly file: string;
    }
  | { readonly do: 'end' | 'start' | 'prompt'; readonly who: string }
  | { readonly do: 'wait' | 'silence' };

const who = fc.constantFrom(...WHO);
const file = fc.constantFrom(...FILES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('edit', 'run'), who, file }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('read', 'show', 'mention', 'helper'), who, file }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('end', 'start', 'prompt'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('wait', 'wait', 'wait', 'silence') }) },
);

const treeOf = (name: string): string => TREES[name.split('/')[0] as keyof typeof TREES];

/** The promise, in the plainest way: every read and change is remembered, of everybody. */
function createModel() {
  let clock = 0;
  let changes: { by: string; path: string; file: string; at: number }[] = [];
  const seen = new Map<string, number>();
  const look = (session: string, path: string) => void seen.set(`${session} ${path}`, (clock += 1));
  return {
    read: (session: string, name: string) => look(session, `${treeOf(session)}/${name}`),
    /** Whose changes the session hears of before it changes a file. */
    change(session: string, name: string): string[] {
      const news = changes.filter(
        ({ by, path, file: changed, at }) =>
          by !== session && changed === name && at > (seen.get(`${session} ${path}`) ?? 0),
      );
      for (const { path } of news) look(session, path);
      const path = `${treeOf(session)}/${name}`;
      changes = changes.filter((each) => each.by !== session || each.path !== path);
      changes.push({ by: session, path, file: name, at: (clock += 1) });
      return [...new Set(news.map(({ path: there }) => (there === path ? 'stale' : 'apart')))].sort();
    },
    end: (session: string) => void (changes = changes.filter(({ by }) => by !== session)),
    silence: () => void (changes = []),
  };
}

const kindOf = (note: string): string => (note.includes('another work tree') ? 'apart' : 'stale');

it('sessions hear what a simple model says, however they take turns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const sessions = playSessions();
      const model = createModel();
      for (const each of steps) {
        const { told, expected } = await play(each, sessions, model);
        expect(told.map(kindOf).sort()).toEqual(expected);
      }
      expect(sessions.engine.failures).toEqual([]);
    }),
    { numRuns: countOf(2_000) },
  );
});

async function play(each: Step, sessions: Sessions, model: ReturnType<typeof createModel>) {
  const nothing = { told: [] as readonly string[], expected: [] as string[] };
  switch (each.do) {
    case 'edit':
      return { told: await sessions.edit(each.who, each.file), expected: model.change(each.who, each.file) };
    case 'helper': {
      const subagent = { id: 'a1', type: 'general' };
      return {
        told: await sessions.edit(each.who, each.file, { subagent }),
        expected: model.change(each.who, each.file),
      };
    }
    case 'run': {
      const told = await sessions.run(each.who, `sed -i s/a/b/ ${each.file}`);
      return { told, expected: model.change(each.who, each.file) };
    }
    case 'read':
      await sessions.read(each.who, each.file);
      model.read(each.who, each.file);
      return nothing;
    case 'show':
      await sessions.run(each.who, `head -20 ${each.file}`);
      model.read(each.who, each.file);
      return nothing;
    case 'mention':
      await sessions.prompt(each.who, `See @${each.file} and go on.`);
      model.read(each.who, each.file);
      return nothing;
    case 'end':
      await sessions.event(each.who, 'session.end');
      model.end(each.who);
      return nothing;
    case 'start':
      await sessions.event(each.who, 'session.start');
      return nothing;
    case 'prompt':
      await sessions.prompt(each.who);
      return nothing;
    case 'wait':
      sessions.pass(MINUTE);
      return nothing;
    case 'silence':
      sessions.pass(125 * MINUTE);
      model.silence();
      return nothing;
  }
}

it('what is kept has a limit, whatever sessions do', async () => {
  const any = fc.record({ who: fc.nat(50), file: fc.nat(300), ends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(any, { minLength: 100, maxLength: 300 }), async (steps) => {
      const sessions = playSessions();
      for (const { who: at, file: name, ends } of steps) {
        const session = `one/claude/${at % 40}`;
        if (ends && at > 40) await sessions.event(session, 'session.end');
        else await sessions.edit(session, `src/${name}.ts`);
      }
      const files = Object.values(cellsOf(sessions, 'peers.files')) as string[][];
      const listed = (Object.values(cellsOf(sessions, 'peers.sessions'))[0] ?? []) as string[];
      const changed = Object.keys(cellsOf(sessions, 'peers.changes'));
      expect(listed.length).toBeLessThanOrEqual(32);
      expect(files.length).toBe(listed.length);
      for (const each of files) expect(each.length).toBeLessThanOrEqual(100);
      expect(new Set(changed)).toEqual(new Set(files.flat()));
    }),
    { numRuns: isLong ? 40 : 2 },
  );
});
