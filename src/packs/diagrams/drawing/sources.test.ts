import { describe, expect, it } from 'vitest';
import { DEFAULTS, findDrawings } from './drawing.ts';
import { matchNearest } from './sources.ts';
import { B, C, fenced } from './printed.fixture.ts';
import { DEFAULT_SOURCES, sourcedBy } from './sources.ts';

const details = (summary: string, body: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${body}\n</details>\n`;
const source = details('graph-easy source', fenced('[ Reader ] --> [ Writer ]'));
const far = 'line\n'.repeat(45);

/** Which drawings of a text, by their place in it, have a source. */
function sourced(text: string, isNew: (at: number) => boolean = () => true, sources = DEFAULT_SOURCES): number[] {
  const drawings = findDrawings(text, DEFAULTS);
  const found = sourcedBy(drawings, text, { sources, exists: (path) => path === 'd/a.d2' }, (drawing) =>
    isNew(drawings.indexOf(drawing)),
  );
  return drawings.flatMap((drawing, at) => (found.has(drawing) ? [at] : []));
}

describe('one drawing', () => {
  const table: readonly (readonly [what: string, text: string, has: boolean])[] = [
    ['alone', fenced(B), false],
    ['details after it', `${fenced(B)}\n${source}`, true],
    ['details before it', `${source}\n${fenced(B)}`, true],
    ['empty body', `${fenced(B)}\n${details('graph-easy source', '')}`, false],
    ['a body of fences alone', `${fenced(B)}\n${details('graph-easy source', '```\n\n```')}`, false],
    ['a body without fence', `${fenced(B)}\n${details('graph-easy source', '[ A ] --> [ B ]')}`, true],
    ['the drawing as body', details('graph-easy source', fenced(B)), false],
    ['the drawing and its source as body', details('graph-easy source', `${fenced(B)}\n${fenced('[ A ]')}`), true],
    ['art as body for a tool that takes it', details('svgbob source', fenced(B)), true],
    ['any case, any blanks', `${fenced(B)}\n${details('  D2\n  <b>Source</b> ', 'a -> b')}`, true],
    ['tags in one line', `${fenced(B)}\n<DETAILS open><SUMMARY>dot source</SUMMARY>a -> b</DETAILS>\n`, true],
    ['another summary', `${fenced(B)}\n${details('the source', 'a -> b')}`, false],
    ['a tool nobody knows', `${fenced(B)}\n${details('crayon source', 'a -> b')}`, false],
    ['details in a fence', `${fenced(B)}\n${fenced(source.replaceAll('```', "'''"))}`, false],
    ['a mermaid fence', `${fenced(B)}\n${fenced('graph LR', 'mermaid')}`, true],
    ['a puml fence in a quotation', `${fenced(B)}\n> \`\`\`puml\n> a -> b\n> \`\`\`\n`, true],
    ['an empty mermaid fence', `${fenced(B)}\n${fenced('', 'mermaid')}`, false],
    ['a mermaid fence that holds the drawing', fenced(B, 'mermaid'), false],
    ['a code fence', `${fenced(B)}\n${fenced('let a', 'ts')}`, false],
    ['a file that exists', `<!-- diagram-source: d/a.d2 -->\n${fenced(B)}`, true],
    ['a comment over lines', `<!--\ndiagram-source:\n  d/a.d2\n-->\n${fenced(B)}`, true],
    ['a file that is missing', `<!-- diagram-source: d/b.d2 -->\n${fenced(B)}`, false],
    ['no file', `<!-- diagram-source: -->\n${fenced(B)}`, false],
    ['a comment in code', `\`<!-- diagram-source: d/a.d2 -->\`\n${fenced(B)}`, false],
    ['svgbob', fenced(B, 'svgbob'), true],
    ['bob', fenced(B, 'bob'), true],
    ['ditaa', fenced(B, 'ditaa'), true],
  ];
  it.each(table)('%s', (_what, text, has) => {
    expect(sourced(text)).toEqual(has ? [0] : []);
    expect(sourced(text.replaceAll('\n', '\r\n'))).toEqual(has ? [0] : []);
  });

  it('the list of tools is a setting', () => {
    expect(sourced(`${fenced(B)}\n${source}`, undefined, [])).toEqual([]);
    expect(sourced(`${fenced(B)}\n${details('crayon source', 'x')}`, undefined, ['Crayon'])).toEqual([0]);
  });
});

describe('two drawings', () => {
  const table: readonly (readonly [what: string, text: string, has: readonly number[]])[] = [
    ['one source beside the first', `${fenced(B)}${source}\n${fenced(C)}`, [0]],
    ['the second in another section', `# One\n\n${fenced(B)}${source}\n# Two\n\n${fenced(C)}`, [0]],
    ['one source beside the second', `${fenced(B)}\n\n\n${source}${fenced(C)}`, [1]],
    [
      'as many sources as drawings, all at the end',
      `# A\n${fenced(B)}\n${fenced(C)}\n# B\n${far}${source}${source}`,
      [0, 1],
    ],
    [
      'a mermaid fence in its element is one source',
      `${fenced(B)}${details('mermaid source', fenced('graph LR', 'mermaid'))}\n${fenced(C)}`,
      [0],
    ],
    ['one that needs none', `${fenced(B, 'svgbob')}\n${fenced(C)}`, [0]],
    ['out of reach', `# One\n\n${source}\n# Two\n${far}\n${fenced(B)}\n${fenced(C)}`, []],
    ['far away in the same section', `# One\n\n${source}\n${far}\n${fenced(B)}\n${fenced(C)}`, [0]],
    ['far away under an underlined heading', `${source}\nTwo\n---\n${far}\n${fenced(B)}\n${fenced(C)}`, []],
    ['near in another section', `# One\n\n${source}\n# Two\n\n${fenced(B)}\n${fenced(C)}`, [0]],
  ];
  it.each(table)('%s', (_what, text, has) => {
    expect(sourced(text)).toEqual(has);
  });

  it('the new one chooses first', () => {
    expect(sourced(`${fenced(B)}${source}\n${fenced(C)}`, (at) => at === 1)).toEqual([1]);
  });
});

it('the nearest pairs are found without comparing all', () => {
  const at = (line: number): { first: number; last: number } => ({ first: line, last: line });
  const wanting = Array.from({ length: 500 }, (_, index) => at(index + 1));
  const sources = Array.from({ length: 500 }, (_, index) => at(index + 501));
  let asked = 0;
  const matched = matchNearest(wanting, sources, () => {
    asked += 1;
    return true;
  });
  expect(matched.wanting.size).toBe(500);
  expect(asked).toBeLessThanOrEqual(1_000);
});
