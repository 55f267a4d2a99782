import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../../graph/indexer/project.fixture.ts';
import { createRuleGraph, languageOf } from '../../graph/graph.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import { CARD, openCards, symbolOf } from './autocontext.fixture.ts';
import type { CardWorld } from './autocontext.fixture.ts';
import type { Answer } from '../world.fixture.ts';
import rule from './impact-card.ts';

type Tree = Readonly<Record<string, string>>;

let world: CardWorld | undefined;
afterEach(() => {
  world?.close();
  world = undefined;
});

async function open(...given: Parameters<typeof openCards>): Promise<CardWorld> {
  return (world = await openCards(...given));
}

const callers = (names: readonly string[], of: string, from = './a.ts'): string =>
  `import { ${of} } from '${from}';\n${names.map((name) => `export function ${name}() { ${of}(); }\n`).join('')}`;

describe('a call inside one file', () => {
  it('is enough for a card', async () => {
    const { card } = await open({ 'a.py': 'def foo():\n    pass\n\n\ndef bar():\n    foo()\n' });
    const said = await card('a.py');
    expect(said).toMatch(
      /^\[autocontext\/impact-card\] project: function foo, a\.py:1\nCallers: 1 in production: bar \(a\.py:6\)\n/,
    );
  });
  it('that is not there makes none', async () => {
    const { card } = await open({ 'a.py': 'def foo():\n    pass\n\n\ndef bar():\n    pass\n' });
    expect(await card('a.py')).toBe('');
  });
});

const NINE = 'one two three four five six seven eight nine'.split(' ');

describe.each<[string, Tree, string]>([
  [
    '39: a class that more call than a function',
    {
      'a.ts': `export class Big { run() {} }\nexport function small() { return 1; }\n`,
      'b.ts': `import { Big, small } from './a.ts';\n${NINE.map((name) => `export function ${name}() { return new Big(); }\n`).join('')}export function last() { return small(); }\n`,
    },
    'Big',
  ],
  [
    '40: the higher degree',
    {
      'a.ts': 'export function two() {}\nexport function five() {}\n',
      'b.ts': callers(['b1', 'b2'], 'two'),
      'c.ts': callers(['c1', 'c2', 'c3', 'c4', 'c5'], 'five'),
    },
    'five',
  ],
  [
    '40: the lower line of two alike',
    {
      'a.ts': 'export function upper() {}\nexport function lower() {}\n',
      'b.ts': callers(['b1'], 'lower'),
      'c.ts': callers(['c1'], 'upper'),
    },
    'upper',
  ],
  [
    '41: what is exported',
    {
      'a.ts': `export function open() { return 1; }\nfunction hidden() { return 2; }\n${NINE.map((name) => `function ${name}() { return hidden(); }\n`).join('')}`,
      'b.ts': callers(['b1'], 'open'),
    },
    'open',
  ],
  [
    '41: what is public, in Python',
    {
      'a.py': `def open_it():\n    pass\n\ndef _hidden():\n    pass\n${NINE.map((name) => `\ndef _${name}():\n    _hidden()\n`).join('')}`,
      'b.py': 'from a import open_it\n\ndef b():\n    open_it()\n',
    },
    'open_it',
  ],
])('%s', (_, files, expected) => {
  it(`is ${expected}`, async () => {
    const { card } = await open(files);
    expect(symbolOf(await card(Object.keys(files)[0] as string))).toBe(expected);
  });
});

describe('lines that were read', () => {
  const files = {
    'a.ts': 'export function first() {\n  return 1;\n}\n\nexport function second() {\n  return 2;\n}\n',
    'b.ts': callers(['b1', 'b2'], 'first'),
    'c.ts': callers(['c1'], 'second'),
  };
  it.each<[object | undefined, string]>([
    [undefined, 'first'],
    [{ offset: 5, limit: 3 }, 'second'],
    [{ offset: 4 }, 'second'],
    [{ limit: 3 }, 'first'],
    [{ offset: 1, limit: 9 }, 'first'],
  ])('%j', async (lines, expected) => {
    const { card } = await open(files);
    expect(symbolOf(await card('a.ts', lines))).toBe(expected);
  });
});

