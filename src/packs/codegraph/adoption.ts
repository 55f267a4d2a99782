import { defineRule } from '../../engine/rule.ts';
import { afterCall, AWAITS, awaitsWith, fateOf, JUDGED, judgedAfter, UNHEEDED, unheededAfter } from './advice.ts';
import { broadSearch } from './broad.ts';
import { graphCallOf } from './graph-call.ts';
import { agentOf } from './mark.ts';
import { providersIn } from './providers.ts';

const NUDGE = 'codegraph/search-nudge';

export default defineRule({
  id: 'codegraph/adoption',
  pack: 'codegraph',
  summary: 'Judges whether the last search nudge was followed, from what the agent does next.',
  on: [{ event: ['tool.before', 'turn.stop', 'subagent.stop', 'prompt.submit'] }],
  needs: { flag: 'codegraph.awaits' },
  mode: 'advise',
  state: { awaits: AWAITS, unheeded: UNHEEDED, judged: JUDGED },
  options: { providers: {} },
  messages: {},
  examples: { pass: [{ command: 'rg parseConfig' }, { event: 'turn.stop' }] },
  check(event, context) {
    const { options, workspace, files, state, now, pass } = context;
    const agent = agentOf(event);
    const awaited = state.awaits.get()?.[agent];
    if (!awaited) return pass('no nudge of this agent is awaited');
    const keep = (next: typeof awaited | undefined) => {
      const awaits = awaitsWith(state.awaits.get(), agent, next);
      if (awaits) state.awaits.set(awaits);
      else state.awaits.clear();
    };
    if (event.name === 'prompt.submit' && event.prompt?.origin !== 'human') return pass('the turn goes on');
    // A nudge of an earlier turn is judged when this turn ends, or by the next nudge.
    if (event.name === 'tool.before' && awaited.turn !== context.turn) return pass('a nudge of an earlier turn');
    const asksGraph = graphCallOf(event, providersIn(options), workspace) !== undefined;
    const judged =
      event.name === 'tool.before'
        ? afterCall(awaited, { asksGraph, isBroad: !asksGraph && broadSearch(event, files, workspace) !== undefined })
        : fateOf(awaited);
    if (typeof judged !== 'string') {
      keep(judged);
      return pass(`${judged.calls} of ${judged.within} calls since the nudge`);
    }
    keep(undefined);
    context.later.heed(NUDGE, awaited.decision, judged);
    const unheeded = unheededAfter(state.unheeded.get(agent), judged);
    if (unheeded) state.unheeded.set(unheeded, agent);
    else state.unheeded.clear(agent);
    const history = judgedAfter(state.judged.get(), judged, awaited, now);
    if (history) state.judged.set(history);
    const { provider, tool, variant, calls } = awaited;
    const distance = judged === 'followed' ? ` at distance ${calls + 1}` : '';
    return pass(`${judged}${distance}: ${provider}, ${tool}, ${variant}`, 'remark');
  },
});
