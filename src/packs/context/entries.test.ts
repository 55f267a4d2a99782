import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stampOf } from './dates.ts';
import {
  addEntry,
  INDEX_END,
  INDEX_START,
  newestEntries,
  readEntries,
  readIndex,
  refreshIndex,
  unfilledEntries,
} from './entries.ts';
import { STARTERS } from './starters.ts';

const NOW = new Date(2026, 2, 10, 10, 15, 0).getTime();

describe('reading', () => {
  it.each<[string, string, readonly string[]]>([
    ['nothing', '', []],
    ['two', '## [2026-01-02-030405] One\n\ntext\n\n## [2026-01-03-030405] Two\n', ['One', 'Two']],
    ['other headings', '## One\n### [2026-01-02-030405] x\n## [2026-01-02] y\n', []],
    ['in code', '```\n## [2026-01-02-030405] One\n```\n## [2026-01-03-030405] Two\n', ['Two']],
    ['in a comment', '<!--\n## [2026-01-02-030405] One\n-->\n', []],
    ['carriage returns', '## [2026-01-02-030405] One\r\n', ['One']],
    [
      'a title of several words, and none',
      '## [2026-01-02-030405] A [b] | c\n## [2026-01-02-030406]\n',
      ['A [b] | c', ''],
    ],
  ])('%s', (_name, text, titles) => {
    expect(readEntries(text).map(({ title }) => title)).toEqual(titles);
  });

  it('takes the newest by their stamps', () => {
    const text = '## [2026-01-02-030405] b\n## [2026-01-02-030404] a\n## [2026-01-03-000000] c\n';
    expect(newestEntries(text, 2).map(({ title }) => title)).toEqual(['c', 'b']);
  });

  it.each<[string, string, string | undefined]>([
    ['no marks', '# D\n', undefined],
    ['empty', `${INDEX_START}\n${INDEX_END}\n`, ''],
    ['a table', `# D\n${INDEX_START}\n| a |\n| b |\n${INDEX_END}\n## x`, '| a |\n| b |'],
    ['not closed', `${INDEX_START}\n| a |\n`, undefined],
    ['closed ahead', `${INDEX_END}\n${INDEX_START}\nx`, undefined],
    ['a stray mark', `${INDEX_START}\n\n${INDEX_START}\nx\n${INDEX_END}`, 'x'],
    ['in code', `\`\`\`\n${INDEX_START}\nx\n${INDEX_END}\n\`\`\`\n`, undefined],
  ])('index: %s', (_name, text, index) => {
    expect(readIndex(text)).toBe(index);
  });
});

describe('adding', () => {
  it('appends to a starter and lists it', () => {
    const { text, stamp } = addEntry(STARTERS['DECISIONS.md'], 'decision', 'Use SQLite', NOW);
    expect(stamp).toBe('2026-03-10-101500');
    expect(text).toBe(
      STARTERS['DECISIONS.md'].replace(
        `${INDEX_START}\n`,
        `${INDEX_START}\n| Date | Decision |\n|------|--------|\n| 2026-03-10 | Use SQLite |\n`,
      ) +
        '\n## [2026-03-10-101500] Use SQLite\n\n**Status**:\n\n**Context**:\n\n**Decision**:\n\n**Rationale**:\n\n**Consequences**:\n',
    );
  });

  it('keeps a file that is newest first so, with its rulers', () => {
    const before = `# Learnings\n\n## [2026-01-02-000000] b\n\n**Lesson**: x\n\n---\n\n## [2026-01-01-000000] a\n\n**Lesson**: y\n`;
    const { text } = addEntry(before, 'learning', 'c', NOW);
    expect(text).toBe(
      `# Learnings\n\n## [2026-03-10-101500] c\n\n**Context**:\n\n**Lesson**:\n\n**Application**:\n\n---\n\n${before.slice('# Learnings\n\n'.length)}`,
    );
  });

  it('writes line ends as the file does', () => {
    expect(addEntry('# D\r\n', 'decision', 'a', NOW).text.replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('starts a file that is not there', () => {
    expect(addEntry('', 'learning', 'a', NOW).text).toMatch(/^# Learnings\n\n## \[2026-03-10-101500\] a\n/);
  });

  it('gives no stamp twice, loses no entry, and lists each', () => {
    const title = fc
      .string({ minLength: 1 })
      .map((text) => text.replaceAll(/\s+/g, ' ').trim())
      .filter((text) => text !== '');
    fc.assert(
      fc.property(
        fc.array(fc.record({ title, after: fc.integer({ min: 0, max: 3_000 }) }), { maxLength: 12 }),
        fc.constantFrom(
          STARTERS['DECISIONS.md'],
          '',
          '# D\n\ntext',
          '## [2026-01-02-000000] b\n\n## [2026-01-01-000000] a\n',
        ),
        (added, start) => {
          let text = start;
          let at = NOW;
          const before = readEntries(start).map((entry) => entry.title);
          for (const each of added) text = addEntry(text, 'decision', each.title, (at += each.after)).text;
          const entries = readEntries(text);
          expect(entries.map((entry) => entry.title).toSorted()).toEqual(
            [...before, ...added.map((each) => each.title)].toSorted(),
          );
          expect(new Set(entries.map(({ stamp }) => stamp)).size).toBe(entries.length);
          expect(refreshIndex(text, 'decision')).toBe(text);
          const index = readIndex(text);
          if (index !== undefined && added.length > 0) expect(index.split('\n')).toHaveLength(entries.length + 2);
        },
      ),
    );
  });
});

it('a title cannot break the table', () => {
  const text = addEntry(STARTERS['LEARNINGS.md'], 'learning', 'a | b', NOW).text;
  expect(readIndex(text)).toContain('| 2026-03-10 | a \\| b |');
});

it('knows entries of which only the heading was written', () => {
  const added = addEntry(addEntry('', 'decision', 'first', NOW).text, 'decision', 'second', NOW).text;
  expect(unfilledEntries(added).map(({ title }) => title)).toEqual(['first', 'second']);
  const filled = added.replace('**Decision**:', '**Decision**: this');
  expect(unfilledEntries(filled).map(({ title }) => title)).toEqual(['second']);
});

it('stamps are local', () => {
  expect(stampOf(NOW)).toBe('2026-03-10-101500');
});
