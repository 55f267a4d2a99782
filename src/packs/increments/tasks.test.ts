import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTasks, isComplete, readTasks } from './tasks.ts';

const task = (...lines: string[]) => readTasks(['## T-001: One', ...lines].join('\n'))[0];

describe('tasks', () => {
  it.each([
    ['## T-001: A title', 'T-001', 'A title'],
    ['###### T-12 A title', 'T-12', 'A title'],
    ['### T-003', 'T-003', ''],
    ['### T-004E: From elsewhere ###', 'T-004E', 'From elsewhere'],
    ['## T-005: C# and F#', 'T-005', 'C# and F#'],
    ['## **T-006**: Bold id', 'T-006', 'Bold id'],
    ['## **T-006:** Bold id', 'T-006', 'Bold id'],
    ['## **T-006: All bold**', 'T-006', 'All bold'],
    ['## **T-006**: Some **bold**', 'T-006', 'Some **bold**'],
    ['## `T-007`: Code', 'T-007', 'Code'],
    ['## **`T-007`**', 'T-007', ''],
    ['## T-008: Seen <!-- not -->', 'T-008', 'Seen'],
    ['\ufeff## T-009: Marked', 'T-009', 'Marked'],
  ])('%s is a task', (heading, id, title) => {
    expect(readTasks(heading)).toMatchObject([{ id, title }]);
  });

  it.each([
    '# T-001: A title',
    'T-001: A title',
    '## T-1-2',
    '## Task T-001',
    '## T-x',
    '    ## T-001: code',
    '##T-001',
    '### ✅ T-001',
    '<!-- ## T-001 -->',
    '<!--\n## T-001\n-->',
  ])('%s is none', (text) => {
    expect(readTasks(text)).toEqual([]);
  });

  it('has a block that ends at a heading of its level or above', () => {
    const text = '### T-001\n#### Steps\n- [x] a\n### Notes\n- [ ] b\n### T-002\n- [x] c\n# End\n- [ ] d\n';
    expect(readTasks(text)).toMatchObject([
      { id: 'T-001', ticked: 1, unticked: 0 },
      { id: 'T-002', ticked: 1, unticked: 0 },
    ]);
  });

  it('counts what a deeper task leaves open', () => {
    expect(readTasks('## T-001\n- [x] a\n### T-002\n- [ ] b\n')).toMatchObject([
      { id: 'T-001', ticked: 1, unticked: 1 },
      { id: 'T-002', ticked: 0, unticked: 1 },
    ]);
  });

  it.each([
    ['**AC**: AC-US1-01', ['AC-US1-01']],
    ['- **AC**: AC-US1-01, AC-US1-02.', ['AC-US1-01', 'AC-US1-02']],
    ['**Satisfies ACs**: AC-US1-01 AC-US1-01,AC-US2-03;', ['AC-US1-01', 'AC-US2-03']],
    ['**User Story**: US-001 | **AC**: AC-1', ['AC-1']],
    ['**AC:** AC-US1-01', ['AC-US1-01']],
    ['**Satisfies ACs:** AC-US1-01', ['AC-US1-01']],
    ['**AC**: `AC-US1-01`, **AC-US1-02**, `AC-US1-03`.', ['AC-US1-01', 'AC-US1-02', 'AC-US1-03']],
    ['**AC**: AC-US1-01 <!-- AC-US1-02 -->', ['AC-US1-01']],
    ['**AC**: none, US-001, AC-, (AC-US1-01)', []],
    ['**ACs**: AC-US1-01', []],
    ['AC: AC-US1-01', []],
  ])('%s names %j', (line, criteria) => {
    expect(task(line)?.criteria).toEqual(criteria);
  });

  it('names stories', () => {
    expect(task('**User Story**: US-001, US-002')?.stories).toEqual(['US-001', 'US-002']);
  });

  it.each([
    ['nothing to tick', [], false, false],
    ['one ticked', ['- [x] a'], true, true],
    ['ticked with a capital, deeply indented', ['        - [X] a'], true, true],
    ['one left', ['- [x] a', '  - [ ] b'], false, false],
    ['an empty box only', ['- [ ]'], false, false],
    ['a status line', ['**Status**: [x] Completed'], true, true],
    ['an open status line', ['- **Status**: [ ]', '- [x] a'], false, false],
    ['a ticked status line with a box left', ['**Status**: [x]', '- [ ] b'], false, true],
    ['a status without a box', ['**Status**: done'], false, false],
    ['a status line with its colon inside', ['**Status:** [ ]', '- [x] a'], false, false],
    ['a date of completion with its colon inside', ['**Completed:** 2027-02-01'], true, true],
    ['a box in a comment', ['- [x] a', '<!-- - [ ] b -->', '<!--', '- [ ] c', '-->'], true, true],
    ['a ticked box in a comment', ['<!-- - [x] a -->'], false, false],
    ['a date of completion', ['**Completed**: 2027-02-01'], true, true],
    ['no date of completion', ['**Completed**:'], false, false],
    ['a box in code', ['- [x] a', '```', '- [ ] b', '```'], true, true],
    ['a box in code with longer fences', ['- [x] a', '````md', '```', '- [ ] b', '```', '````'], true, true],
    ['a box in code inside a list', ['- [x] a', '  ~~~', '  - [ ] b', '  ~~~'], true, true],
    ['a box after inline code that looks like a fence', ['- [x] a', '```b```', '- [ ] c'], false, false],
    ['something else in brackets', ['- [x] a', '- [link](b)', '- [-] c', '[ ] d'], true, true],
  ])('%s', (_, lines, strict, status) => {
    const found = task(...lines);
    expect(found && isComplete(found, 'strict')).toBe(strict);
    expect(found && isComplete(found, 'status')).toBe(status);
    const crlf = readTasks(['## T-001: One', ...lines].join('\r\n'))[0];
    expect(crlf).toEqual(found);
  });

  it('are counted', () => {
    const text = '## T-001\n- [x] a\n## T-002\n- [ ] a\n## T-003\n- [ ] a\n';
    expect(countTasks(readTasks(text), 'strict')).toEqual({ total: 3, completed: 1, percentage: 33 });
    expect(countTasks([], 'strict')).toEqual({ total: 0, completed: 0, percentage: 0 });
  });

  it('come out of any text', () => {
    const line = fc.constantFrom('## T-001: a', '- [x] b', '**AC**: AC-1', '```', '~~~~', '---', '**Status**: [ ]', '');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(line).map((lines) => lines.join('\n')),
    );
    fc.assert(
      fc.property(text, (each) => {
        for (const found of readTasks(each)) expect(found.id).toMatch(/^T-\d+[A-Z]?$/);
      }),
    );
  });
});
