import { describe, expect, it } from 'vitest';
import { DEFAULTS, findDrawings, hasBoxCharacters } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import { B, fenced, indent, printed, seen } from './printed.fixture.ts';

const find = (text: string, options: Partial<typeof DEFAULTS> = {}): readonly Drawing[] =>
  findDrawings(text, { ...DEFAULTS, ...options });
const boxes = (text: string, options: Partial<typeof DEFAULTS> = {}): readonly number[] =>
  find(text, options).map((drawing) => drawing.boxes);

describe('what is a drawing, in a fence and outside', () => {
  const table: readonly (readonly [what: string, text: string, boxes: readonly number[]])[] = [
    ['two boxes side by side', B, [2]],
    ['graph-easy: services', printed('graph-easy-services'), [5]],
    ['graph-easy: pipeline', printed('graph-easy-pipeline'), [10]],
    ['graph-easy: group, whose own border is no box character', printed('graph-easy-group'), [3]],
    ['graph-easy: plain, bold and double borders', printed('graph-easy-styles'), [3]],
    ['graph-easy: a loop whose bend is no box', printed('graph-easy-loop'), [3]],
    ['a tree', printed('tree'), []],
    ['a database table', printed('psql-unicode'), []],
    ['a table of one column', printed('psql-unicode-one-column'), []],
    ['another database table', printed('sqlite-box'), []],
    ['a table with a heavy head', seen('rich-table-ansi'), []],
    ['a panel with a label in its edge and wide characters', seen('rich-panel-ansi'), [1]],
    ['prose with dashes, arrows and curly quotes', '“A — b” → c, … ‘d’ – e — f — g — h — i — j\n', []],
    ['a line of dashes', `${'─'.repeat(80)}\n`, []],
    ['8 box characters', '┌──┐\n│  │\n└─\n', []],
    ['a box of 8', '┌──┐\n└──┘\n', []],
    ['a box of 10', '┌──┐\n│  │\n└──┘\n', [1]],
    ['an edge of one character', '┌─┐\n│ │\n│ │\n│ │\n└─┘\n', []],
    ['rounded', '╭────╮\n│ a  │\n╰────╯\n', [1]],
    ['double', '╔════╗\n║ a  ║\n╚════╝\n', [1]],
    ['heavy', '┏━━━━┓\n┃ a  ┃\n┗━━━━┛\n', [1]],
    ['dashed', '┌┄┄┄┄┐\n┆ a  ┆\n└┄┄┄┄┘\n', [1]],
    ['mixed corners', '╓────╖\n║ a  ║\n╙────╜\n┍━━━━┑\n│ b  │\n┕━━━━┙\n', [2]],
    ['the right side off by two', '┌────────┐\n│ a      │\n│ longer text │\n└──────────┘\n', [1]],
    ['CJK and emoji as labels', '┌────────┐\n│ 漢字 🚀 │\n│ ⚠️ 👩‍🚀 é │\n└────────┘\n', [1]],
    ['nested', '┌──────────┐\n│ ┌──────┐ │\n│ │ a    │ │\n│ └──────┘ │\n└──────────┘\n', [2]],
    ['a box in which a line has no side', '┌──────┐\n│ a    │\n  b\n└──────┘\n', []],
    ['no bottom', '┌──────┐\n│ a    │\n│ b    │\n', []],
    ['the bottom of something narrower', '┌──────────────┐\n│ a            │\n└─────┘\n', []],
    ['60 lines high', `┌──────┐\n${'│ a    │\n'.repeat(59)}└──────┘\n`, [1]],
    ['higher', `┌──────┐\n${'│ a    │\n'.repeat(60)}└──────┘\n`, []],
    ['lines that leave boxes are no columns', '┌──────┐\n│ a    │\n└──┬───┘\n┌──┴───┐\n│ b    │\n└──────┘\n', [2]],
    ['a table and a box', `${printed('psql-unicode')}\n┌──────┐\n│ note │\n└──────┘\n`, [1]],
    ['one box with a rule', '┌──────┐\n│ head │\n├──────┤\n│ body │\n└──────┘\n', []],
    ['one box with a rule and a line to it', '┌──────┐\n│ head │\n├──────┤\n│ body │──▶ next\n└──────┘\n', [1]],
    ['one box with a rule and an arrow to it', '┌──────┐\n│ head │\n├──────┤\n│ body │→\n└──────┘\n', [1]],
    ['two boxes with rules', '┌────┐ ┌────┐\n│ a  │ │ b  │\n├────┤ ├────┤\n│ c  │ │ d  │\n└────┘ └────┘\n', [2]],
    ['an arrow head in an edge', '┌──▼───┐\n│ a    │\n└──────┘\n', [1]],
    ['a bent line', '   ┌─────────┐\n   │         ▼\n   a         b ─────\n', []],
  ];
  it.each(table)('%s', (_what, text, expected) => {
    expect({ plain: boxes(text), fenced: boxes(fenced(text, 'text')) }).toEqual({ plain: expected, fenced: expected });
  });
});

