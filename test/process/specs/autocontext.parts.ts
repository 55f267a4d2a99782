import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { graphPaths, readInitRecord } from '../../../src/graph/index.ts';
import { nodeFiles } from '../../../src/platform/files.ts';
import { until } from '../../patience.ts';
import type { Payload } from '../daemon-home.ts';
import { PASS, after, note, row, start, seen } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import type { Plan, Stage } from './stage.ts';

export const CALLS: Plan = {
  'src/load.ts': 'export function loadPlan(name: string) {\n  return name;\n}\n',
  'src/run.ts': `import { loadPlan } from './load.ts';\nexport const run = () => loadPlan('a');\n`,
};
export const CARD = note('autocontext/impact-card');
export const of = (symbol: string): Expected =>
  note(new RegExp(`impact-card\\] .*: [a-z]+ ${symbol.replaceAll('.', '\\.')},`));
export const at = (stage: Stage, path: string): string => join(stage.root, path);
export const stateOf = (stage: Stage, root: string) =>
  readInitRecord(nodeFiles, graphPaths(stage.home.state, root), root);
export const isStable =
  (path = '.'): Step =>
  (stage) =>
    until(`${path} is indexed`, () => stateOf(stage, at(stage, path))?.state === 'stable');
export const noIndex =
  (path = '.'): Step =>
  (stage) =>
    seen(stateOf(stage, at(stage, path))?.files ?? 0).toBe(0);
export const indexed: readonly Step[] = [[start(), PASS], isStable()];
/** A file was read, or some lines of it. */
export const readOf = (path: string, lines: object = {}, more: Payload = {}): Payload =>
  after(
    'Read',
    { file_path: path, ...lines },
    { type: 'text', file: { filePath: path, content: '', numLines: 100, startLine: 1, totalLines: 100 } },
    more,
  );
export const reads = (path: string, expected: Expected = CARD, lines: object = {}, more: Payload = {}): Step => [
  readOf(path, lines, more),
  expected,
];
export const LOAD = 'src/load.ts';
export const card = (
  id: string,
  what: string,
  files: Plan,
  path: string,
  expected: Expected,
  more: Partial<Row> = {},
): Row => row(id, what, [...indexed, reads(path, expected)], { files, ...more });
export const bare: Step = (stage) => rmSync(at(stage, '.git'), { recursive: true, force: true });
export const repository =
  (dir: string, files: Plan = CALLS): Step =>
  (stage) => {
    stage.put(`${dir}/.git/HEAD`, 'ref: refs/heads/main\n');
    for (const [path, text] of Object.entries(files)) stage.put(`${dir}/${path}`, text ?? '');
  };
export const from = (names: readonly string[], symbol: string): string =>
  `import { ${symbol} } from './a.ts';\n${names.map((name) => `export function ${name}() { ${symbol}(); }\n`).join('')}`;
