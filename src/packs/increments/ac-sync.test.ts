import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordSync, syncCriteria } from './ac-sync.ts';
import type { CriteriaSync } from './ac-sync.ts';
import { readTasks } from './tasks.ts';

const sync = (tasks: string, spec: string) => syncCriteria(readTasks(tasks), spec, 'strict');
const taskOf = (number: number, criteria: string, ticked: boolean) =>
  `## T-${number}\n**AC**: ${criteria}\n- [${ticked ? 'x' : ' '}] a\n`;

describe('criteria and tasks', () => {
  it.each([
    ['satisfied, open', true, '- [ ] A', '- [x] A', { changes: [{ id: 'AC-1', completed: 1, total: 1 }] }],
    ['satisfied, ticked', true, '- [x] A', '- [x] A', {}],
    ['open, ticked', false, '- [x] A', '- [x] A', { conflicts: [{ id: 'AC-1', completed: 0, total: 1 }] }],
    ['open, open', false, '- [ ] A', '- [ ] A', {}],
  ])('%s', (_, done, before, after, expected) => {
    const line = (text: string) => text.replace('A', 'AC-1: a');
    const found = sync(taskOf(1, 'AC-1', done), line(before));
    expect(found).toEqual({ text: line(after), changes: [], conflicts: [], warnings: [], ...expected });
  });

  it.each([
    ['named, not there', taskOf(1, 'AC-9', true), '', ['AC-9: named in tasks.md, not in spec.md']],
    ['there, not named', '', '- [ ] AC-1: a', ['AC-1: no task names it']],
    ['ticked, not named', '', '- [x] AC-1: a', ['AC-1: ticked by hand, no task names it']],
  ])('%s: a warning and no change', (_, tasks, spec, warnings) => {
    expect(sync(tasks, spec)).toEqual({ text: spec, changes: [], conflicts: [], warnings });
  });

  it('wants all tasks that name a criterion', () => {
    const spec = '- [ ] AC-1: a\n- [ ] AC-2: b\n';
    const tasks = taskOf(1, 'AC-1', true) + taskOf(2, 'AC-1, AC-2', false);
    expect(sync(tasks, spec).changes).toEqual([]);
    expect(sync(tasks.replaceAll('[ ]', '[x]'), spec)).toMatchObject({
      text: '- [x] AC-1: a\n- [x] AC-2: b\n',
      changes: [
        { id: 'AC-1', completed: 2, total: 2 },
        { id: 'AC-2', completed: 1, total: 1 },
      ],
    });
  });

  it('ticks every box of an id that stands twice', () => {
    const spec = '- [ ] AC-1: a\n- [x] AC-1: a\n- [ ] AC-1: a\n';
    const { text, changes } = sync(taskOf(1, 'AC-1', true), spec);
    expect(text).toBe(spec.replaceAll('[ ]', '[x]'));
    expect(changes).toHaveLength(1);
  });

  it('does not take a task for done because a byte order mark stands before it', () => {
    const tasks = `\ufeff${taskOf(1, 'AC-1', false)}${taskOf(2, 'AC-1', true)}`;
    expect(sync(tasks, '- [ ] AC-1: a').changes).toEqual([]);
    const spec = '\ufeff- [ ] AC-1: a\n';
    expect(sync(taskOf(1, 'AC-1', true), spec).text).toBe('\ufeff- [x] AC-1: a\n');
  });

  it('ticks nothing in a comment', () => {
    const spec = '<!-- - [ ] AC-1: a -->\n<!--\n- [ ] AC-1: a\n-->\n- [ ] AC-1: a <!-- [ ] -->\n';
    const { text } = sync(taskOf(1, 'AC-1', true), spec);
    expect(text).toBe(spec.replace('\n- [ ] AC-1: a <', '\n- [x] AC-1: a <'));
  });

  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom(' ', 'x', 'X'), fc.constantFrom('', '**'), fc.integer({ min: 1, max: 5 }))
      .map(([tick, bold, id]) => `- [${tick}] ${bold}AC-${id}${bold}: a`),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('```', '- [ ] b', '### US-001: c', '\ufeff', '<!--', 'a -->', '<!-- - [ ] AC-1: a -->'),
  );
  const spec = fc.tuple(fc.array(line), fc.constantFrom('\n', '\r\n')).map(([lines, end]) => lines.join(end));
  const tasks = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), fc.boolean()))
    .map((all) => all.map(([one, other, done], at) => taskOf(at, `AC-${one}, AC-${other}`, done)).join(''));

  it('change nothing but the character in a box, from open to ticked', () => {
    fc.assert(
      fc.property(tasks, spec, (taskText, before) => {
        const { text } = sync(taskText, before);
        expect(text.length).toBe(before.length);
        for (let at = 0; at < text.length; at += 1) {
          if (text[at] === before[at]) continue;
          expect([before.slice(at - 1, at + 2), text.slice(at - 1, at + 2)]).toEqual(['[ ]', '[x]']);
        }
      }),
    );
  });

  it('agree after one run, and a second one changes nothing', () => {
    fc.assert(
      fc.property(tasks, spec, (taskText, before) => {
        const first = sync(taskText, before);
        const second = sync(taskText, first.text);
        expect(second).toEqual({ ...first, changes: [] });
        expect(second.text).toBe(first.text);
      }),
    );
  });
});

