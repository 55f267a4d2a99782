import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Payload } from '../daemon-home.ts';
import { PASS, after, bash, before, edited, event, failed, given, note, prompt, row, start, within, without } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import { expect } from 'vitest';

const servers = (...names: readonly string[]): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });
const CODE = { 'src/a.ts': 'export function parseConfig() {}\n', 'src/deep/b.ts': 'parseConfig();\n', 'foo.txt': 'text' };
/** A project with an index that can be asked. */
export const INDEXED = { ...CODE, '.codegraph/codegraph.db': 'index', '.mcp.json': servers('codegraph') };
export const EXPLORE = 'mcp__codegraph__codegraph_explore';

export const TURN: Step = [prompt()];
const next = (): Step => [prompt()];
export const grep = (input: object = {}, more: Payload = {}): Payload =>
  before('Grep', { pattern: 'parseConfig', path: 'src', ...input }, more);
const glob = (pattern: string, more: object = {}): Payload => before('Glob', { pattern, ...more });
const QUERY = { query: 'parseConfig' };
let asks = 0;
/** A whole call of a graph tool. */
export function asked(tool = EXPLORE, more: Payload = {}): readonly Step[] {
  const id = { tool_use_id: `ask${(asks += 1)}`, ...more };
  return [
    [before(tool, QUERY, id), PASS],
    [after(tool, QUERY, [{ type: 'text', text: 'found' }], id), PASS],
  ];
}
export const NUDGE = note('codegraph/search-nudge');

const mark =
  (fields: object): Step =>
  (stage) =>
    expect(Object.values(stage.cells('codegraph.mark'))).toMatchObject([fields]);
const noMark: Step = (stage) => expect(stage.cells('codegraph.mark')).toEqual({});

const one = (id: string, what: string, call: Payload, expected: Expected): Row => row(id, what, [TURN, [call, expected]]);
/** A turn for each. */
const shells = (id: string, expected: Expected, ...commands: readonly string[]): readonly Row[] =>
  commands.map((command) => one(id, command, bash(command), expected));

const said = (text: string, more = {}): object => ({
  type: 'user',
  message: { role: 'user', content: text },
  ...more,
});
const result = (text: string): object => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: text }] },
});
const answered = (text: string): object => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
});
const told =
  (...lines: readonly object[]): Step =>
  (stage) =>
    stage.append(...lines);
const MIB = 1_048_576;

const shapes: readonly Row[] = [
  one('14.2 2.2 3.read', 'a source file is read', before('Read', { file_path: 'src/a.ts' }), PASS),
  one('14.3 2.10 3.grep', 'a directory is searched', grep(), NUDGE),
  one('14.4', 'a file is searched', grep({ path: 'src/a.ts' }), PASS),
  one('14.5 3.glob', 'files are listed by a wildcard', glob('**/*.ts'), NUDGE),
  one('14.6', 'a name is looked up', glob('package.json'), PASS),
  one('14.52', 'braces alone', glob('src/{a,b}.ts'), PASS),
  one('14.9 14.11 14.16', 'nothing was asked in this turn', grep(), NUDGE),
  one('14.20', 'the transcript is not there', grep({}, { transcript_path: '/nowhere/t.jsonl' }), NUDGE),
  one('14.37', 'a file by its relative path', grep({ path: 'foo.txt' }), PASS),
  one('2.1', 'a tool that searches nothing', before('WebFetch', { url: 'https://example.org' }), PASS),
  one('14.25 8.1', 'context and no decision', grep(), within(400, note(/^\[codegraph\/search-nudge\].*covers src.*\n/))),
  one('14.40 5.routes', 'the one tool that the server offers is named', grep(), without(note(EXPLORE), 'codegraph_context')),
  one('14.54 8.4', 'the words of the pattern that are names', grep({ pattern: 'function\\s+parseConfig\\(' }), within(400, note('{"query":"parseConfig"}'))),
  one('8.6', 'no secret of a pattern is repeated', grep({ pattern: 'loadToken|password=hunter22' }), without(note('loadToken'), 'hunter22')),
  one('8.2', 'no orders', grep(), without(note(EXPLORE), /\b(must|never|always|IMPORTANT)\b|!/)),
  ...shells('14.46 3.rg 3.grep-program 3.git-grep 3.names 3.find 3.ls', NUDGE, 'rg foo', 'grep -rn foo src', 'git grep foo', `find . -name '*.ts'`, 'fd -e ts', 'ls -R', 'tree'),
  ...shells('14.47', PASS, 'rg foo src/a.ts', 'grep foo foo.txt', 'find . -name package.json', 'ls src', 'tree -L 1'),
  ...shells('14.48 3.others', PASS, 'ps aux | grep node', 'npm test 2>&1 | grep FAIL', 'git log --grep=fix', 'git diff src'),
  ...shells('3.reads', PASS, 'cat src/a.ts', 'head -5 src/a.ts', `sed -n 1,9p src/a.ts`, `awk '{print}' src/a.ts`),
  ...shells('14.49', PASS, 'echo "rg foo"', 'git commit -m "use grep -r"', `cat > notes.md <<'END'\nfind . -name '*'\nEND`),
  ...shells('14.50 3.wrappers', NUDGE, 'cd src && rg foo', `find . -name '*.ts' | xargs grep foo`, `bash -c 'rg foo'`, 'env A=1 timeout 5 rg foo'),
  ...shells('14.51', PASS, 'rg "parseConfig'),
  row('14.35 5.walk', 'an index above the place', [TURN, [grep({ path: undefined }, { cwd: undefined }), NUDGE]]),
  row('14.53 4.outside 4.dependency 4.filter 4.terms 2.6', 'what no graph has', [
    TURN,
    [grep({ path: 'node_modules' }), PASS],
    [grep({ path: '/usr/include' }), PASS],
    [grep({ glob: '*.md' }), PASS],
    [grep({ pattern: '[0-9]+' }), PASS],
  ], { files: { 'node_modules/x/index.js': 'parseConfig' } }),
  row('4.off 13.relevance', 'without that question every broad search counts', [TURN, [grep({ pattern: '[0-9]+' }), NUDGE]], {
    settings: { packs: { codegraph: { relevance: 'off' } } },
  }),
  row('14.55 2.8 9.once', 'three searches get one note', [TURN, [grep(), NUDGE], [bash('rg foo'), PASS], [grep(), PASS]]),
  row('2.10 13.mode', 'in shadow nothing is said', [TURN, [grep(), PASS]], { settings: { packs: { codegraph: 'shadow' } } }),
  row('13.mode', 'off', [TURN, [grep(), PASS]], { settings: { packs: { codegraph: 'off' } } }),
  row('13.maxChars', 'a lower limit holds, a higher one does not', [TURN, [grep(), within(150, note('query'))]], {
    settings: { packs: { codegraph: { maxChars: 150 } } },
  }),
];

