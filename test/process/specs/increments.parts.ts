import { DEMO, SPEC, TASKS, metadata, tick } from '../../../src/packs/increments/increment.fixture.ts';
import { readTelemetry } from '../../../src/telemetry/read.ts';
import { until } from '../../patience.ts';
import type { Payload } from '../daemon-home.ts';
import { PASS, edit, edited, seen } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import type { Stage } from './stage.ts';

export const TASKS_FILE = `${DEMO}/tasks.md`;
export const SPEC_FILE = `${DEMO}/spec.md`;
export const STATE_FILE = `${DEMO}/metadata.json`;
export const STATUS_FILE = '.specweave/state/status-line.json';
export const DOCS = '.specweave/docs/internal/specs';
export const HOUR = 3_600_000;
const FILES = { [TASKS_FILE]: TASKS, [SPEC_FILE]: SPEC, [STATE_FILE]: metadata('active') };
export const DONE = { [TASKS_FILE]: tick(TASKS), [SPEC_FILE]: tick(SPEC) };
export const first = (text: string): string => text.replace('- [ ]', '- [x]');
export const options = (more: object) => ({ settings: { packs: { increments: more } } });
export const WIDE = { scan: { window_ms: 600_000 } };
export const QUICK = { quiet_ms: 10, max_wait_ms: 20, burst_quiet_ms: 10, burst_max_wait_ms: 20 };
/** What the pack has counted here, once it is what is expected. */
export const counts =
  (expected: Readonly<Record<string, number>>): Step =>
  (stage) =>
    until(`${JSON.stringify(expected)} of ${JSON.stringify(countsOf(stage))}`, () =>
      Object.entries(expected).every(([name, count]) => countsOf(stage)[name] === count),
    );
/** The rule has found a change by its time. A look around after the reply counts it again where the jobs have begun by then. */
export const countsScan: Step = (stage) =>
  until('a change was found by its time', () => {
    const { 'detect.mtime.hit': hits = 0, 'exit.after.3': found = 0 } = countsOf(stage);
    return hits > 0 && found === 1;
  });
export function countsOf(stage: Stage): Readonly<Record<string, number>> {
  const about = { root: stage.root, pack: 'increments', since: 0, now: Date.now() };
  return stage.memory(({ store }) => readTelemetry(store, about).counts);
}
/** What came to nothing has had its chance once something that came later is counted. */
export const marks =
  (count: number): Step =>
  (stage) =>
    seen(Object.keys(stage.cells('increments.dirty'))).toHaveLength(count);
export const pending =
  (count: number): Step =>
  (stage) =>
    until(`${count} signals`, () => Object.keys(stage.cells('increments.pending')).length === count);
export const changes =
  (path: string, text: string, age = 0): Step =>
  (stage) =>
    stage.put(path, text, age);
export const becomes =
  (path: string, what: string | RegExp | ((text: string) => boolean)): Step =>
  (stage) =>
    until(`${path} holds ${String(what)}`, () => {
      const text = stage.exists(path) ? stage.read(path) : '';
      return typeof what === 'function' ? what(text) : typeof what === 'string' ? text.includes(what) : what.test(text);
    });
export const current = (of: Readonly<Record<string, unknown>> | null): Step =>
  becomes(STATUS_FILE, (text) => {
    const found = text === '' ? undefined : (JSON.parse(text) as { current: Record<string, unknown> | null }).current;
    return of === null ? found === null : Object.entries(of).every(([name, value]) => found?.[name] === value);
  });
export const same =
  (path: string, text: string): Step =>
  (stage) =>
    seen(stage.read(path)).toBe(text);
/** The agent has changed a file: on disk first, then the event. */
export const did = (path: string, text: string, expected: Expected = PASS, more: Payload = {}): readonly Step[] => [
  changes(path, text),
  [edited(path, more), expected],
];
export const begins = (path: string, more: Payload = {}): Step => [edit(path, 'a', 'b', more), PASS];
export const complete: Payload = edit(STATE_FILE, '"active"', '"completed"');
/** The increment of the tables, whose files are old. */
export const inDemo = (row_: Row): Row => {
  const files = { ...FILES, ...row_.files };
  const ages: Step = (stage) =>
    Object.entries(files).forEach(([path, text]) => text !== null && stage.put(path, text, HOUR));
  return { ...row_, files, steps: [ages, ...row_.steps] };
};