describe('the history in metadata.json', () => {
  const AT = '2027-03-02T10:00:00.000Z';
  const LATER = '2027-03-02T11:00:00.000Z';
  const found = (some: Partial<CriteriaSync>): CriteriaSync => ({
    text: '',
    changes: [],
    conflicts: [],
    warnings: [],
    ...some,
  });
  const ticked = found({ changes: [{ id: 'AC-1', completed: 2, total: 2 }] });
  const conflict = (completed: number) => found({ conflicts: [{ id: 'AC-2', completed, total: 2 }] });
  const eventsIn = (text: string) => (JSON.parse(text) as { acSyncEvents?: { timestamp: string }[] }).acSyncEvents;

  it('gets an event, and everything else stays as it was written', () => {
    const before = '{\r\n\t"id": "0001-demo",\r\n\t"coverageTarget": 85.0,\r\n\t"tags": ["a", "\\u00e9"]\r\n}';
    const event =
      '{\r\n\t\t\t"timestamp": "2027-03-02T10:00:00.000Z",\r\n\t\t\t"updated": [\r\n\t\t\t\t"AC-1"\r\n\t\t\t],\r\n' +
      '\t\t\t"conflicts": [],\r\n\t\t\t"warnings": [],\r\n\t\t\t"changesCount": 1\r\n\t\t}';
    expect(recordSync(before, ticked, AT)).toBe(
      `${before.slice(0, -3)},\r\n\t"lastActivity": "${AT}",\r\n\t"acSyncEvents": [\r\n\t\t${event}\r\n\t]\r\n}`,
    );
  });

  it('says what it has to say once', () => {
    expect(recordSync('{}', found({}), AT)).toBe('{}');
    const first = recordSync('{}', conflict(0), AT);
    expect(eventsIn(first)).toEqual([
      {
        timestamp: AT,
        updated: [],
        conflicts: ['AC-2: ticked, but only 0/2 tasks complete'],
        warnings: [],
        changesCount: 0,
      },
    ]);
    expect(recordSync(first, conflict(1), LATER)).toBe(first);
    expect(eventsIn(recordSync(first, found({}), LATER))).toHaveLength(2);
    expect(eventsIn(recordSync(first, { ...conflict(0), warnings: ['AC-3: no task names it'] }, LATER))).toHaveLength(
      2,
    );
  });

  it('is newest first, and twenty long', () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ timestamp: `old ${at}`, conflicts: [], warnings: [] }));
    const events = eventsIn(recordSync(JSON.stringify({ acSyncEvents: many }), ticked, AT));
    expect(events?.map(({ timestamp }) => timestamp)).toEqual([AT, ...many.slice(0, 19).map((each) => each.timestamp)]);
  });

  it.each(['', 'no json', '[]', 'null', '{"acSyncEvents": 7}', '{"acSyncEvents": [null]}'])('copes with %s', (text) => {
    const after = recordSync(text, ticked, AT);
    if (text.startsWith('{')) expect(eventsIn(after)?.[0]).toMatchObject({ updated: ['AC-1'] });
    else expect(after).toBe(text);
  });
});