const marks: readonly Row[] = [
  row('14.7 14.8 2.5 7.used', 'a graph was asked in this turn', [TURN, ...asked(), [grep(), PASS], [glob('**/*.ts'), PASS]]),
  row('14.9', 'it was asked in the turn before', [TURN, ...asked(), next(), [grep(), NUDGE]]),
  row('14.10', 'it was asked in another session', [TURN, ...asked(EXPLORE, { session_id: 'other' }), [grep(), NUDGE]]),
  row('14.12', 'what a mark holds', [
    TURN,
    next(),
    ...asked(),
    (stage) => mark({ transcript_id: stage.session, turn: 2, families: ['codegraph'], outcome: 'used' }),
    mark({ turn: 2, agent: 'main', families: ['codegraph'], outcome: 'used' }),
  ]),
  row('14.13', 'another command leaves none', [TURN, [bash('npm test')], [after('Bash', { command: 'npm test' }, { stdout: '' })], noMark]),
  row('14.21', 'a damaged event leaves none', [TURN, [after(EXPLORE, 7 as never, null)], [{ hook_event_name: 'PostToolUse', tool_name: 7 }, PASS]]),
  row('14.22', 'a mark needs no transcript', [TURN, ...asked(), mark({ outcome: 'used' }), [grep(), PASS]]),
  row('14.36', 'made at the top, it holds below', [
    TURN,
    ...asked(),
    (stage) => stage.send(grep({ path: undefined }, { cwd: join(stage.root, 'src') })).then(({ verdict }) => expect(verdict).toBe('pass')),
  ]),
  row('14.41 5.graphify', 'a graph that is asked by a command', [TURN, [bash('graphify query parseConfig'), PASS], [after('Bash', { command: 'graphify query parseConfig' }, { stdout: 'x' })], [grep(), PASS]], {
    files: { 'graphify-out/graph.json': '{}' },
  }),
  ...['mcp__othermcp__thing', 'codegraph_explore', 'mcp__codegraph2__codegraph_explore', ''].map((tool) =>
    row('14.42 5.names', `no graph tool: ${tool || 'without a name'}`, [TURN, [before(tool, QUERY)], [after(tool, QUERY, {})], noMark, [grep(), NUDGE]]),
  ),
  row('14.43 7.families', 'two graphs in one turn', [
    TURN,
    ...asked('mcp__plugin_rw_repowise__search'),
    ...asked(),
    mark({ families: ['repowise', 'codegraph'] }),
  ]),
  row('14.44 7.attempted', 'a graph that failed', [
    TURN,
    [before(EXPLORE, QUERY, { tool_use_id: 'f' })],
    [failed(EXPLORE, QUERY, 'broken', { tool_use_id: 'f' })],
    mark({ outcome: 'attempted' }),
    [grep(), PASS],
  ]),
  row('14.45 7.flight', 'a graph that is being asked', [TURN, [before(EXPLORE, QUERY)], [grep(), PASS]]),
  row('14.57 6.subagents', 'a sub-agent has turns of its own', [
    TURN,
    ...asked(),
    [grep({}, { agent_id: 'a1', agent_type: 'general-purpose' }), NUDGE],
    [grep({}, { agent_id: 'a1', agent_type: 'general-purpose' }), PASS],
    [grep(), PASS],
  ]),
  row('14.74 7.restart', 'a restart of the engine forgets no mark', [TURN, ...asked(), (_, seed) => seed.restart(), [grep(), PASS]]),
];

