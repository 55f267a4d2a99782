import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../test/cases.ts';
import { readLimits } from './limits.ts';
import { createQueue } from './queue.ts';
import type { JobName, Queue } from './queue.ts';

const LIMITS = readLimits({});
const AFTER: Readonly<Record<string, readonly string[]>> = { sync: [], line: ['sync'], docs: ['sync'] };

function job(subject: string, kind = 'sync', root = '/r'): JobName {
  return { root, pack: 'p', subject, kind };
}

function mark(queue: Queue, name: JobName, at: number, limits = LIMITS): void {
  queue.mark(name, { first: at, last: at }, limits, AFTER[name.kind] ?? []);
}

const free = (): number => 0;

interface Step {
  readonly at: number;
  readonly ran: readonly string[];
}

/** Lets time pass from one moment that matters to the next; every job takes `tookMs`. */
function play(queue: Queue, marks: readonly (readonly [number, JobName])[], tookMs: number, until = 60_000): Step[] {
  const steps: Step[] = [];
  const running: { name: JobName; endsAt: number }[] = [];
  const left = [...marks];
  for (let now = 0; now <= until;) {
    for (const { name } of running.filter(({ endsAt }) => endsAt === now)) queue.done(name);
    running.splice(0, running.length, ...running.filter(({ endsAt }) => endsAt !== now));
    while (left[0]?.[0] === now) mark(queue, (left.shift() as [number, JobName])[1], now);
    const taken = queue.take(now, free);
    if (taken.length > 0) steps.push({ at: now, ran: taken.map(({ subject, kind }) => `${subject}:${kind}`) });
    running.push(...taken.map((name) => ({ name, endsAt: now + tookMs })));
    const next = Math.min(
      left[0]?.[0] ?? Number.POSITIVE_INFINITY,
      queue.next(now) ?? Number.POSITIVE_INFINITY,
      ...running.map(({ endsAt }) => endsAt),
    );
    expect(next).toBeGreaterThan(now);
    now = next;
  }
  return steps;
}

const every = (ms: number, count: number, name = job('a')): [number, JobName][] =>
  Array.from({ length: count }, (_, at) => [at * ms, name]);

describe('when a job runs', () => {
  test.each<[string, [number, JobName][], readonly Step[]]>([
    ['150 ms after one mark', [[0, job('a')]], [{ at: 150, ran: ['a:sync'] }]],
    ['150 ms after the last of a few', every(100, 3), [{ at: 350, ran: ['a:sync'] }]],
    ['500 ms after the last of a burst', every(100, 20), [{ at: 2_400, ran: ['a:sync'] }]],
    [
      'at the latest 3 s after the first of a burst',
      every(100, 40),
      [
        { at: 3_000, ran: ['a:sync'] },
        { at: 4_400, ran: ['a:sync'] },
      ],
    ],
    [
      'as usual once a burst has been calm for 10 s',
      [...every(100, 6), [10_499, job('a')], [20_499, job('a')]],
      [
        { at: 1_000, ran: ['a:sync'] },
        { at: 10_999, ran: ['a:sync'] },
        { at: 20_649, ran: ['a:sync'] },
      ],
    ],
  ])('%s', (_, marks, expected) => {
    expect(play(createQueue(), marks, 1)).toEqual(expected);
  });

  test('five marks in ten seconds are no burst, the sixth is one', () => {
    const five = play(createQueue(), every(140, 5), 1);
    expect(five.at(-1)?.at).toBe(4 * 140 + 150);
    const six = play(createQueue(), every(140, 6), 1);
    expect(six.at(-1)?.at).toBe(5 * 140 + 500);
  });

  test('at the latest 1 s after the first mark', () => {
    const queue = createQueue();
    const limits = readLimits({ jobs: { burst_count: 100 } });
    for (let at = 0; at < 1_000; at += 100) {
      mark(queue, job('a'), at, limits);
      expect(queue.take(at, free)).toEqual([]);
    }
    expect(queue.next(900)).toBe(1_000);
    expect(queue.take(1_000, free)).toHaveLength(1);
  });

  test('the limits are the ones of the workspace', () => {
    const queue = createQueue();
    mark(queue, job('a'), 0, readLimits({ jobs: { quiet_ms: 20, max_wait_ms: 30 } }));
    expect(queue.next(0)).toBe(20);
  });

  test('a mark of the future is due at once: the clock was set back', () => {
    const queue = createQueue();
    mark(queue, job('a'), 1_000_000);
    expect(queue.take(1_000, free)).toHaveLength(1);
  });
});