describe('what the agent is after comes first', () => {
  const files = {
    'a.ts': 'export function parseAll() {\n  return 1;\n}\n\nexport function readOne() {\n  return 2;\n}\n',
    'b.ts': callers(['b1', 'b2', 'b3'], 'parseAll'),
    'c.ts': callers(['c1'], 'readOne'),
  };
  it.each<[string, (world: CardWorld) => Promise<Answer>, string]>([
    ['a search', (at) => at.before('Grep', { pattern: 'readOne' }), 'readOne'],
    ['a command', (at) => at.before('Bash', { command: 'rg -n readOne src' }), 'readOne'],
    ['a prompt', (at) => at.prompt('why does readOne fail?'), 'readOne'],
    ['words of a prompt', (at) => at.prompt('read one file'), 'parseAll'],
    ['a name of something else', (at) => at.before('Grep', { pattern: 'other' }), 'parseAll'],
  ])('%s', async (_, ask, expected) => {
    const opened = await open(files);
    await ask(opened);
    expect(symbolOf(await opened.card('a.ts'))).toBe(expected);
  });
});

it.each(['a.cpp', 'a.h'])('the definition, after a read of %s', async (path) => {
  const { card } = await open({
    'a.h': 'int foo(int n);\n',
    'a.cpp': '#include "a.h"\n\nint foo(int n) { return n + 1; }\n',
    'main.cpp': '#include "a.h"\n\nint main() { return foo(1); }\n',
  });
  expect(await card(path)).toContain('function foo, a.cpp:3\nCallers: 1 in production: main (main.cpp:3)');
});

it('100 times in another order of files, the same symbol and the same facts', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const project = openProject(
    Object.fromEntries(
      names.map((name, at) => [
        `src/${name}.ts`,
        `${names.map((other) => `import { ${other}1 } from './${other}.ts';\n`).join('')}export function ${name}1() { ${names[(at + 1) % 6]}1(); }\nexport function ${name}2() { ${names[(at + 2) % 6]}1(); ${name}1(); }\n`,
      ]),
    ),
  );
  try {
    const told = new Set<string>();
    for (let run = 0; run < 100; run += 1) {
      const list: typeof nodeFiles.list = (...given) => shuffled(nodeFiles.list(...given), run);
      await project.indexer({ ...nodeFiles, list }).indexAll(undefined, true);
      const graph = createRuleGraph(project.graph(), { isCurrent: () => true, whenCurrent: () => undefined });
      told.add(JSON.stringify(names.map((name) => graph.impactOf(`${project.root}/src/${name}.ts`))));
    }
    expect(told.size).toBe(1);
    expect([...told][0]).toContain('src/a.ts#a1');
  } finally {
    project.close();
  }
});