const note_ = '<task-notification>done</task-notification>';
const turns: readonly Row[] = [
  row('14.33 6.sources', 'a notification opens no turn', [TURN, ...asked(), [prompt(note_)], [grep(), PASS]]),
  ...['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'].map((source) =>
    row('6.sources', `a prompt from ${source} opens none`, [TURN, ...asked(), [prompt('go on', { source })], [grep(), PASS]]),
  ),
  row('14.34 6.event', 'one prompt that comes twice is one', [
    TURN,
    [prompt('again', { prompt_id: 'same' })],
    ...asked(),
    [prompt('again', { prompt_id: 'same' })],
    mark({ turn: 2 }),
    [grep(), PASS],
  ]),
  row('6.event', 'an expansion opens none', [TURN, ...asked(), [event('UserPromptExpansion', { prompt: '/x' })], [grep(), PASS]]),
  row('14.26 6.fallback', 'by the transcript: the result of a graph is no prompt', [
    told(said('find it')),
    ...asked(),
    told(result('found parseConfig')),
    [grep(), PASS],
    told(said('and now')),
    [grep(), NUDGE],
  ]),
  row('14.27 6.unknown', 'a transcript without a prompt', [told(answered('hello')), ...asked(), mark({ turn: 'unknown' }), [grep(), PASS]]),
  row('6.unknown', 'where nothing tells turns apart there is one note', [[grep(), NUDGE], [grep(), PASS], [event('Stop')], [grep(), PASS]]),
  row('14.28', 'a long transcript', [
    told(said('first'), answered('x'.repeat(1.5 * MIB)), said('second'), answered('y'), said('third')),
    ...asked(),
    [grep(), PASS],
    mark({ turn: 2 }),
  ]),
  row('14.29', 'old prompts leave the window while new ones come', [
    told(said('a'), said('b'), said('c')),
    ...asked(),
    [grep(), PASS],
    told(answered('x'.repeat(MIB)), said('d')),
    [grep(), NUDGE],
  ]),
  ...Object.entries({
    'output that quotes a prompt': result('{"type":"user","message":{"content":"hi"}}'),
    'a line of the client': said('x', { isMeta: true }),
    'a side chain': said('x', { isSidechain: true }),
    'a summary of a compaction': said('x', { isCompactSummary: true }),
    'a notification': said(note_),
  }).map(([what, line]) => row('14.30 14.31', `${what} is no prompt`, [told(said('find it')), ...asked(), told(line), [grep(), PASS]])),
  row('14.32', 'the first prompt event goes on from there', [
    told(said('a'), said('b')),
    ...asked(),
    mark({ turn: 2 }),
    next(),
    [grep(), NUDGE],
    ...asked(),
    mark({ turn: 3 }),
  ]),
];

const ALL_SERVERS = servers('codegraph', 'repowise', 'graphify');
const index = (id: string, what: string, files: Readonly<Record<string, string>>, dirs: readonly string[], expected: Expected): Row =>
  row(id, what, [(stage) => dirs.forEach((dir) => mkdirSync(join(stage.root, dir), { recursive: true })), TURN, [grep(), expected]], {
    files: { ...CODE, '.mcp.json': ALL_SERVERS, ...files },
  });
