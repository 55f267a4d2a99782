import { join } from 'node:path';
import { PASS, after, bash, before, event, failed, prompt, row, seen } from './rows.ts';
import type { Expected, Row, Step } from './rows.ts';
import { EXPLORE, TURN, next, grep, QUERY, asked, NUDGE, inIndexed } from './search-nudge.parts.ts';
import { glob } from './search-nudge-shapes.rows.ts';

const mark =
  (fields: object): Step =>
  (stage) =>
    seen(Object.values(stage.cells('codegraph.mark'))).toMatchObject([fields]);
const noMark: Step = (stage) => seen(stage.cells('codegraph.mark')).toEqual({});
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
const marks: readonly Row[] = [
  row('14.7 14.8 2.5 7.used', 'a graph was asked in this turn', [
    TURN,
    ...asked(),
    [grep(), PASS],
    [glob('**/*.ts'), PASS],
  ]),
  row('14.9', 'it was asked in the turn before', [TURN, ...asked(), next(), [grep(), NUDGE]]),
  row('14.10', 'it was asked in another session', [TURN, ...asked(EXPLORE, { session_id: 'other' }), [grep(), NUDGE]]),
  row('14.12', 'what a mark holds', [
    TURN,
    next(),
    ...asked(),
    (stage) => mark({ transcript_id: stage.session, turn: 2, families: ['codegraph'], outcome: 'used' }),
    mark({ turn: 2, agent: 'main', families: ['codegraph'], outcome: 'used' }),
  ]),
  row('14.13', 'another command leaves none', [
    TURN,
    [bash('npm test')],
    [after('Bash', { command: 'npm test' }, { stdout: '' })],
    noMark,
  ]),
  row('14.21', 'a damaged event leaves none', [
    TURN,
    [after(EXPLORE, 7 as never, null)],
    [{ hook_event_name: 'PostToolUse', tool_name: 7 }, PASS],
  ]),
  row('14.22', 'a mark needs no transcript', [TURN, ...asked(), mark({ outcome: 'used' }), [grep(), PASS]]),
  row('14.36', 'made at the top, it holds below', [
    TURN,
    ...asked(),
    (stage) =>
      stage
        .send(grep({ path: undefined }, { cwd: join(stage.root, 'src') }))
        .then(({ verdict }) => seen(verdict).toBe('pass')),
  ]),
  row(
    '14.41 5.graphify',
    'a graph that is asked by a command',
    [
      TURN,
      [bash('graphify query parseConfig'), PASS],
      [after('Bash', { command: 'graphify query parseConfig' }, { stdout: 'x' })],
      [grep(), PASS],
    ],
    {
      files: { 'graphify-out/graph.json': '{}' },
    },
  ),
  ...['mcp__othermcp__thing', 'codegraph_explore', 'mcp__codegraph2__codegraph_explore', ''].map((tool) =>
    row('14.42 5.names', `no graph tool: ${tool || 'without a name'}`, [
      TURN,
      [before(tool, QUERY)],
      [after(tool, QUERY, {})],
      noMark,
      [grep(), NUDGE],
    ]),
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
  row('14.74 7.restart', 'a restart of the engine forgets no mark', [
    TURN,
    ...asked(),
    (_, seed) => seed.restart(),
    [grep(), PASS],
  ]),
];
const NOTICE = '<task-notification>done</task-notification>';
const turns: readonly Row[] = [
  row('14.33 6.sources', 'a notification opens no turn', [TURN, ...asked(), [prompt(NOTICE)], [grep(), PASS]]),
  ...['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'].map((source) =>
    row('6.sources', `a prompt from ${source} opens none`, [
      TURN,
      ...asked(),
      [prompt('go on', { source })],
      [grep(), PASS],
    ]),
  ),
  row('14.34 6.event', 'one prompt that comes twice is one', [
    TURN,
    [prompt('again', { prompt_id: 'same' })],
    ...asked(),
    [prompt('again', { prompt_id: 'same' })],
    mark({ turn: 2 }),
    [grep(), PASS],
  ]),
  row('6.event', 'an expansion opens none', [
    TURN,
    ...asked(),
    [event('UserPromptExpansion', { prompt: '/x' })],
    [grep(), PASS],
  ]),
  row('14.26 6.fallback', 'by the transcript: the result of a graph is no prompt', [
    told(said('find it')),
    ...asked(),
    told(result('found parseConfig')),
    [grep(), PASS],
    told(said('and now')),
    [grep(), NUDGE],
  ]),
  row('14.27 6.unknown', 'a transcript without a prompt', [
    told(answered('hello')),
    ...asked(),
    mark({ turn: 'unknown' }),
    [grep(), PASS],
  ]),
  row('6.unknown', 'where nothing tells turns apart there is one note', [
    [grep(), NUDGE],
    [grep(), PASS],
    [event('Stop')],
    [grep(), PASS],
  ]),
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
    'a notification': said(NOTICE),
  }).map(([what, line]) =>
    row('14.30 14.31', `${what} is no prompt`, [told(said('find it')), ...asked(), told(line), [grep(), PASS]]),
  ),
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
const ignored: readonly Step[] = [next(), [grep()], [grep()], [event('Stop')]];
const heard = (expected: Expected): readonly Step[] => [next(), [grep(), expected], [grep()], [event('Stop')]];
const quiet = (count: number): readonly Step[] =>
  Array.from({ length: count }, () => [before('Read', { file_path: 'src/a.ts' }), PASS] as const);
const following: readonly Row[] = [
  row('14.73 2.9 9.hold', 'two turns are held after two ignored notes, then one more try', [
    ...heard(NUDGE),
    ...heard(NUDGE),
    ...heard(PASS),
    ...heard(PASS),
    ...heard(NUDGE),
    ...heard(PASS),
  ]),
  row('9.clear', 'a note that is followed clears the count', [
    ...ignored,
    next(),
    [grep(), NUDGE],
    ...asked(),
    ...heard(NUDGE),
    ...heard(NUDGE),
    ...heard(PASS),
  ]),
  row('14.71 9.outcome', 'followed at the third call', [
    TURN,
    [grep(), NUDGE],
    ...quiet(2),
    ...asked(),
    came('followed at distance 3'),
  ]),
  row('14.72 13.expectWithin', 'ignored after eight calls with another search', [
    TURN,
    [grep(), NUDGE],
    ...quiet(4),
    [grep()],
    ...quiet(3),
    came('ignored'),
  ]),
  row('14.72', 'moot when the turn ends at once', [TURN, [grep(), NUDGE], [event('Stop')], came('moot')]),
];
/** The outcome is in the log beside the event that showed it. */
function came(outcome: string): Step {
  return async (stage) => {
    const { out } = await stage.fairlead('log', '--session', stage.session, '--last', '50');
    seen(out).toMatch(new RegExp(`codegraph/adoption: ${outcome}`));
  };
}

export const SEARCH_NUDGE_TURNS: readonly Row[] = [...marks, ...turns, ...following].map(inIndexed);
