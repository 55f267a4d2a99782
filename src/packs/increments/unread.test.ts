import { describe, expect, it } from 'vitest';
import { unreadCriteria, unreadTasks } from './unread.ts';

const LIKE_TASK = 'line 3 looks like a task and is not read';

describe('what looks like a task and is not read', () => {
  it.each([
    '## Task T-004',
    '## Task T-004: a',
    '### ✅ T-009',
    '## [T-003] a',
    '## ~~T-003~~',
    '## 1. T-003: a',
    '##T-003: a',
    '# T-003: a',
    '## T\u2011003: a',
    '## t-003: a',
    '- [ ] T-003: a',
    '- [x] **T-003**: a',
    '**T-003**: a',
  ])('%s', (line) => {
    expect(unreadTasks(`## T-001: a\n\n${line}\n- [x] b\n`)).toEqual([LIKE_TASK]);
    expect(unreadTasks(`\ufeff## T-001: a\r\n\r\n${line}\r\n`)).toEqual([LIKE_TASK]);
  });

  it.each([
    '## **T-003**: a',
    '## `T-003`: a',
    '- [ ] T-001: a line about a task with a heading',
    '- needs T-003',
    '## What T-003 brought',
    '## T-shirts',
    '<!-- ## Task T-003 -->',
    '```\n## Task T-003\n```',
    '**AC**: AC-1',
    '**AC:** AC-1',
    '- [ ] **AC-1**: a box',
  ])('but %s is fine', (line) => {
    expect(unreadTasks(`## T-001: a\n\n${line}\n- [x] b\n`)).toEqual([]);
  });

  it('is told of criteria that no task names because of it', () => {
    for (const line of ['**ACs**: AC-US1-01', '- **Acceptance Criteria**: AC-US1-01'])
      expect(unreadTasks(`## T-001: a\n${line}\n`)).toEqual([
        'line 2 looks like the criteria of a task and is not read',
      ]);
  });

  it.each([
    ['```', 'code fence'],
    ['<!--', 'comment'],
  ])('is told of %s that nobody closes', (mark, what) => {
    expect(unreadTasks(`## T-001: a\n${mark}\n## T-002: b\n`)).toEqual([
      `line 2 begins a ${what} that never ends, so the tasks after it are not read`,
    ]);
    expect(unreadTasks(`## T-001: a\n${mark}\nno tasks\n`)).toEqual([]);
    expect(unreadCriteria(`a\n\n${mark}\n- [ ] AC-1: a\n`)).toEqual([
      `line 3 begins a ${what} that never ends, so the criteria after it are not read`,
    ]);
  });

  it('is told in a few lines', () => {
    const told = unreadTasks('# T-001\n'.repeat(100_000));
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toBe('99990 more lines look like a task and are not read');
  });
});

it.each([
  ['- [ ] AC-US1-01 without a colon', ['line 1 looks like a criterion and is not read']],
  ['- [ ] **AC-US1-01** - a', ['line 1 looks like a criterion and is not read']],
  ['- [ ] AC-US1-01: a\n- [ ] AC-US1-01 again', []],
  ['- [ ] `AC-US1-01`: a', []],
  ['- [ ] a', []],
])('criteria in %j', (text, expected) => {
  expect(unreadCriteria(text)).toEqual(expected);
});