describe('marked while it runs', () => {
  test('it runs exactly once more, however often it was marked', () => {
    const marks: [number, JobName][] = [0, 200, 250, 300].map((at) => [at, job('a')]);
    expect(play(createQueue(), marks, 500)).toEqual([
      { at: 150, ran: ['a:sync'] },
      { at: 650, ran: ['a:sync'] },
    ]);
  });
});

describe('order', () => {
  test('kinds that come after another wait for it to end', () => {
    const marks: [number, JobName][] = ['docs', 'line', 'sync'].map((kind) => [0, job('a', kind)]);
    expect(play(createQueue(), marks, 40)).toEqual([
      { at: 150, ran: ['a:sync'] },
      { at: 190, ran: ['a:docs', 'a:line'] },
    ]);
  });

  test('they do not wait for the one of another subject, nor for one that is held back', () => {
    const queue = createQueue();
    mark(queue, job('a', 'line'), 0);
    mark(queue, job('b', 'sync'), 0);
    mark(queue, job('c', 'sync'), 0);
    mark(queue, job('c', 'line'), 0);
    const readyAt = (name: JobName) => (name.subject === 'a' || name.kind === 'line' ? 0 : 30_000);
    expect(queue.take(150, readyAt).map(({ subject, kind }) => subject + kind)).toEqual(['aline', 'cline']);
    expect(queue.next(150)).toBeUndefined();
  });

  test('one that is marked over and over does not starve those that come after it', () => {
    const marks: [number, JobName][] = [[0, job('a', 'line')], ...every(100, 100, job('a', 'sync'))];
    const steps = play(createQueue(), marks, 400);
    expect(steps.find(({ ran }) => ran.includes('a:line'))?.at).toBeLessThan(4_000);
  });

  test('no more than two run at a time, and the one that is longest due is first', () => {
    const marks: [number, JobName][] = ['a', 'b', 'c', 'd'].map((subject, at) => [at, job(subject)]);
    expect(play(createQueue(), marks, 100)).toEqual([
      { at: 150, ran: ['a:sync'] },
      { at: 151, ran: ['b:sync'] },
      { at: 250, ran: ['c:sync'] },
      { at: 251, ran: ['d:sync'] },
    ]);
  });
});

describe('a job that did not do its work', () => {
  test('waits for its time', () => {
    const queue = createQueue();
    mark(queue, job('a'), 0);
    expect(queue.take(150, free)).toHaveLength(1);
    queue.retry(job('a'), 30_150);
    expect(queue.take(30_149, free)).toEqual([]);
    expect(queue.next(200)).toBe(30_150);
    expect(queue.take(30_150, free)).toHaveLength(1);
  });

  test.each([
    ['before it ended', 160],
    ['after it ended', 5_000],
  ])('runs earlier when it was marked %s', (_, at) => {
    const queue = createQueue();
    mark(queue, job('a'), 0);
    queue.take(150, free);
    if (at < 200) mark(queue, job('a'), at);
    queue.retry(job('a'), 30_150);
    if (at > 200) mark(queue, job('a'), at);
    expect(queue.next(at)).toBe(at + 150);
  });
});

describe('whatever is marked', () => {
  const names = ['a', 'b', 'c'].flatMap((subject) => Object.keys(AFTER).map((kind) => job(subject, kind)));
  const someMarks = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.constantFrom(...names)), { maxLength: 120 })
    .map((marks) => marks.sort(([a], [b]) => a - b));

  test('the last mark is answered, nothing runs more often than it was marked, and soon', () => {
    fc.assert(
      fc.property(someMarks, fc.integer({ min: 1, max: 700 }), (marks, tookMs) => {
        const queue = createQueue();
        const steps = play(queue, marks, tookMs);
        for (const { subject, kind } of names) {
          const of = marks.filter(([, name]) => name.subject === subject && name.kind === kind);
          const runs = steps.filter(({ ran }) => ran.includes(`${subject}:${kind}`));
          const last = of.at(-1)?.[0];
          expect(runs.length).toBeLessThanOrEqual(of.length);
          if (last === undefined) continue;
          // It began after the last mark, and no later than the wait of a burst and the runs of all others before it.
          expect(runs.at(-1)?.at).toBeGreaterThan(last);
          expect(runs.at(-1)?.at).toBeLessThanOrEqual(last + 3_000 + (names.length + 1) * tookMs);
        }
        expect(queue.waiting()).toBe(0);
      }),
      cases(150),
    );
  });

  test('it never holds more than one entry per job', () => {
    fc.assert(
      fc.property(someMarks, (marks) => {
        const queue = createQueue();
        for (const [at, name] of marks) {
          mark(queue, name, at);
          expect(queue.waiting()).toBeLessThanOrEqual(names.length);
        }
      }),
      cases(50),
    );
  });
});
