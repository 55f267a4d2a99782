import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../text/columns.ts';
import { renderStatusLine } from './cli/statusline.ts';
import { readStatus, statusText } from './status-line.ts';
import type { StatusEntry, StatusFile } from './status-line.ts';

const entry = (name: string, completed = 1, total = 2, acsCompleted = 0, acsTotal = 2): StatusEntry => ({
  id: `0001-${name}`,
  name,
  completed,
  total,
  percentage: 0,
  acsCompleted,
  acsTotal,
});
const file = (openCount: number, ...activeIncrements: StatusEntry[]): StatusFile => ({
  activeIncrements,
  openCount,
  lastUpdate: '2027-03-02T10:00:00.000Z',
  current: activeIncrements[0] ?? null,
});
const render = (status: StatusFile, more: { ascii?: boolean } = {}) =>
  renderStatusLine(status, { ascii: false, ...more });

describe('the status line', () => {
  it('one increment', () => {
    expect(render(file(1, entry('demo')))).toBe('[demo] | ████░░░░ | 1/2 tasks | 0/2 ACs');
  });

  it('two of three', () => {
    const line = render(file(3, entry('first'), entry('second', 3, 3, 2, 2)));
    expect(line).toBe('[first] | ████░░░░ | 1/2 tasks | 0/2 ACs · [second] | ████████ | 3/3 tasks | 2/2 ACs (+1 more)');
    const long = render(file(3, entry('n'.repeat(60), 10, 200, 30, 400), entry('m'.repeat(60), 10, 200, 30, 400)));
    expect(columnsOf(long)).toBeLessThanOrEqual(120);
    expect(long).toMatch(/^\[n{4,}…\] \| ░{8} \| 10\/200 tasks \| 30\/400 ACs · \[m{4,}…\].* \(\+1 more\)$/);
  });

  it('is empty where nothing is active', () => {
    expect(render(file(0))).toBe('');
    expect(render({ ...file(0), message: 'All done' })).toBe('');
  });

  it.each([
    [0, 0, '░░░░░░░░'],
    [0, 5, '░░░░░░░░'],
    [1, 9, '░░░░░░░░'],
    [1, 8, '█░░░░░░░'],
    [8, 9, '███████░'],
    [9, 9, '████████'],
    [12, 9, '████████'],
  ])('%i of %i is %s', (completed, total, bar) => {
    expect(render(file(1, entry('a', completed, total)))).toContain(`| ${bar} |`);
  });

  it('cuts names by columns', () => {
    expect(render(file(1, entry('a'.repeat(31))))).toMatch(/^\[a{29}…\] /);
    expect(render(file(1, entry('a'.repeat(30))))).toMatch(/^\[a{30}\] /);
    expect(render(file(2, entry('b'.repeat(21)), entry('c')))).toMatch(/^\[b{19}…\] .* · \[c\] /);
    expect(render(file(1, entry('日'.repeat(20))))).toMatch(/^\[日{14}…\] /);
  });

  it('is plain ASCII where that is asked for', () => {
    const line = render(file(2, entry('überlang'.repeat(5)), entry('b')), { ascii: true });
    expect(line).toBe('[?berlang?berlang?...] | ####---- | 1/2 tasks | 0/2 ACs - [b] | ####---- | 1/2 tasks | 0/2 ACs');
  });

  it('is one line of at most 120 columns without control characters, whatever the file holds', () => {
    const odd = fc.record(
      {
        activeIncrements: fc.array(
          fc.record({ id: fc.string({ unit: 'binary' }), name: fc.string({ unit: 'binary' }), total: fc.anything() }),
        ),
        openCount: fc.oneof(fc.nat(), fc.anything()),
        message: fc.string({ unit: 'binary', maxLength: 300 }),
      },
      { requiredKeys: [] },
    );
    const text = fc.oneof(
      odd.map((value) => JSON.stringify(value)),
      fc.json(),
      fc.string(),
    );
    fc.assert(
      fc.property(text, fc.boolean(), (each, ascii) => {
        const read = readStatus(each ?? '');
        if (!read) return;
        const line = render(read, { ascii });
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(columnsOf(line)).toBeLessThanOrEqual(120);
        if (ascii) expect(line).toMatch(/^[ -~]*$/);
      }),
    );
  });
});

describe('the status file', () => {
  it('stays when only the time would change', () => {
    const before = JSON.stringify(file(1, entry('demo')));
    expect(statusText(before, { ...file(1, entry('demo')), lastUpdate: 'later' })).toBe(before);
    expect(statusText(before, { ...file(2, entry('demo')), lastUpdate: 'later' })).toContain('"lastUpdate": "later"');
    expect(statusText('broken', file(0))).toBe(`${JSON.stringify(file(0), null, 2)}\n`);
  });

  it('is read back as it was written', () => {
    const status = { ...file(3, entry('a'), entry('b')), message: 'x' };
    expect(readStatus(statusText(undefined, status))).toEqual(status);
  });
});
