import { B, OTHER, PANEL, PRINTED, page, source } from '../../../src/packs/diagrams/drawings.fixture.ts';
import type { Payload } from '../daemon-home.ts';
import {
  PASS,
  after,
  ask,
  deny,
  event,
  failed,
  note,
  prompt,
  ran,
  row,
  start,
  within,
  without,
  wrote,
  seen,
} from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import { DOC, drawn, DENY, options } from './diagrams.parts.ts';

const TOOL = 'graph-easy in.txt';
export const tool = (command = TOOL, more: Payload = {}): Step => [ran(command, 'done\n', more), PASS];
const flags =
  (count: number): Step =>
  (stage) =>
    seen(Object.keys(stage.cells('diagrams.flag'))).toHaveLength(count);
const flagOf =
  (value: unknown): Step =>
  (stage) =>
    stage.setCell('session', 'diagrams.flag', value);
const aged =
  (seconds: number): Step =>
  (stage) =>
    stage.setCell('session', 'diagrams.flag', { tool: 'graph-easy', at: Date.now() - seconds * 1_000, command: 'x' });
/** The write goes through. */
const through = (text: string, path: string, id: string, expected: Expected): readonly Step[] => [
  [drawn(text, path, { tool_use_id: id }), PASS],
  (stage) => stage.put(path, text),
  [wrote(path, text, { tool_use_id: id }), expected],
];
const NONE = { session_id: '', transcript_path: undefined };
const workflow: readonly Row[] = [
  row('13.10 13.55 8.flag 8.one-shot 13.60 8.reminder', 'a tool that just ran, and one reminder', [
    tool(),
    ...through(page(B), DOC, 'w1', within(300, note(DOC, 'graph-easy source'))),
    flags(0),
    tool(),
    ...through(page(B, OTHER), DOC, 'w2', PASS),
  ]),
  row('13.11', 'the second drawing', [
    tool(),
    ...through(page(B), DOC, 'w1', note()),
    [drawn(page(OTHER), 'docs/b.md'), DENY],
  ]),
  row('13.12 8.fresh', 'half a minute', [aged(15), [drawn(), PASS]]),
  row('13.12', 'no longer', [aged(30), [drawn(), DENY], flags(0)]),
  row('12.freshFor', 'as long as the settings say', [aged(30), [drawn(), PASS]], options({ freshFor: '10m' })),
  ...(
    [
      ['garbage', 'x'],
      ['empty', ''],
      ['in the future', { tool: 'graph-easy', at: Date.now() + 3_600_000, command: '' }],
    ] as const
  ).map(([what, value]) => row('13.13', `a flag that is ${what}`, [flagOf(value), [drawn(), DENY], flags(0)])),
  ...(
    [
      ['Markdown without a drawing', '# Text', DOC],
      ['another kind of file', B, 'src/a.ts'],
      ['a drawing with its source', page(B, source()), 'docs/b.md'],
      ['a plan', page(B), 'plans/b.md'],
    ] as const
  ).map(([what, text, path]) =>
    row('13.14 13.15 2.7', `not used up by ${what}`, [
      tool(),
      ...through(text, path, 'w1', PASS),
      [drawn(page(OTHER)), PASS],
    ]),
  ),
  ...(
    [
      ['a denial', event('PermissionDenied', { tool_name: 'Write', tool_use_id: 'w1' })],
      ['a failure', failed('Write', { file_path: DOC }, 'no', { tool_use_id: 'w1' })],
      ['nothing', prompt()],
    ] as const
  ).map(([what, end]) =>
    row('13.16 8.release', `given back after ${what}`, [
      tool(),
      [drawn(page(B), DOC, { tool_use_id: 'w1' }), PASS],
      [end],
      [drawn(page(B), DOC, { tool_use_id: 'w2' }), PASS],
    ]),
  ),
  row('13.17', 'of two writes at once one', [
    tool(),
    async (stage) => {
      const both = await Promise.all([stage.send(drawn()), stage.send(drawn(page(OTHER), 'docs/b.md'))]);
      seen(both.map(({ verdict }) => verdict).sort()).toEqual(['deny', 'pass']);
    },
  ]),
  ...[
    'grep graph-easy README.md',
    'echo graph-easy',
    'which graph-easy',
    'graph-easy --help',
    'brew install graph-easy',
  ].map((command) => row('13.18', `${command} sets none`, [tool(command), flags(0)])),
  ...[
    'cat x.txt | graph-easy --as=boxart',
    'FOO=1 sudo graph-easy in',
    'cd d && npx mermaid-ascii -f x',
    'java -jar /opt/plantuml-1.2.jar -utxt x.puml',
  ].map((command) => row('13.19 8.sets', `${command} sets one`, [tool(command), flags(1)])),
  row(
    '12.tools',
    'a tool of the person',
    [tool('sketch in'), flags(1), tool('ls'), [drawn(), PASS]],
    options({ tools: ['sketch'] }),
  ),
  row('13.20', 'failed, in the background, without output', [
    [failed('Bash', { command: TOOL })],
    [ran(TOOL, '', { tool_input: { command: TOOL, run_in_background: true } }, { backgroundTaskId: 'b1' })],
    [ran(TOOL, '')],
    flags(0),
  ]),
  row('13.21', 'of another session', [tool(TOOL, { session_id: 'other' }), [drawn(), DENY]]),
  row('13.22', 'without a session', [tool(TOOL, NONE), [drawn(page(B), DOC, NONE), DENY]]),
  row('13.23', 'a sub-agent draws', [tool(TOOL, { agent_id: 'a1', agent_type: 'Explore' }), [drawn(), PASS]]),
  row('13.24 8.sweep', 'an hour later', [aged(3_660), [start('resume')], flags(0)]),
  row('13.24', 'not yet', [aged(3_540), [start('resume')], flags(1)]),
  row('13.25', 'the end of a session', [
    tool(),
    [ran(TOOL, PRINTED)],
    [event('SessionEnd', { reason: 'other' })],
    flags(0),
    (stage) => seen(stage.cells('diagrams.output')).toEqual({}),
  ]),
];
export const names = ['Oslo', 'Rome', 'Bern', 'Riga', 'Kyiv', 'Lviv', 'Bonn', 'Cork', 'Gent', 'Nice'];
const chain = (labels: readonly string[]) => labels.map((label) => `┌──────┐\n│ ${label} │\n└──┬───┘\n   │`).join('\n');
const DRAW = 'graph-easy --as=boxart in.txt';
const inList = `- item\n\n  \`\`\`\n${PRINTED.replaceAll(/^/gm, '  ')}\n  \`\`\`\n`;
const provenance: readonly Row[] = [
  row('13.42 9.covered 9.extend', 'the output of a tool, later, twice, in a list', [
    [ran(DRAW, `\u001B[1m${PRINTED}\u001B[0m\n`)],
    aged(600),
    ...through(page(PRINTED), DOC, 'w1', note('no source')),
    [drawn(inList, 'docs/b.md'), PASS],
  ]),
  row('9.recorded', 'a file that the tool wrote', [
    (stage) => stage.put('out.txt', PRINTED),
    [ran('graph-easy in.txt --output=out.txt', '')],
    aged(60),
    [drawn(page(PRINTED)), PASS],
  ]),
  row('13.43 12.coverage', 'one label of ten', [
    [ran(DRAW, chain(names))],
    aged(60),
    [drawn(page(chain(names.with(3, 'Ruse')))), PASS],
  ]),
  row('13.43', 'half of the labels', [
    [ran(DRAW, chain(names))],
    aged(60),
    [
      drawn(page(chain(names.map((name, at) => (at % 2 ? name.toUpperCase() : name))))),
      deny('5 lines of it came from no tool'),
    ],
  ]),
  row(
    '12.coverage',
    'every line, where the settings say so',
    [[ran(DRAW, chain(names))], aged(60), [drawn(page(chain(names.with(3, 'Ruse')))), DENY]],
    options({ coverage: 1 }),
  ),
  row('13.44 9.require', 'only the output counts', [tool(), [drawn(), DENY]], options({ provenance: 'require' })),
  row(
    '13.45 9.off',
    'only the run counts',
    [[ran(DRAW, PRINTED)], aged(60), [drawn(page(PRINTED)), DENY]],
    options({ provenance: 'off' }),
  ),
  row('13.46 9.quotations', 'the panel of a test runner', [
    [ran('npm test', `> test\n\n${PANEL}\n`)],
    ...through(page(PANEL), DOC, 'w1', PASS),
  ]),
  row('13.47', 'what stands in the command', [[ran(`cat <<'EOF'\n${B}\nEOF`, B)], [drawn(), DENY]]),
];
const modes: readonly Row[] = [
  row('13.54 1.modes 12.mode', 'off', [[drawn(), PASS]], options({ mode: 'off' })),
  row('1.modes', 'shadow', [[drawn(), PASS]], options({ mode: 'shadow' })),
  row(
    '13.54',
    'advise: once the text is there',
    [...through(page(B), DOC, 'w1', note('docs/a.md, lines 3-7: 2 boxes'))],
    options({ mode: 'advise' }),
  ),
  row(
    '13.54',
    'ask',
    [
      [drawn(), ask('docs/a.md')],
      [drawn(page(B), DOC, { permission_mode: 'dontAsk' }), DENY],
    ],
    options({ mode: 'ask' }),
  ),
  row('10.again', 'the same drawing again in a turn', [
    [prompt()],
    [drawn(), deny('Three ways on')],
    [drawn(), without(within(500, deny('the user can decide')), 'Three ways on')],
    [prompt()],
    [drawn(), deny('Three ways on')],
  ]),
  row('10.path', 'only tools that are there are offered', [[drawn(), deny('none is installed here')]], {
    env: { PATH: '/nowhere' },
  }),
  row('1.after', 'nothing is said of a text that is no drawing', [
    [after('Write', { file_path: DOC, content: 'x' }, {}), PASS],
  ]),
];

export const DIAGRAMS_FLAG: readonly Row[] = [...workflow, ...provenance, ...modes];
