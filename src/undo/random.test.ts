import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../test/cases.ts';
import { openScratch, stateOf, treeOf } from './undo.fixture.ts';
import type { Scratch } from './undo.fixture.ts';

const PATHS = ['a', 'b c', 'ä', 'd/e', 'd/f g', 'd/h/i', 'd/h/.k', 'l/m', 'l/n.dat', 'out.dat', '-p'] as const;
const path = fc.constantFrom(...PATHS);
const text = fc.constantFrom('1\n', '2\n', '33\n', '', '\u0000bin', 'x'.repeat(5_000));

/** What a tree is made of before the command: each step changes a file or tells git of it. */
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text }),
  fc.record({ do: fc.constantFrom('add', 'run', 'remove', 'link', 'stash', 'commit', 'empty'), path }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const COMMANDS = [
  "rm -rf 'P'",
  "rm -rf 'P' 'Q'",
  'rm -rf d l',
  'rm -f *.dat',
  "echo new > 'P'",
  "cp 'P' 'Q'",
  "mv -f 'P' 'Q'",
  "find d -name '*' -delete",
  'git reset -q --hard',
  'git reset -q --hard HEAD~1',
  'git reset -q --hard side',
  "git checkout -q -- 'P'",
  'git checkout -q -- .',
  "git checkout -q side -- 'P'",
  'git checkout -q -f side',
  'git switch -q -f side',
  "git restore 'P'",
  'git restore -S -W .',
  'git restore --source=side -W .',
  "git rm -q -r -f 'P'",
  'git clean -q -fd',
  'git clean -q -fdx',
  'git clean -q -f',
  'git clean -q -fdX',
  'git stash drop -q',
  'git stash clear',
  'git branch -q -D side',
  'git commit -q --amend --allow-empty -m other',
  'git rebase -q side',
  'git update-ref -d refs/heads/side',
  'git reflog expire --expire=now --all',
  'git gc -q --prune=now',
] as const;

function arrange(scratch: Scratch, steps: readonly Step[]): void {
  const attempt = (work: () => unknown) => {
    try {
      work();
    } catch {
      // Steps that do not fit are left out.
    }
  };
  scratch.put('.gitignore', '*.dat\n');
  scratch.commit('one', 0, 'a', 'd/e', 'l/m');
  scratch.git('add', '.gitignore');
  scratch.commit('two', 60_000, 'b c', 'd/e');
  scratch.git('branch', 'side', 'HEAD~1');
  scratch.git('checkout', '-q', 'side');
  scratch.commit('three', 90_000, 'ä', 'd/h/i', 'a');
  scratch.git('checkout', '-q', 'main');
  steps.forEach((each, at) => {
    const full = join(scratch.dir, each.path);
    attempt(() => {
      if (each.do === 'write' && 'text' in each) {
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, each.text);
      } else if (each.do === 'add') scratch.git('add', '--', each.path);
      else if (each.do === 'run') chmodSync(full, 0o755);
      else if (each.do === 'remove') rmSync(full, { recursive: true });
      else if (each.do === 'link') symlinkSync(`to ${at}`, full);
      else if (each.do === 'stash') scratch.git('stash', 'push', '-q', '-m', `stash ${at}`);
      else if (each.do === 'commit') scratch.git('commit', '-q', '-m', `commit ${at}`);
      else mkdirSync(full, { recursive: true, mode: 0o750 });
    });
  });
}

const seen = (scratch: Scratch) => ({
  tree: new Map([...treeOf(scratch.dir)].map(([name, line]) => [name, line.replace(/^(file \d+ \d+) \d+/, '$1')])),
  state: stateOf(scratch.dir),
});

const whole = (found: ReturnType<typeof seen>) => found;

/** A rebase puts files where empty directories were, which git does not know, and so they do not come back. */
function withoutEmptyDirs({ tree, state }: ReturnType<typeof seen>): ReturnType<typeof seen> {
  const isFull = ([name]: readonly [string, string]) =>
    !name.endsWith('/') || [...tree.keys()].some((each) => each.startsWith(name) && !each.endsWith('/'));
  return { tree: new Map([...tree].filter(isFull)), state };
}

/** Contents that no file has any more, whatever it is called, and no commit. */
function lostSince(scratch: Scratch, before: ReturnType<typeof seen>): readonly string[] {
  const contentOf = (line: string) => /^file \d+ \d+ ([^]*)$/.exec(line)?.[1];
  const there = new Set([...seen(scratch).tree.values()].map(contentOf));
  const committed = new Set(scratch.git('rev-list', '--objects', '--all').match(/^[0-9a-f]{40}/gm));
  return [...before.tree].flatMap(([name, line]) => {
    const content = contentOf(line);
    if (content === undefined || there.has(content)) return [];
    const sha = scratch.gitWith(content, 'hash-object', '--stdin').trim();
    return committed.has(sha) ? [] : [name];
  });
}

it('random trees and commands: every byte comes back, and nothing else changes', async () => {
  const told = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...COMMANDS),
      path,
      path,
      async (steps, pattern, first, second) => {
        const command = pattern
          .replace('P', first)
          .replace('Q', second)
          .replace("'-p'", "'./-p'")
          .replace("'-p'", "'./-p'");
        const scratch = openScratch();
        try {
          arrange(scratch, steps);
          const before = seen(scratch);
          const result = await scratch.keep(command);
          const how = Object.keys(result)[0] ?? '';
          told.set(how, (told.get(how) ?? 0) + 1);
          expect(seen(scratch)).toEqual(before);
          if ('unkept' in result) return;
          try {
            scratch.run(command);
          } catch {
            // Git refuses some of them; what it did until then counts as well.
          }
          if ('nothing' in result) {
            expect(lostSince(scratch, before)).toEqual([]);
            return;
          }
          if ('keepable' in result) throw new Error('this is no trial');
          const { left } = await scratch.undo(result.kept.number);
          const seenIn = command.startsWith('git rebase') ? withoutEmptyDirs : whole;
          expect({ ...seenIn(seen(scratch)), left }).toEqual({ ...seenIn(before), left: [] });
        } finally {
          scratch.remove();
        }
      },
    ),
    { numRuns: isLong ? 2_000 : 12, examples: [[[{ do: 'link', path: '-p' }], "rm -rf 'P' 'Q'", 'a', '-p']] },
  );
  expect(told.get('kept')).toBeGreaterThan((told.get('unkept') ?? 0) * 2);
});