describe('where it stands changes nothing', () => {
  const graph = printed('graph-easy-services');
  const [plain] = find(fenced(graph));
  const quoted = indent(fenced(graph).replaceAll(/^$/gm, ''), '> ');
  const forms: Readonly<Record<string, string>> = {
    'no fence': graph,
    'tilde fence': fenced(graph).replaceAll('```', '~~~~'),
    'longer fence with a shorter one in it': `\`\`\`\`\n${graph}\`\`\`\n\`\`\`\`\n`,
    'unclosed fence': fenced(graph).replace(/```\n$/, ''),
    CRLF: fenced(graph).replaceAll('\n', '\r\n'),
    BOM: `\ufeff${fenced(graph)}`,
    quotation: quoted,
    'quotation of a quotation': indent(quoted, '>'),
    'quotation that ends without its fence': `${quoted.replace(/> ```\n$/, '')}\nmore prose\n`,
    list: `- text\n\n${indent(fenced(graph), '  ')}`,
    'list marker before the fence': `1. ${indent(fenced(graph), '   ').trimStart()}`,
    'quotation in a list': `- ${indent(quoted, '  ').trimStart()}`,
    tabs: indent(fenced(graph), '\t'),
    'indented code': `text\n\n${indent(graph, '    ')}`,
    pre: `<pre>\n${graph}</pre>\n`,
    'pre with attributes, on the line of the tag': `<PRE class="x">${graph.replace(/\n$/, '')}</PRE>\n`,
    'trailing blanks': fenced(graph.replaceAll(/$/gm, '   ')),
    'after front matter': `---\ntitle: x\n---\n${fenced(graph)}`,
    'after a rule that is no front matter': `---\ntitle\n${fenced(graph)}`,
    'decomposed letters': fenced(graph).normalize('NFD'),
  };
  it.each(Object.entries(forms))('%s', (_form, text) => {
    expect(find(text).map(({ boxes: count, fingerprint }) => ({ count, fingerprint }))).toEqual([
      { count: 5, fingerprint: plain?.fingerprint },
    ]);
  });

  it('says which lines', () => {
    const text = `# Title\n\n${fenced(graph, 'text')}\nprose\n\n\n${B}end\n`;
    expect(find(text).map(({ first, last, fence }) => [first, last, fence])).toEqual([
      [3, 13, 'text'],
      [18, 20, undefined],
    ]);
  });

  it('front matter, and a tag that is only spoken of, are no blocks', () => {
    expect(boxes(`---\nart: |\n${indent(B, '  ')}---\n`)).toEqual([]);
    expect(find(`The \`<pre>\` element.\n\n${B}`).map(({ first }) => first)).toEqual([3]);
  });

  it('bridges two lines outside of fences, and no more', () => {
    const [top, ...rest] = B.split('\n');
    expect(boxes(`${B}\n\n${B}`)).toEqual([4]);
    expect(boxes(`${B}\n\n\n${B}`)).toEqual([2, 2]);
    expect(boxes(`${top}\n\n${rest.join('\n')}`)).toEqual([]);
  });
});

describe('quotations', () => {
  it.each(['console', 'terminal', 'shell-session', 'output', 'log', 'Console', '{.console}', 'console title="x"'])(
    'a fence labelled %s passes',
    (label) => {
      expect(boxes(fenced(B, label))).toEqual([]);
      expect(boxes(fenced(B, label), { quotedFences: [] })).toEqual([2]);
    },
  );
});

describe('ASCII boxes', () => {
  const two = '+-------+     +-------+\n| one   | --> | two   |\n+-------+     +-------+\n';
  const one = '+-------+\n| one   |\n+-------+\n';
  const table: readonly (readonly [what: string, text: string, boxes: readonly number[]])[] = [
    ['two boxes', two, [2]],
    ['graph-easy', printed('graph-easy-services-ascii'), [5]],
    ['stacked', `${one}    |\n    v\n${one}`, [2]],
    ['crooked', two.replaceAll('|\n', '  |\n'), [2]],
    ['one box', one, []],
    ['one box and a line', one.replace('one   |', 'one   |--> x'), [1]],
    ['a database table', printed('psql-ascii'), []],
    ['a database table of one column', printed('psql-ascii-one-column'), []],
    ['a grid table', '+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+\n', []],
    ['a Markdown table and a sum', '| a | b |\n|---|---|\n| 1 + 2 | - |\n', []],
    ['Unicode boxes', B, [2]],
  ];
  it.each(table)('%s', (_what, text, expected) => {
    expect(boxes(text, { ascii: true })).toEqual(expected);
    expect(boxes(fenced(text), { ascii: true })).toEqual(expected);
    if (!text.includes('─')) expect(boxes(text)).toEqual([]);
  });
});

it.each([
  ['plain', false, false],
  ['— → “', false, false],
  ['─', false, true],
  ['\u257f', false, true],
  ['\u2580', false, false],
  ['+--+', false, false],
  ['+--+', true, true],
  ['1 + 2 - 3 | 4', true, false],
])('box characters in %j, ascii %j: %j', (text, ascii, expected) => {
  expect(hasBoxCharacters(text, ascii)).toBe(expected);
});