const providers: readonly Row[] = [
  index('14.1 2.4', 'no index', {}, [], PASS),
  index('14.38 5.codegraph', 'a directory without a database', {}, ['.codegraph'], PASS),
  index('14.39', 'a file where the directory should be', { '.repowise': 'x' }, [], PASS),
  index('14.39', 'a directory where the file should be', {}, ['graphify-out/graph.json'], PASS),
  index('14.39', 'an empty directory', {}, ['graphify-out'], PASS),
  index('5.repowise', 'of Repowise', {}, ['.repowise'], note('Repowise', 'mcp__repowise__')),
  index('5.graphify', 'of Graphify', { 'graphify-out/graph.json': '{}' }, [], note('Graphify', 'mcp__graphify__')),
  index('5.preference', 'one is spelled out, the others are named', { '.codegraph/codegraph.db': 'x', 'graphify-out/graph.json': '{}' }, ['.repowise'], without(note(EXPLORE, /Repowise, Graphify/), 'mcp__repowise')),
  row('5.codegraph', 'a directory that the environment renames', [[start()], TURN, [grep(), NUDGE]], {
    files: { ...CODE, '.mcp.json': ALL_SERVERS, '.graph/codegraph.db': 'x' },
    env: { CODEGRAPH_DIR: '.graph' },
  }),
  row('5.routes', 'an index that nobody can ask', [TURN, [grep(), PASS]], { files: { ...CODE, '.codegraph/codegraph.db': 'x' }, env: { PATH: '/nowhere' } }),
  row('13.providers', 'as the settings order them', [TURN, [grep(), note('mcp__graphify__')]], {
    files: { ...CODE, '.mcp.json': ALL_SERVERS, '.codegraph/codegraph.db': 'x', 'graphify-out/graph.json': '{}' },
    settings: { packs: { codegraph: { providers: { order: ['graphify'] } } } },
  }),
  row('13.providers', 'one more', [TURN, [grep(), note('Atlas index covers src', 'mcp__atlas__look {"query":"parseConfig"}')]], {
    files: { ...CODE, '.mcp.json': servers('atlas'), '.atlas/map.db': 'x' },
    settings: { packs: { codegraph: { providers: { extra: [{ id: 'atlas', name: 'Atlas', dir: '.atlas', file: 'map.db', server: 'atlas', tools: ['look'] }] } } } },
  }),
  row('14.56 5.worktrees', 'the index of the main checkout is not a work tree’s', [
    (stage) => {
      const gitDir = dirname(stage.put('.git/worktrees/topic/gitdir', `${stage.root}/trees/topic/.git\n`));
      stage.put('.git/worktrees/topic/commondir', '../..\n');
      stage.put('trees/topic/.git', `gitdir: ${gitDir}\n`);
      stage.put('trees/topic/src/a.ts', 'parseConfig();\n');
    },
    TURN,
    [grep({ path: 'trees/topic/src' }), PASS],
  ], { files: INDEXED }),
  row('14.77 5.freshness', 'an index that is older than an edit', [
    (stage) => stage.put('.codegraph/codegraph.db', 'x', 60_000),
    TURN,
    [edited('src/a.ts')],
    [grep(), PASS],
  ], { files: INDEXED }),
  row('14.78 5.coexistence', 'a prompt that brought context of the graph buys one search', [TURN, [grep(), PASS], [grep(), NUDGE]], {
    files: {
      ...INDEXED,
      '.claude/settings.json': JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'codegraph prompt-hook' }] }] },
      }),
    },
  }),
];

const ignored: readonly Step[] = [next(), [grep()], [grep()], [event('Stop')]];
const heard = (expected: Expected): readonly Step[] => [next(), [grep(), expected], [grep()], [event('Stop')]];
const quiet = (count: number): readonly Step[] => Array.from({ length: count }, () => [before('Read', { file_path: 'src/a.ts' }), PASS] as const);
const following: readonly Row[] = [
  row('14.73 9.hold', 'two turns are held after two ignored notes, then one more try', [
    ...heard(NUDGE),
    ...heard(NUDGE),
    ...heard(PASS),
    ...heard(PASS),
    ...heard(NUDGE),
    ...heard(PASS),
  ]),
  row('9.clear', 'a note that is followed clears the count', [...ignored, next(), [grep(), NUDGE], ...asked(), ...heard(NUDGE), ...heard(NUDGE), ...heard(PASS)]),
  row('14.71 9.outcome', 'followed at the third call', [TURN, [grep(), NUDGE], ...quiet(2), ...asked(), came('followed at distance 3')]),
  row('14.72 13.expectWithin', 'ignored after eight calls with another search', [TURN, [grep(), NUDGE], ...quiet(4), [grep()], ...quiet(3), came('ignored')]),
  row('14.72', 'moot when the turn ends at once', [TURN, [grep(), NUDGE], [event('Stop')], came('moot')]),
];

/** The outcome is in the log beside the event that showed it. */
function came(outcome: string): Step {
  return async (stage) => {
    const { out } = await stage.fairlead('log', '--session', stage.session, '--last', '50');
    expect(out).toMatch(new RegExp(`codegraph/adoption: ${outcome}`));
  };
}

export const SEARCH_NUDGE: readonly Row[] = [
  ...given({ files: INDEXED }, [...shapes, ...marks, ...turns, ...following]).map((each) => ({
    ...each,
    files: { ...INDEXED, ...each.files },
  })),
  ...providers,
];