/** An order that depends on the seed alone. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe('no card', () => {
  const files = {
    'data.ts': 'export const a = 1;\nimport { foo } from "./a.ts";\nfoo();\n',
    'a.ts': 'export function foo() {}\n',
    'b.ts': callers(['b1'], 'foo'),
    'notes.md': 'foo()\n',
    'test/a.test.ts': "import { foo } from '../a.ts';\nexport function checks() { foo(); }\n",
  };
  it.each(['data.ts', 'notes.md', 'test/a.test.ts'])('of %s', async (path) => {
    const { card } = await open(files);
    expect(await card(path)).toBe('');
  });
  it('of a test file, unless that is wanted', async () => {
    const { card } = await open(files, { config: 'packs: { autocontext: { enabled: true, cards: { tests: on } } }' });
    expect(symbolOf(await card('test/a.test.ts'))).toBe('checks');
  });
  it('where cards are off', async () => {
    const { card } = await open(files, { config: 'packs: { autocontext: { enabled: true, cards: off } }' });
    expect(await card('a.ts')).toBe('');
  });
  it('after a read that failed, and after an edit', async () => {
    const { after, failed, root, card } = await open(files);
    const file_path = join(root, 'a.ts');
    const edit = { file_path, old_string: '{}', new_string: '{ }' };
    expect((await after('Read', { file_path }, { error: 'no permission' })).note).toBe('');
    expect((await failed('Read', { file_path }, 'no permission')).note).toBe('');
    expect((await after('Edit', edit, { filePath: file_path })).note).toBe('');
    expect(await card('a.ts')).toContain(CARD);
  });
  it('of what is turned away by its ending, the rule never hears', () => {
    const globs = rule.on.flatMap(({ paths = [] }) => paths);
    expect(globs.filter((glob) => languageOf(glob.replace('*', 'x')) === undefined)).toEqual([]);
    expect(globs).not.toContain('*.md');
  });
});

it('40 callers with long names', async () => {
  const long = (n: number) => `a_function_with_a_name_that_goes_on_and_on_and_on_until_nobody_reads_it_any_more_${n}`;
  const names = Array.from({ length: 40 }, (_, n) => long(n));
  const { card } = await open({
    'a.ts': `export function ${long(99)}() {}\n`,
    'b.ts': callers(names.slice(0, 30), long(99)),
    'c.ts': callers(names.slice(30), long(99)),
  });
  const said = await card('a.ts');
  expect(said.length).toBeLessThanOrEqual(900);
  expect(said).toContain('Callers: 40 in production: ');
  expect(said.match(/\([bc]\.ts:\d+\)/g)).toHaveLength(3);
  expect(said).toContain('…');
});

describe('files that changed behind our back', () => {
  const files = {
    'a.ts': 'export function foo() {}\n',
    'b.ts': callers(['b1'], 'foo'),
    'c.ts': callers(['c1'], 'foo'),
  };
  it('a caller that moved is not named, and is counted; its file is read again', async () => {
    const { card, put } = await open(files);
    put('b.ts', `// one more line\n${files['b.ts']}`);
    const said = await card('a.ts');
    expect(said).toContain('Callers: 2 in production: c1 (c.ts:2)\n');
    expect(said).not.toContain('b.ts');
    expect(said).toContain('; partial');
    const next = await card('a.ts', {}, { session_id: 'another' });
    expect(next).toContain('Callers: 2 in production: b1 (b.ts:3), c1 (c.ts:2)\n');
    expect(next).not.toContain('partial');
  });
  it('a caller that stands where it did is named', async () => {
    const { card, put } = await open(files);
    put('b.ts', `${files['b.ts']}// one more line\n`);
    expect(await card('a.ts')).toContain('b1 (b.ts:2), c1 (c.ts:2)');
  });
  it('a symbol that is gone has no card', async () => {
    const { card, put } = await open(files);
    put('a.ts', 'export const other = 1;\n');
    expect(await card('a.ts')).toBe('');
  });
  it('a symbol that moved has none either, and then has one where it is', async () => {
    const { card, put } = await open(files);
    put('a.ts', `// one more line\n${files['a.ts']}`);
    expect(await card('a.ts')).toBe('');
    expect(await card('a.ts')).toContain('function foo, a.ts:2');
  });
});

it('no callers, and three sites of the name that lead nowhere', async () => {
  const { card } = await open({
    'a.py': 'def helper():\n    pass\n',
    'b.py': 'from a import helper\n\n\ndef save():\n    helper()\n',
    'c.py': 'def c():\n    save()\n    save()\n    save()\n',
  });
  expect(await card('b.py')).toContain(
    'Callers: none found (0 possible, 3 unresolved sites of that name)\nCalls: 1: helper (a.py:1)',
  );
});

describe('a directory is read', () => {
  const EISDIR = 'EISDIR: illegal operation on a directory, read';
  const files = {
    'src/a.ts': 'export function foo() {}\n',
    'src/b.ts': callers(['b1'], 'foo'),
    'src/c.ts': callers(['c1'], 'foo'),
    'src/d.ts': 'export function d() {}\n',
  };
  const read = ({ failed, root }: CardWorld, path: string, error = EISDIR) =>
    failed('Read', { file_path: join(root, path) }, error);

  it('twice: one line once, per directory', async () => {
    const opened = await open(files);
    mkdirSync(join(opened.root, 'other'));
    expect((await read(opened, 'src')).note).toBe(
      '[autocontext/directory-read] src is a directory; `ls src` lists it. Likely: src/a.ts, src/b.ts, src/c.ts',
    );
    expect((await read(opened, 'src')).note).toBe('');
    expect((await read(opened, 'other')).note).toBe(
      '[autocontext/directory-read] other is a directory; `ls other` lists it.',
    );
  });
  it('and an older client says so in the result', async () => {
    const { after, root } = await open(files);
    const file_path = join(root, 'src');
    expect((await after('Read', { file_path }, { error: EISDIR })).note).toContain('src is a directory');
  });
  it('where nothing is indexed yet', async () => {
    const opened = await open({ 'docs/a.md': 'text\n' });
    expect((await read(opened, 'docs')).note).toBe(
      '[autocontext/directory-read] docs is a directory; `ls docs` lists it. Nothing is indexed here yet: that starts with the first source file.',
    );
  });
  it('from elsewhere, by its whole path', async () => {
    const { failed, root } = await open(files);
    const file_path = join(root, 'src');
    expect((await failed('Read', { file_path }, EISDIR, { cwd: file_path })).note).toContain(`\`ls ${file_path}\``);
  });
  it('with a long name, in no more than 200 characters', async () => {
    const deep = `src/${'a-directory-with-a-long-name/'.repeat(3)}`;
    const opened = await open({ [`${deep}x.ts`]: 'export function x() {}\n' });
    const { note } = await read(opened, deep.slice(0, -1));
    expect(note).toContain('is a directory');
    expect(note.length).toBeLessThanOrEqual(200);
  });
  it.each([
    'ENOENT: no such file or directory',
    'File does not exist. Note: your current working directory is /x.',
    EISDIR,
  ])('a missing file is no directory: %s', async (error) => {
    expect((await read(await open(files), 'src/none.ts', error)).note).toBe('');
  });
});

describe('reading again takes long', () => {
  const files = { 'a.ts': 'export function foo() {}\n', 'b.ts': callers(['b1'], 'foo') };
  const edited = `export function bar() {}\n`;

  async function edit(opened: CardWorld): Promise<void> {
    opened.hold(true);
    const file_path = opened.put('a.ts', edited);
    opened.put('b.ts', callers(['b1'], 'bar'));
    const input = { file_path, old_string: 'foo', new_string: 'bar' };
    await opened.after('Edit', input, { filePath: file_path });
    await opened.after('Edit', { ...input, file_path: join(opened.root, 'b.ts') }, {});
  }

  /** Time passes while the reply is waited for. */
  async function readSlowly(opened: CardWorld, path: string): Promise<Answer> {
    const started = opened.now;
    let answer: Answer | undefined;
    void opened.readNow(path).then((said) => (answer = said));
    while (answer === undefined) await opened.pass(50);
    expect(opened.now - started).toBeGreaterThanOrEqual(300);
    return answer;
  }

  it('no card at the limit, and the next read has it', async () => {
    const opened = await open(files);
    await edit(opened);
    const { note } = await readSlowly(opened, 'a.ts');
    expect(note).toBe('');
    opened.hold(false);
    await opened.graphs.idle();
    expect(await opened.card('a.ts')).toContain('function bar, a.ts:1\nCallers: 1 in production: b1 (b.ts:2)');
  });
  it('what still stands is said, as partial', async () => {
    const opened = await open(files);
    await edit(opened);
    opened.put('a.ts', `${files['a.ts']}// more\n`);
    const { note } = await readSlowly(opened, 'a.ts');
    expect(note).toContain('function foo, a.ts:1; partial');
    expect(note).toContain('Callers: 1 in production\n');
  });
  it('done in time, the card has what is new', async () => {
    const opened = await open(files);
    await edit(opened);
    const reading = opened.readNow('a.ts');
    opened.hold(false);
    expect((await reading).note).toContain('function bar, a.ts:1');
  });
  it('a file that did not change is not waited for', async () => {
    const opened = await open({ ...files, 'd.ts': 'export function d() {}\n', 'e.ts': callers(['e1'], 'd', './d.ts') });
    await edit(opened);
    expect((await opened.readNow('d.ts')).note).toContain('function d, d.ts:1; partial');
  });
});
