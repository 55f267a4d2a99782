import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { graphPaths } from '../../../src/graph/index.ts';
import { nodeFiles } from '../../../src/platform/files.ts';
import { until } from '../../patience.ts';
import { PASS, before, bash, edited, note, prompt, ran, row, without, seen } from './rows.ts';
import type { Row, Step } from './rows.ts';
import type { Plan } from './stage.ts';
import {
  CALLS,
  CARD,
  isStable,
  readOf,
  reads,
  LOAD,
  card,
  bare,
  repository,
  from,
  indexed,
} from './autocontext.parts.ts';

const LANGUAGES: Readonly<Record<string, readonly [path: string, files: Plan]>> = {
  TypeScript: ['a.ts', { 'a.ts': 'export function used() {}\n', 'b.ts': from(['b1'], 'used') }],
  TSX: [
    'a.tsx',
    {
      'a.tsx': 'export function Used() { return <b />; }\n',
      'b.tsx': `import { Used } from './a.tsx';\nexport function Page() { return <Used />; }\n`,
    },
  ],
  JavaScript: [
    'a.js',
    {
      'a.js': 'function used() {}\nmodule.exports = { used };\n',
      'b.js': `const { used } = require('./a.js');\nfunction main() { used(); }\nmodule.exports = { main };\n`,
    },
  ],
  Python: [
    'pkg/a.py',
    {
      'pkg/__init__.py': '',
      'pkg/a.py': 'def used():\n    pass\n',
      'pkg/b.py': 'from .a import used\n\n\ndef main():\n    used()\n',
    },
  ],
  Go: [
    'a.go',
    {
      'go.mod': 'module x\n',
      'a.go': 'package x\n\nfunc Used() {}\n',
      'b.go': 'package x\n\nfunc Main() { Used() }\n',
    },
  ],
  Rust: [
    'src/a.rs',
    {
      'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n',
      'src/lib.rs': 'pub mod a;\npub mod b;\n',
      'src/a.rs': 'pub fn used() {}\n',
      'src/b.rs': 'use crate::a::used;\npub fn main() { used(); }\n',
    },
  ],
  Java: [
    'src/p/A.java',
    {
      'src/p/A.java': 'package p;\npublic class A {\n  public static void used() {}\n}\n',
      'src/p/B.java': 'package p;\npublic class B {\n  void main() { A.used(); }\n}\n',
    },
  ],
  C: [
    'a.c',
    {
      'a.h': 'int used(int x);\n',
      'a.c': '#include "a.h"\nint used(int x) { return x; }\n',
      'b.c': '#include "a.h"\nint main(void) { return used(1); }\n',
    },
  ],
  Ruby: ['a.rb', { 'a.rb': 'def used\n  1\nend\n', 'b.rb': `require_relative 'a'\n\ndef main\n  used()\nend\n` }],
  shell: ['a.sh', { 'a.sh': 'used() {\n  echo 1\n}\n', 'b.sh': '. ./a.sh\nmain() {\n  used\n}\nmain\n' }],
};
export const languages: readonly Row[] = Object.entries(LANGUAGES).map(([language, [path, files]]) =>
  card('61', `a card in ${language}`, files, path, CARD),
);
const graph: readonly Row[] = [
  row(
    '69',
    'an edit of the callee keeps who calls it',
    [
      ...indexed,
      (stage) => void stage.put(LOAD, 'export function loadPlan(name: string) {\n  return name + name;\n}\n'),
      [edited(LOAD), PASS],
      (stage) =>
        until('a card', async () =>
          (await stage.send(readOf(LOAD, {}, { session_id: `again${Date.now()}` }))).said.includes(
            'run (src/run.ts:2)',
          ),
        ),
    ],
    { files: CALLS },
  ),
  row(
    '71',
    'a change by a command',
    [
      ...indexed,
      (stage) =>
        void stage.put(
          'src/more.ts',
          `import { loadPlan } from './load.ts';\nexport const more = () => loadPlan('b');\n`,
        ),
      [ran('git checkout other'), PASS],
      (stage) =>
        until('a card with both', async () =>
          /Callers: 2/.test((await stage.send(readOf(LOAD, {}, { session_id: `more${Date.now()}` }))).said),
        ),
    ],
    { files: CALLS },
  ),
  row('73', 'below directories with names of builds', [
    bare,
    repository('build/context/app'),
    reads('build/context/app/src/load.ts', PASS),
    isStable('build/context/app'),
    reads('build/context/app/src/load.ts'),
  ]),
  row(
    '75 60 16',
    'two trees with files of the same names',
    [
      ...indexed,
      repository('trees/b', {
        [LOAD]: CALLS[LOAD] ?? '',
        'src/other.ts': `import { loadPlan } from './load.ts';\nexport const other = () => loadPlan('a');\n`,
      }),
      reads('trees/b/src/load.ts', PASS),
      isStable('trees/b'),
      reads('trees/b/src/load.ts', without(note('other (src/other.ts:2)'), 'run (')),
      reads(LOAD, without(note('run (src/run.ts:2)'), 'other (')),
    ],
    { files: CALLS },
  ),
  row(
    '86',
    'pictures after a card',
    [
      ...indexed,
      reads(LOAD),
      (stage) =>
        until('the pictures', () => {
          const { artifacts } = graphPaths(stage.home.state, stage.root);
          const names = nodeFiles.exists(artifacts) ? readdirSync(artifacts) : [];
          const png = names.find((name) => /^impact_loadPlan_.*\.png$/.test(name));
          return (
            names.includes('architecture.svg') &&
            png !== undefined &&
            readFileSync(join(artifacts, png)).subarray(1, 4).toString() === 'PNG'
          );
        }),
    ],
    { files: CALLS },
  ),
  row(
    '19.pictures',
    'no pictures',
    [
      ...indexed,
      reads(LOAD),
      () => sleep(300),
      (stage) =>
        seen(nodeFiles.exists(join(graphPaths(stage.home.state, stage.root).artifacts, 'architecture.svg'))).toBe(
          false,
        ),
    ],
    {
      files: CALLS,
      settings: { packs: { autocontext: { enabled: true, pictures: 'off' } } },
    },
  ),
];
/** The search nudge asks the same graph. */
/** A search in a turn of its own, until it gets what is looked for: a busy machine may be late with the first. */
const searched =
  (what: string, holds: (said: string) => boolean): Step =>
  (stage) =>
    until(what, async () => {
      await stage.send(prompt());
      return holds((await stage.send(before('Grep', { pattern: 'loadPlan', path: 'src' }))).said);
    });
const nudge: readonly Row[] = [
  row(
    'nudge/14.76 nudge/8.5 nudge/5.fairlead',
    'a search for a known symbol is answered',
    [
      ...indexed,
      searched('an answer', (said) => /src\/load\.ts:1 defines.*src\/run\.ts:2/.test(said) && said.length <= 400),
    ],
    { files: CALLS },
  ),
  row(
    'nudge/14.76 nudge/13.answerFirst',
    'without the answer',
    [...indexed, searched('a query alone', (said) => said.includes('fairlead graph') && !/:\d/.test(said))],
    { files: CALLS, settings: { packs: { codegraph: { enabled: true, answerFirst: 'off' } } } },
  ),
  row(
    'nudge/5.fairlead',
    'the graph that was asked',
    [
      ...indexed,
      [prompt()],
      [bash('fairlead graph callers loadPlan'), PASS],
      [ran('fairlead graph callers loadPlan', 'x')],
      [before('Grep', { pattern: 'loadPlan', path: 'src' }), PASS],
    ],
    { files: CALLS },
  ),
];

export const AUTOCONTEXT_GRAPH: readonly Row[] = [...languages, ...graph, ...nudge];
