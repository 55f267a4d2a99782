import { expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import { createRuleGraph } from '../resident/rule-graph.ts';
import type { CallsAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { GraphReader } from './graph-reader.ts';

async function withGraph(sources: Readonly<Record<string, string>>, ask: (reader: GraphReader) => void): Promise<void> {
  const project = openProject(sources);
  try {
    await project.indexer().indexAll();
    ask(project.graph());
  } finally {
    project.close();
  }
}

const callersOf = (reader: GraphReader, symbol: string) =>
  askGraph(reader, { action: 'callers', symbol }, () => undefined) as CallsAnswer;
const ruleGraph = (reader: GraphReader) =>
  createRuleGraph(reader, { isCurrent: () => true, whenCurrent: () => undefined });

it('what stands in for a member or a type is listed once', () =>
  withGraph(
    {
      'store.ts': 'export interface Store { save(): void }\nexport interface Wide extends Store { more(): void }\n',
      'disk.ts': "import type { Store } from './store.ts';\nexport class Disk implements Store { save() {} }\n",
      'use.ts': "import type { Store } from './store.ts';\nexport function run(store: Store) { store.save() }\n",
    },
    (reader) => {
      for (const [symbol, standIns] of [
        ['Store.save', ['Disk.save']],
        ['Store', ['Disk', 'Wide']],
      ] as const) {
        const { implementations, uses } = callersOf(reader, symbol);
        expect(implementations?.items.map(({ name }) => name)).toEqual(standIns);
        const kinds = uses.items.flatMap(({ sites }) => sites.map(({ kind }) => kind));
        for (const kind of ['implements', 'extends', 'overrides']) expect(kinds).not.toContain(kind);
      }
    },
  ));

it('what stands in by its overloads is listed as what they declare', () =>
  withGraph(
    {
      'a.ts': `export class Base { run(a: string): void; run(a: number): void; run(a: unknown) {} }
export class Loud extends Base {
  override run(a: string): void;
  override run(a: number): void;
  override run(a: unknown) {}
}
`,
    },
    (reader) => {
      expect(callersOf(reader, 'Base.run').implementations?.items).toMatchObject([{ name: 'Loud.run', line: 5 }]);
      expect(callersOf(reader, 'Base.run').uses.total).toBe(0);
    },
  ));

it('a value that a file is called after is its main symbol', () =>
  withGraph(
    {
      'src/undo-redo.ts': `import { make } from 'library';
import { step } from './step.ts';
export interface UndoRedoOptions { depth: number }
export const UndoRedo = make<UndoRedoOptions>({
  depth: step(1),
});
`,
      'src/step.ts': 'export function step(n: number) { return n }\n',
      'src/use.ts':
        "import type { UndoRedoOptions } from './undo-redo.ts';\nexport function run(o: UndoRedoOptions) { return o }\n",
    },
    (reader) => {
      const impact = ruleGraph(reader).impactOf(`${reader.root}/src/undo-redo.ts`);
      expect(impact?.symbol.name).toBe('UndoRedo');
    },
  ));

it('a getter is read, not called', () =>
  withGraph({ 'a.ts': 'export class A {\n  get size() { return 1 }\n  grow() {}\n}\n' }, (reader) => {
    const kinds = ['size', 'grow'].map((name) => ruleGraph(reader).symbols(name, 1).items[0]?.kind);
    expect(kinds).toEqual(['getter', 'method']);
  }));

it('a member that nobody calls as another says nothing of tests', () =>
  withGraph(
    {
      'store.ts': 'export interface Store { save(): void }\nexport class Disk implements Store { save() {} }\n',
    },
    (reader) => {
      const impact = ruleGraph(reader).impactOf(`${reader.root}/store.ts`, { names: ['Disk'] });
      expect([impact?.dispatch?.as, impact?.tests.total ?? 0]).toEqual([undefined, 0]);
    },
  ));
