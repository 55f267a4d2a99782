import { describe, expect, it } from 'vitest';
import { completionFacts, describeOpen } from './completion.ts';
import { SPEC, TASKS, tick } from './increment.fixture.ts';
import { isActive, readMetadata, standingOf } from './metadata.ts';

const first = (text: string) => text.replace('- [ ]', '- [x]');

describe('a completion', () => {
  it.each([
    ['nothing done', TASKS, SPEC, '2 open tasks (T-001, T-002), 2 unticked criteria (AC-US1-01, AC-US1-02)'],
    ['criteria left', tick(TASKS), SPEC, '2 unticked criteria (AC-US1-01, AC-US1-02)'],
    [
      'criteria too early',
      TASKS,
      tick(SPEC),
      '2 open tasks (T-001, T-002), 2 criteria ticked with tasks open (AC-US1-01, AC-US1-02)',
    ],
    [
      'one of each',
      TASKS.replace('- [ ]', '- [x]'),
      SPEC.replace('- [ ]', '- [x]'),
      '1 open task (T-002), 1 unticked criterion (AC-US1-02), 1 criterion ticked with tasks open (AC-US1-01)',
    ],
    ['all done', tick(TASKS), tick(SPEC), ''],
    ['no files', undefined, undefined, 'it has neither tasks.md nor spec.md'],
    ['files with nothing to do', '# Tasks', '# Spec', ''],
    ['no tasks, criteria ticked', undefined, tick(SPEC), ''],
    ['no spec, tasks done', tick(TASKS), undefined, ''],
    ['tasks that cannot be read', { problem: 'cannot be read' }, tick(SPEC), 'tasks.md cannot be read'],
    ['a spec that is too large', tick(TASKS), { problem: 'is too large' }, 'spec.md is too large'],
    [
      'open tasks and no spec that can be read',
      first(TASKS),
      { problem: 'is not a file' },
      '1 open task (T-002), spec.md is not a file',
    ],
    [
      'tasks of another make only',
      '## Task T-001\n- [ ] a\n',
      tick(SPEC),
      'no task of tasks.md can be read: line 1 looks like a task and is not read',
    ],
    ['no tasks', undefined, SPEC, '2 unticked criteria (AC-US1-01, AC-US1-02)'],
  ])('%s', (_, tasks, spec, open) => {
    const facts = completionFacts({ tasks, spec }, 'strict');
    expect(describeOpen(facts).words).toBe(open);
    expect(facts.isComplete).toBe(open === '');
  });

  it('names three of many', () => {
    const tasks = [1, 2, 3, 4].map((number) => `## T-${number}\n- [ ] a\n`).join('');
    expect(describeOpen(completionFacts({ tasks }, 'strict')).words).toBe('4 open tasks (T-1, T-2, T-3, …)');
  });
});

describe('the status of an increment', () => {
  const front = (status?: string) => new Map(status === undefined ? [] : [['status', status]]);
  it.each([
    ['{"status":"paused"}', 'active', { status: 'paused', source: 'metadata', otherwise: 'active' }],
    ['{"status":"active"}', 'active', { status: 'active', source: 'metadata' }],
    ['{"status":"active"}', undefined, { status: 'active', source: 'metadata' }],
    ['{"status":7}', 'planning', { status: 'planning', source: 'front matter' }],
    ['{', 'planning', { status: 'planning', source: 'front matter' }],
    ['[]', '', { source: 'nowhere' }],
  ])('%s and %s', (text, told, expected) => {
    expect(standingOf(readMetadata(text), front(told))).toEqual(expected);
  });

  it('is active where nobody states it', () => {
    expect(isActive(undefined, ['active'])).toBe(true);
    expect(isActive('active', ['active'])).toBe(true);
    expect(isActive('paused', ['active'])).toBe(false);
  });
});
