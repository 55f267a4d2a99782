import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { standsFor } from '../query/dispatch.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { readAll } from '../store/read-all.fixture.ts';
import type { Indexer } from './indexer.ts';
import { openProject } from './project.fixture.ts';
import type { Project } from './project.fixture.ts';
import { BRANCH, TREE } from './tree.fixture.ts';

/** What can happen to a project between two looks at it. */
type Step =
  | { readonly do: 'replace'; readonly path: string; readonly what: string; readonly by: string }
  | { readonly do: 'append'; readonly path: string; readonly text: string }
  | { readonly do: 'delete' | 'restore' | 'break' | 'empty'; readonly path: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'switch'; readonly back: boolean }
  | { readonly do: 'restart' | 'compact' }
  /** Other directories come first; only where there is a cap. */
  | { readonly do: 'lead'; readonly first: readonly string[] };

const PATHS = Object.keys(TREE);
const path = fc.constantFrom(...PATHS);
const WORDS = [
  'make',
  'Store',
  'save',
  'log',
  'name',
  'other',
  'Sell',
  'New',
  'Shop',
  'count',
  'helper',
  'Base',
  'run',
  'Keeper',
  'Seller',
];
const word = fc.constantFrom(...WORDS);
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  ts: [
    '// only a remark\n',
    `export function make() { return 1 }\n`,
    `export class Base { save() {} }\n`,
    `import { run } from './use.ts';\nrun();\n`,
    `export * from './store.ts';\n`,
    `unknown.save(); unknown.name();\n`,
    `export function helper(this: Base) { unknown.helper() }\n`,
    `import wrap from 'wrapper';\nexport default wrap(function inner() { make() });\n`,
    `export interface Keeper { save(): void }\n`,
    `export const more: Keeper = { save: () => 2, name };\nfunction name() {}\n`,
    `export class Third extends Base implements Keeper {}\n`,
  ],
  go: [
    '// only a remark\n',
    'func Extra() { New() }\n',
    'func (s *Shop) Sell2() {}\n',
    'type Base struct{}\n',
    'type Shop2 struct{ Shop }\n',
  ],
  py: [
    '# only a remark\n',
    'def build():\n    return 1\n',
    'class Base:\n    def name(self):\n        pass\n',
    'from pkg.use import run\nrun(1)\n',
  ],
  rb: ['# only a remark\n', 'class Base\n  def save\n  end\nend\n'],
  sh: ['# only a remark\n', 'third() { first; }\n'],
};
const textFor = (of: string): readonly string[] => TEXTS[of.slice(of.lastIndexOf('.') + 1)] ?? ['\n'];

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('replace' as const), path, what: word, by: word }) },
  {
    weight: 4,
    arbitrary: path.chain((of) =>
      fc.constantFrom(...textFor(of)).map((text): Step => ({ do: 'append', path: of, text })),
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('delete', 'restore', 'break', 'empty'), path }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: fc.constantFrom('moved', 'lib/x', 'src/y') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch' as const), back: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('restart', 'compact') }) },
);

const DIRECTORIES = ['src', 'src/lib', 'shop', 'pkg', 'lib', 'tools', 'cmd'];
const stepAtCap: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: step },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('lead' as const), first: fc.subarray(DIRECTORIES, { maxLength: 3 }) }),
  },
);

/** The files that were touched. */
function take(given: Step, project: Project, now: Map<string, string>): string[] {
  const set = (where: string, text: string | undefined): string[] => {
    if (text === undefined) {
      if (!now.delete(where)) return [];
      project.remove(where);
    } else {
      now.set(where, text);
      project.write(where, text);
    }
    return [where];
  };
  switch (given.do) {
    case 'replace': {
      const text = now.get(given.path);
      return text === undefined ? [] : set(given.path, text.replaceAll(given.what, given.by));
    }
    case 'append': {
      const text = now.get(given.path);
      return text === undefined ? [] : set(given.path, text + given.text);
    }
    case 'delete':
      return set(given.path, undefined);
    case 'restore':
      return set(given.path, TREE[given.path]);
    case 'break':
      return now.has(given.path) ? set(given.path, `${now.get(given.path)}\n}}} ((( class {\n`) : [];
    case 'empty':
      return now.has(given.path) ? set(given.path, '') : [];
    case 'rename': {
      const text = now.get(given.path);
      if (text === undefined) return [];
      const name = given.path.slice(given.path.lastIndexOf('/') + 1);
      return [...set(given.path, undefined), ...set(`${given.to}/${name}`, text)];
    }
    case 'switch': {
      const wanted = given.back ? TREE : BRANCH;
      return [...new Set([...Object.keys(wanted), ...now.keys()])].flatMap((each) =>
        now.get(each) === wanted[each] ? [] : set(each, wanted[each]),
      );
    }
    default:
      return [];
  }
}

/** By key: as what each symbol may be called. */
function dispatchIn(reader: GraphReader): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const file of reader.files()) {
    for (const id of reader.symbolsOf(file.path)) {
      const above = standsFor(reader, id);
      if (above.length > 0) found[reader.symbol(id).key] = above.map((other) => reader.symbol(other).key).sort();
    }
  }
  reader.close();
  return found;
}

interface Played {
  readonly step: Step;
  /** Whether the change is told, or has to be found. */
  readonly isTold: boolean;
}

async function play(steps: readonly Played[], maxFiles: number | undefined): Promise<void> {
  const project = openProject(TREE);
  if (maxFiles !== undefined) project.walk = { maxFiles };
  const now = new Map(Object.entries(TREE));
  let indexer: Indexer = project.indexer();
  try {
    await indexer.indexAll();
    for (const { step: given, isTold } of steps) {
      const touched = take(given, project, now);
      if (given.do === 'lead') project.walk = { ...project.walk, first: given.first };
      if (given.do === 'restart' || given.do === 'lead') indexer = project.indexer();
      if (given.do === 'compact') indexer.compact();
      await (isTold && given.do !== 'lead'
        ? indexer.refresh(touched.map((each) => `${project.root}/${each}`))
        : indexer.sweep());
    }
    const laidOver = readAll(project.graph());
    const dispatched = dispatchIn(project.graph());
    indexer.compact();
    expect(await project.difference()).toEqual([]);
    expect(laidOver, 'before it was folded in').toEqual(readAll(project.graph()));
    expect(dispatched, 'before it was folded in').toEqual(dispatchIn(project.graph()));
  } finally {
    project.close();
  }
}

const history = (least: number, most: number, of = step) =>
  fc.array(fc.record({ step: of, isTold: fc.boolean() }), { minLength: least, maxLength: most, size: 'max' });

const NO_CAP = fc.constant(undefined);

describe('after any history the graph has the bytes of one that is made of the files anew', () => {
  it('of 200 steps, always the same ones', () =>
    fc.assert(fc.asyncProperty(history(200, 200), NO_CAP, play), { seed: 70, numRuns: 1, endOnFailure: true }));

  it('of some steps, others each time', () => fc.assert(fc.asyncProperty(history(10, 25), NO_CAP, play), cases(12)));

  it('also where more files are there than are indexed, and others come first', () =>
    fc.assert(fc.asyncProperty(history(10, 25, stepAtCap), fc.integer({ min: 3, max: 18 }), play), cases(12)));
});
