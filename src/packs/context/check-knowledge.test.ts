import { expect, it } from 'vitest';
import { contextWorld } from './context.fixture.ts';

const entries = (count: number, title = 'Entry') =>
  Array.from(
    { length: count },
    (_, at) => `## [2026-01-01-0000${String(at).padStart(2, '0')}] ${title} ${at}\n\ntext\n`,
  ).join('\n');
const lines = (count: number) => 'a line\n'.repeat(count);

interface Row {
  readonly files: Readonly<Record<string, string>>;
  readonly options?: string;
  readonly says: readonly string[];
}

it.each<[string, Row]>([
  ['21 decisions', { files: { DECISIONS: entries(21) }, says: ['DECISIONS.md: 21 entries, 20 is the most'] }],
  [
    'every file at its limit',
    { files: { DECISIONS: entries(20), LEARNINGS: entries(30), CONVENTIONS: lines(200) }, says: [] },
  ],
  [
    'two files over it',
    {
      files: { LEARNINGS: entries(31), CONVENTIONS: lines(201) },
      says: ['LEARNINGS.md: 31 entries', 'CONVENTIONS.md: 201 lines'],
    },
  ],
  [
    'all limits 0',
    {
      files: { DECISIONS: entries(99) },
      options: 'knowledge: { decisions_max: 0, learnings_max: 0, conventions_max_lines: 0 }',
      says: [],
    },
  ],
  ['one limit 0', { files: { DECISIONS: entries(99) }, options: 'knowledge: { decisions_max: 0 }', says: [] }],
  ['headings in a comment', { files: { DECISIONS: `<!--\n${entries(99)}\n-->\n` }, says: [] }],
  [
    'entries below an index',
    {
      files: { DECISIONS: `<!-- INDEX:START -->\n<!-- INDEX:END -->\n${entries(21)}` },
      says: ['DECISIONS.md: 21 entries'],
    },
  ],
  ['headings in fenced code', { files: { DECISIONS: `\`\`\`\n${entries(99)}\n\`\`\`\n` }, says: [] }],
  [
    'a limit that is no number',
    { files: { DECISIONS: entries(21) }, options: 'knowledge: { decisions_max: many }', says: ['21 entries, 20'] },
  ],
])('%s', async (_, { files, options, says }) => {
  const paths = Object.fromEntries(Object.entries(files).map(([name, text]) => [`.context/${name}.md`, text]));
  const world = contextWorld({
    only: ['check-knowledge'],
    files: paths,
    ...(options === undefined ? {} : { options }),
  });
  const { note, warn } = await world.prompt('Go on.');
  for (const each of says) {
    expect(note).toContain(each);
    expect(warn).toContain(each.split(',')[0]);
  }
  expect(note === '').toBe(says.length === 0);
  expect(Object.keys(world.cells('context.day.knowledge'))).toHaveLength(says.length === 0 ? 0 : 1);
  expect((await world.prompt('And on.')).note).toBe('');
});

const PADDING = 'x'.repeat(79);
const long = (kilobytes: number) => `${PADDING}\n`.repeat((kilobytes * 1_024) / 80);

it.each([
  ['more than enough entries ahead of much else', entries(25) + long(6_000), 'at least 25 entries, 20 is the most'],
  ['entries behind much else', long(300) + entries(21), 'DECISIONS.md: 21 entries, 20 is the most'],
  ['entries in code, ahead of others', `\`\`\`\n${entries(99)}\n\`\`\`\n${long(300)}${entries(3)}`, ''],
])('a long file: %s', async (_, text, says) => {
  const world = contextWorld({ only: ['check-knowledge'], files: { '.context/DECISIONS.md': text } });
  const { note } = await world.prompt('Go on.');
  expect(note).toContain(says);
  expect(note === '').toBe(says === '');
});
