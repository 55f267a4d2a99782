import { expect, it } from 'vitest';
import type { Stop } from '../ledger/stops.ts';
import { BUILT_IN } from '../packs/index.generated.ts';
import { isOftenWrong, proposalsFor } from './propose-milder.ts';

const [meta] = BUILT_IN.flatMap((entry) => (entry.meta.id === 'basics/generated-file' ? [entry.meta] : []));
if (!meta) throw new Error('the rule has another name');
const RULE = { meta, mode: 'ask', options: {}, source: 'built in', load: () => Promise.reject(new Error()) } as const;

function edited(path: string, root = '/home/dev/app'): Stop {
  const tool = { kind: 'edit', name: 'Edit', input: {}, hasInput: true, paths: [path], edits: [] } as const;
  return {
    n: 1,
    id: 'a',
    at: 0,
    root,
    rules: [meta?.id ?? ''],
    action: 'ask',
    shadow: false,
    reason: '',
    event: { tool },
  };
}

it('narrows to the place where all of it lay, in its project', () => {
  const wrong = [edited('/home/dev/app/gen/a/x.ts'), edited('/home/dev/app/gen/b.ts')];
  const commands = proposalsFor(RULE, wrong, '/home/dev/app').map(({ command }) => command);
  expect(commands).toEqual([
    'fairlead rules mode basics/generated-file advise',
    "fairlead rules mode basics/generated-file off --for 30d --path 'gen/**'",
  ]);
  const elsewhere = proposalsFor(RULE, wrong, '/home/dev/other').map(({ command }) => command);
  expect(elsewhere[1]).toBe(
    "cd /home/dev/app && fairlead rules mode basics/generated-file off --for 30d --path 'gen/**'",
  );
});

it('proposes no place that is all of a project, or outside of it', () => {
  for (const paths of [
    ['/home/dev/app/a.ts', '/home/dev/app/gen/b.ts'],
    ['/elsewhere/a.ts', '/elsewhere/b.ts'],
  ])
    expect(
      proposalsFor(
        RULE,
        paths.map((path) => edited(path)),
        '/home/dev/app',
      ),
    ).toHaveLength(1);
});

it.each([
  [0, 2, false],
  [0, 3, true],
  [6, 3, true],
  [7, 3, false],
])('%i right, %i wrong: %j', (right, wrong, expected) => {
  expect(isOftenWrong({ right, wrong })).toBe(expected);
});
