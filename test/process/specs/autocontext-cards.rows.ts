import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../patience.ts';
import { PASS, edited, failed, note, row, start, within, without, seen } from './rows.ts';
import type { Row } from './rows.ts';
import { CALLS, CARD, of, stateOf, readOf, reads, LOAD, card, from, indexed } from './autocontext.parts.ts';

const NINE = 'one two three four five six seven eight nine'.split(' ');
const FORTY = Array.from({ length: 40 }, (_, n) => `aCallerWithALongName${n}`);
const symbols: readonly Row[] = [
  card(
    '38',
    'a call inside one file',
    { 'a.py': 'def foo():\n    pass\n\n\ndef bar():\n    foo()\n' },
    'a.py',
    note('function foo, a.py:1', /Callers: 1 .*bar \(a\.py:6\)/),
  ),
  card('38', 'no call', { 'a.py': 'def foo():\n    pass\n\n\ndef bar():\n    pass\n' }, 'a.py', PASS),
  card(
    '39',
    'a function, and a class that more use',
    {
      'a.ts': 'export class Big { run() {} }\nexport function small() { return 1; }\n',
      'b.ts': `import { Big, small } from './a.ts';\n${NINE.map((name) => `export function ${name}() { return new Big(); }\n`).join('')}export function last() { return small(); }\n`,
    },
    'a.ts',
    of('Big'),
    { differs: 'what most others use matters most, whatever its kind (ADR 60)' },
  ),
  card(
    '40',
    'the one that more call',
    {
      'a.ts': 'export function two() {}\nexport function five() {}\n',
      'b.ts': from(['b1', 'b2'], 'two'),
      'c.ts': from(['c1', 'c2', 'c3', 'c4', 'c5'], 'five'),
    },
    'a.ts',
    of('five'),
  ),
  card(
    '40',
    'the upper of two alike',
    {
      'a.ts': 'export function upper() {}\nexport function lower() {}\n',
      'b.ts': from(['b1'], 'lower'),
      'c.ts': from(['c1'], 'upper'),
    },
    'a.ts',
    of('upper'),
  ),
  card(
    '41',
    'what is exported',
    {
      'a.ts': `export function open() { return 1; }\nfunction hidden() { return 2; }\n${NINE.map((name) => `function ${name}() { return hidden(); }\n`).join('')}`,
      'b.ts': from(['b1'], 'open'),
    },
    'a.ts',
    of('open'),
  ),
  row(
    '42 55',
    'the lines that were read',
    [
      ...indexed,
      reads('a.ts', of('first'), { offset: 1, limit: 2 }),
      reads('a.ts', of('second'), { offset: 22, limit: 2 }),
    ],
    {
      files: {
        'a.ts': `export function first() {\n  return 1;\n}\n${'\n'.repeat(18)}export function second() {\n  return 2;\n}\n`,
        'b.ts': from(['b1'], 'first'),
        'c.ts': from(['c1'], 'second'),
      },
    },
  ),
  card(
    '43',
    'declared and defined',
    {
      'a.h': 'int foo(int x);\n',
      'a.cpp': '#include "a.h"\nint foo(int x) { return x; }\n',
      'b.cpp': '#include "a.h"\nint bar() { return foo(1); }\n',
    },
    'a.cpp',
    note('foo, a.cpp:2', 'bar'),
  ),
  row(
    '44',
    'the same text for the same files',
    [
      ...indexed,
      async (stage) => {
        const texts = new Set<string>();
        for (let n = 0; n < 10; n += 1) texts.add((await stage.send(readOf(LOAD, {}, { session_id: `s${n}` }))).said);
        seen(texts.size).toBe(1);
      },
    ],
    { files: CALLS },
  ),
  row(
    '45',
    'nothing in it, another kind, an edit',
    [...indexed, reads('src/empty.ts', PASS), reads('README.md', PASS), [edited(LOAD), PASS]],
    { files: { ...CALLS, 'src/empty.ts': '// nothing\n', 'README.md': '# Read\n' } },
  ),
  card(
    '46',
    'forty callers',
    { 'a.ts': 'export function used() {}\n', 'b.ts': from(FORTY, 'used') },
    'a.ts',
    within(900, note('Callers: 40')),
  ),
  row(
    '47',
    'a caller that has moved',
    [
      ...indexed,
      (stage) => void stage.put('src/run.ts', `\n\n\n${CALLS['src/run.ts'] ?? ''}`),
      (stage) => stage.send(readOf(LOAD)).then(({ said }) => seen(said).not.toMatch(/run\.ts:2\b/)),
    ],
    { files: CALLS },
  ),
  row(
    '48',
    'a symbol that is gone',
    [
      ...indexed,
      (stage) => void stage.put(LOAD, 'export {};\n'),
      (stage) => stage.send(readOf(LOAD)).then(({ said }) => seen(said).not.toContain('loadPlan')),
    ],
    { files: CALLS },
  ),
  row(
    '50',
    'a directory',
    [
      ...indexed,
      [
        failed('Read', { file_path: 'src' }, 'EISDIR: illegal operation on a directory, read'),
        within(200, note(/directory/, 'load.ts')),
      ],
      [failed('Read', { file_path: 'src' }, 'EISDIR: illegal operation on a directory, read'), PASS],
    ],
    { files: CALLS },
  ),
  row(
    '51',
    'a file that is missing',
    [...indexed, [failed('Read', { file_path: 'src/none.ts' }, 'File does not exist.'), PASS]],
    { files: CALLS },
  ),
  card(
    '66',
    'two of one name, and nothing that tells which',
    {
      'a.ts':
        'export class A { save() {} }\nexport class B { save() {} }\nexport function go(x: any) { x.save(); }\nexport function main() { go(new A()); }\n',
    },
    'a.ts',
    without(CARD, /save .*\(a\.ts:3\)/),
  ),
  card(
    '72',
    'an ignored file',
    {
      ...CALLS,
      '.gitignore': 'gen/\n',
      'gen/a.ts': 'export function made() {}\nexport function other() { made(); }\n',
    },
    'gen/a.ts',
    PASS,
  ),
  card('19.cards', 'no cards', CALLS, LOAD, PASS, {
    settings: { packs: { autocontext: { enabled: true, cards: 'off' } } },
  }),
  card(
    '19.cards.tests',
    'none for a test',
    { ...CALLS, 'src/load.test.ts': 'export function helper() {}\nexport function other() { helper(); }\n' },
    'src/load.test.ts',
    PASS,
  ),
  card(
    '19.cards.tests',
    'where they are wanted',
    { ...CALLS, 'src/load.test.ts': 'export function helper() {}\nexport function other() { helper(); }\n' },
    'src/load.test.ts',
    CARD,
    { settings: { packs: { autocontext: { enabled: true, cards: { tests: 'on' } } } } },
  ),
  card('19.index.exclude', 'left out by a glob', CALLS, LOAD, PASS, {
    settings: { packs: { autocontext: { enabled: true, index: { exclude: ['src/load.ts'] } } } },
  }),
  card('19.index.maxFile', 'too large for the settings', CALLS, LOAD, PASS, {
    settings: { packs: { autocontext: { enabled: true, index: { maxFile: '40' } } } },
  }),
  row(
    '19.languages',
    'another language alone',
    [[start()], (stage) => until('a try', () => stateOf(stage, stage.root)?.state === 'pending'), reads(LOAD, PASS)],
    { files: CALLS, settings: { packs: { autocontext: { enabled: true, languages: ['python'] } } } },
  ),
];
const SLOWLY = { settings: { packs: { autocontext: { enabled: true, throttle: '1s' } } } };
const throttle: readonly Row[] = [
  row('53', 'the same file twice', [...indexed, reads(LOAD), reads(LOAD, PASS)], { files: CALLS }),
  row('54 19.throttle', 'later, with the same text', [...indexed, reads(LOAD), () => sleep(1_200), reads(LOAD, PASS)], {
    files: CALLS,
    ...SLOWLY,
  }),
  row(
    '54 19.cards.repeatIdentical',
    'where that may be repeated',
    [...indexed, reads(LOAD), () => sleep(1_200), reads(LOAD)],
    {
      files: CALLS,
      settings: { packs: { autocontext: { enabled: true, throttle: '1s', cards: { repeatIdentical: 'on' } } } },
    },
  ),
  row(
    '54',
    'later, with another text',
    [
      ...indexed,
      reads(LOAD),
      (stage) =>
        void stage.put(
          'src/more.ts',
          `import { loadPlan } from './load.ts';\nexport const more = () => loadPlan('b');\n`,
        ),
      [edited('src/more.ts'), PASS],
      (stage) => until('another card', async () => /Callers: 2/.test((await stage.send(readOf(LOAD))).said)),
    ],
    { files: CALLS, ...SLOWLY },
  ),
  row('56', 'two files in turn', [...indexed, reads(LOAD), reads('src/run.ts'), reads(LOAD, PASS)], {
    files: { ...CALLS, 'src/main.ts': `import { run } from './run.ts';\nexport function main() { run(); }\n` },
  }),
  row(
    '57',
    'another session, and a sub-agent',
    [
      ...indexed,
      reads(LOAD),
      reads(LOAD, CARD, {}, { session_id: 'two' }),
      reads(LOAD, CARD, {}, { agent_id: 'a1', agent_type: 'general-purpose' }),
    ],
    { files: CALLS },
  ),
  row('58', 'after a compaction', [...indexed, reads(LOAD), [start('compact'), PASS], reads(LOAD)], { files: CALLS }),
  row(
    '59',
    'after a restart of the engine',
    [...indexed, reads(LOAD), (_, seed) => seed.restart(), reads(LOAD, PASS)],
    { files: CALLS },
  ),
];

export const AUTOCONTEXT_CARDS: readonly Row[] = [...symbols, ...throttle];
