import { defineRule } from '../../engine/rule.ts';
import { graphCallOf } from './graph-call.ts';
import { agentOf, FLIGHTS, flightsAfter, MARK, markedBy, UNENDED } from './mark.ts';
import { providersIn } from './providers.ts';
import { SEEN_TOOLS, seenWith } from './routes.ts';

export default defineRule({
  id: 'codegraph/turn-mark',
  pack: 'codegraph',
  summary: 'Remembers that an agent asked a code graph in this turn, so that its searches are left alone.',
  on: [
    { event: ['tool.before', 'tool.after', 'tool.failed'], tool: ['mcp'] },
    {
      event: ['tool.before', 'tool.after', 'tool.failed'],
      tool: ['shell'],
      words: ['graph', 'canvas', 'repowise'],
      optionWords: 'providers.extra.program',
    },
  ],
  mode: 'advise',
  state: { mark: MARK, flights: FLIGHTS, unended: UNENDED, tools: SEEN_TOOLS },
  options: { providers: {} },
  messages: {},
  examples: {
    pass: [
      { command: 'fairlead graph search parseConfig' },
      { event: 'tool.after', command: 'fairlead graph callers parseConfig' },
      { event: 'tool.failed', command: 'fairlead graph status', error: 'Exit code 1' },
      { command: 'echo graph' },
    ],
  },
  check(event, context) {
    const { options, workspace, state, now, pass } = context;
    const call = graphCallOf(event, providersIn(options), workspace);
    if (!call) return pass('asks no graph');
    const agent = agentOf(event);
    const begins = event.name === 'tool.before';
    const { flights, lost } = flightsAfter(
      state.flights.get(agent),
      begins ? { begun: call } : { ended: call.id },
      now,
    );
    if (flights) state.flights.set(flights, agent);
    else state.flights.clear(agent);
    if (lost > 0) state.unended.set({ count: (state.unended.get()?.count ?? 0) + lost, last: now });
    const { mcp, name } = event.tool ?? {};
    const [family] = call.families;
    if (mcp && name !== undefined && family !== undefined)
      state.tools.set(seenWith(state.tools.get(family), mcp.tool, name, now), family);
    if (begins) return pass(`asks ${call.families.join(', ')}`);
    const outcome = event.name === 'tool.failed' || event.tool?.failed === true ? 'attempted' : 'used';
    state.mark.set(markedBy(call, outcome, state.mark.get(agent), { event, turn: context.turn, at: now }), agent);
    return pass(`${outcome} ${call.families.join(', ')}`);
  },
});
