import { join } from 'node:path';
import { B, OTHER, TREE, page, source } from '../../../src/packs/diagrams/drawings.fixture.ts';
import { PASS, bash, before, deny, edit, note, ran, row, sends, within } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import { DOC, drawn, DENY, options } from './diagrams.parts.ts';

export const one = (id: string, what: string, text: string, expected: Expected, more = {}): Row =>
  row(id, what, [[drawn(text), expected]], more);
const fenced = (label: string, text: string): string => `\`\`\`${label}\n${text}\n\`\`\`\n`;
const [top = '', middle = '', bottom = ''] = B.split('\n');
const ASCII = '+-------+     +------+\n| Alpha | --> | Beta |\n+-------+     +------+';
const drawings: readonly Row[] = [
  one(
    '13.1 4.drawing 10.refusal',
    'a drawing without a source',
    page(B),
    within(
      700,
      deny(
        /docs\/a\.md, lines 3-7: 2 boxes/,
        /1\. .* 2\. .*<summary>graph-easy source<\/summary>.* 3\. .*diagram-ok REASON/,
      ),
    ),
  ),
  row('13.2 3.edit', 'an edit that inserts one', [[edit(DOC, 'here', B), DENY]], {
    files: { [DOC]: '# Page\n\nhere\n' },
  }),
  row('13.3 7.plans', 'plans', [
    [drawn(page(B), 'x/plans/p.md'), PASS],
    [drawn(page(B), '.claude/plans/p.md'), PASS],
    [drawn(page(B), DOC, { permission_mode: 'plan' }), PASS],
  ]),
  row('7.temporary 7.dependencies', 'temporary files and dependencies', [
    sends((stage) => drawn(page(B), join('/tmp', `${stage.session}.md`)), PASS),
    [drawn(page(B), 'node_modules/x/README.md'), PASS],
  ]),
  one('13.4 4.corner', 'a file tree', page(TREE), PASS),
  ...['C', 'en_US.UTF-8'].map((locale) =>
    row(
      '13.5 3.locale',
      `with the locale ${locale}`,
      [
        [drawn(), DENY],
        [drawn(page(TREE)), PASS],
        [drawn('— “prose” →\n'.repeat(30)), PASS],
      ],
      {
        env: { LC_ALL: locale, LANG: locale },
      },
    ),
  ),
  one('13.6 2.3', 'prose with dashes, arrows and quotes', '“Quotes” — dashes → arrows … again\n'.repeat(30), PASS),
  one('13.7 13.55 6.details', 'a source with a body', page(B, source()), PASS),
  one('13.8', 'a source without one', page(B, source('graph-easy', '')), DENY),
  one('13.9 4.ascii', 'plain characters', fenced('', ASCII), PASS),
  one('13.9 12.ascii', 'plain characters, where they count', fenced('', ASCII), DENY, options({ ascii: 'on' })),
  one(
    '13.36 4.tables',
    'a table',
    page('┌────┬────────┐\n│ id │ name   │\n├────┼────────┤\n│  1 │ ada    │\n└────┴────────┘'),
    PASS,
  ),
  one('13.36', 'a table of one column', page('┌────────┐\n│ name   │\n├────────┤\n│ ada    │\n└────────┘'), PASS),
  one(
    '13.37',
    'a table and a box',
    page(
      '┌────┬────────┐\n│ id │ name   │\n├────┼────────┤\n│  1 │ ada    │\n└────┴────────┘\n\n┌─────┐\n│ box │\n└─────┘',
    ),
    deny(': 1 box '),
  ),
  one('13.38 4.threshold', 'a box of eight characters', page('┌─┐\n│a│\n└─┘'), PASS),
  one('12.threshold', 'where a hundred are needed', page(B), PASS, options({ threshold: 100 })),
  one(
    '13.39 4.closed',
    'a crooked box with wide characters',
    page('┌──────────┐\n│ 日本語 🚀  │\n│ text     │\n└────────────┘'),
    DENY,
  ),
  ...Object.entries({
    rounded: '╭─────╮\n│ box │\n╰─────╯',
    double: '╔═════╗\n║ box ║\n╚═════╝',
    heavy: '┏━━━━━┓\n┃ box ┃\n┗━━━━━┛',
    dashed: '┌┄┄┄┄┄┐\n┆ box ┆\n└┄┄┄┄┄┘',
  }).map(([style, text]) => one('13.40', `a ${style} box`, fenced('', text), DENY)),
  one('13.41 4.quoted', 'quoted output', fenced('console', B), PASS),
  one(
    '13.41 12.quotedFences',
    'where no fence is a quotation',
    fenced('console', B),
    DENY,
    options({ quotedFences: [] }),
  ),
  ...Object.entries({
    'CRLF line ends': page(B).replaceAll('\n', '\r\n'),
    tabs: page(B.replaceAll(/^/gm, '\t')),
    'a byte order mark': `\uFEFF${page(B)}`,
    'a fence in a quote': page(B).replaceAll(/^/gm, '> '),
    'a fence that is not closed': `# Page\n\n\`\`\`\n${B}\n`,
    'no fence at all': `# Page\n\n${B}\n`,
    'a pre element': `# Page\n\n<pre>\n${B}\n</pre>\n`,
  }).map(([what, text]) => one('13.58 4.blocks', what, text, DENY)),
  row('13.56 2.4', 'an edit that cannot apply', [[edit(DOC, 'not there', B), PASS]], { files: { [DOC]: '# Page\n' } }),
  row('2.1 12.extensions', 'other files', [
    [drawn(page(B), 'src/a.ts'), PASS],
    [drawn(page(B), 'a.MDX'), DENY],
    [drawn(page(B), 'a.markdown'), DENY],
  ]),
  row(
    '12.extensions',
    'other endings',
    [
      [drawn(page(B), 'a.rst'), DENY],
      [drawn(page(B), 'a.mdx'), PASS],
    ],
    options({ extensions: ['rst', '.md'] }),
  ),
  row('13.57', 'a big file is judged by what is new in it', [[edit(DOC, 'here', B), DENY]], {
    files: { [DOC]: `# Page\n\nhere\n${'some words of text\n'.repeat(170_000)}` },
  }),
];
export const ways: readonly Row[] = [
  row(
    '13.26 3.multi',
    'edits that form a drawing together',
    [
      [before('MultiEdit', { file_path: DOC, edits: [{ old_string: 'top', new_string: `${top}\n${middle}` }] }), PASS],
      [
        before('MultiEdit', {
          file_path: DOC,
          edits: [
            { old_string: 'top', new_string: `${top}\n${middle}` },
            { old_string: 'middle\nbottom', new_string: bottom },
          ],
        }),
        DENY,
      ],
    ],
    { files: { [DOC]: '# Page\n\ntop\nmiddle\nbottom\n' } },
  ),
  row(
    '13.27 3.notebook',
    'cells of a notebook',
    [
      [
        before('NotebookEdit', { notebook_path: 'n.ipynb', cell_type: 'markdown', edit_mode: 'insert', new_source: B }),
        DENY,
      ],
      [
        before('NotebookEdit', { notebook_path: 'n.ipynb', cell_type: 'code', edit_mode: 'insert', new_source: B }),
        PASS,
      ],
    ],
    { files: { 'n.ipynb': '{"cells":[]}' } },
  ),
  ...[
    `cat > docs/a.md <<'EOF'\n${B}\nEOF`,
    `tee -a docs/a.md <<EOF\n${B}\nEOF`,
    `echo '${B}' > docs/a.md`,
    `printf '%s\\n' '${B}' >> docs/a.md`,
  ].map((command) =>
    row('13.28 3.bash', `a command that carries one: ${command.slice(0, 20)}`, [[bash(command), DENY]], {
      files: { [DOC]: '# Page\n' },
    }),
  ),
  ...[`cat > a.txt <<'EOF'\n${B}\nEOF`, `git commit -m '${B}'`].map((command) =>
    row('13.29', `into no page: ${command.slice(0, 14)}`, [[bash(command), PASS]]),
  ),
  ...['graph-easy in.txt > docs/a.md', 'cat in.txt | graph-easy --as=boxart | tee docs/a.md'].map((command) =>
    row('13.30 3.made', command, [[bash(command), PASS]]),
  ),
  row(
    '13.31 3.scripts',
    'a script is judged by what it left',
    [
      [bash('python make.py', { tool_use_id: 'p' }), PASS],
      (stage) => stage.put(DOC, page(B)),
      [ran('python make.py', '', { tool_use_id: 'p' }), note('docs/a.md, lines 3-7')],
    ],
    { files: { 'make.py': `open('docs/a.md', 'w').write(TEXT)` } },
  ),
];
const news: readonly Row[] = [
  row('13.32 6.reach', 'a source that is already there', [[edit(DOC, 'here', B), PASS]], {
    files: { [DOC]: `# Page\n\nhere\n\n${source()}\n` },
  }),
  row(
    '13.33 13.34 5.baseline',
    'an old drawing: beside it, and its label',
    [
      [edit(DOC, 'A paragraph.', 'Another │ paragraph.'), PASS],
      [edit(DOC, '│ Gateway │', '│ Ingress │'), PASS],
      [edit(DOC, 'A paragraph.', B), DENY],
    ],
    { files: { [DOC]: `${page(OTHER)}\nA paragraph.\n` } },
  ),
  row(
    '13.35 5.steps',
    'one that is built up by eight edits',
    [
      ...['┌───', '────', '───┐\n', '││  one   ││\n', '││  two   ││\n', '└───', '────', '───┘\n'].map(
        (part, at, parts): Step =>
          async (stage, seed) => {
            const old = `# Page\n\n${parts.slice(0, at).join('')}`;
            const step = sends(() => edit(DOC, old, old + part), at === 7 ? DENY : PASS) as (
              s: typeof stage,
              of: typeof seed,
            ) => unknown;
            await step(stage, seed);
            stage.put(DOC, old + part);
          },
      ),
    ],
    { files: { [DOC]: '# Page\n\n' } },
  ),
  ...(
    [
      ['a mermaid fence', '```mermaid\ngraph LR\n  A --> B\n```', PASS],
      ['a summary in other letters', source('D2').replace('source', 'Source'), PASS],
      ['a file that is there', '<!-- diagram-source: d/a.d2 -->', PASS],
      ['a file that is not', '<!-- diagram-source: d/none.d2 -->', DENY],
    ] as const
  ).map(([what, text, expected]) =>
    one('13.48 6.fence 6.comment', what, page(B, text), expected, { files: { 'd/a.d2': 'a -> b' } }),
  ),
  one('13.49 6.one', 'one source, two drawings in a section', page(B, source(), OTHER), deny('2 boxes')),
  one(
    '13.49',
    'one source, two drawings in two',
    page(B, source(), `## Next${'\n\ntext'.repeat(30)}`, OTHER),
    deny('2 boxes'),
  ),
  one('13.50 6.svgbob', 'box art that a tool reads', fenced('svgbob', B), PASS),
  one('12.sources', 'other names of sources', page(B, source('sketch')), PASS, options({ sources: ['sketch'] })),
  ...(
    [
      ['with a reason', `<!-- fairlead: diagram-ok drawn by the author -->\n${fenced('', B)}`, PASS],
      [
        'for the whole file',
        `<!-- fairlead: diagram-ok-file art of an old manual -->\n\n${'text\n\n'.repeat(9)}${fenced('', B)}`,
        PASS,
      ],
      ['without a reason', `<!-- fairlead: diagram-ok -->\n${fenced('', B)}`, deny('the marker there')],
      ['with three letters', `<!-- fairlead: diagram-ok yes -->\n${fenced('', B)}`, deny('the marker there')],
    ] as const
  ).map(([what, text, expected]) => one('13.51 7.marker', `a marker ${what}`, text, expected)),
  one(
    '13.52',
    'a marker far away',
    `<!-- fairlead: diagram-ok drawn by the author -->\n${'text\n'.repeat(20)}${fenced('', B)}`,
    DENY,
  ),
  row(
    '13.53 7.globs 12.exempt',
    'a list of the repository that nobody trusts',
    [[drawn(page(B), 'docs/legacy/a.md'), DENY]],
    { ...options({ exempt: ['docs/legacy/**'] }), isTrusted: false },
  ),
  row(
    '13.53',
    'the same list, trusted',
    [
      [drawn(page(B), 'docs/legacy/a.md'), PASS],
      [drawn(), DENY],
    ],
    options({ exempt: ['docs/legacy/**'] }),
  ),
];

export const DIAGRAMS_DRAWINGS: readonly Row[] = [...drawings, ...ways, ...news];
