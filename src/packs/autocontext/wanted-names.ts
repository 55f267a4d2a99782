import { defineRule } from '../../engine/rule.ts';
import { namesIn, WANTED, wantedAfter } from './wanted.ts';

export default defineRule({
  id: 'autocontext/wanted-names',
  pack: 'autocontext',
  summary: 'Remembers the names that an agent searched for or was told, so that cards are about them first.',
  on: [
    { event: 'tool.before', tool: ['search'] },
    { event: 'tool.before', tool: ['shell'], words: ['rg ', 'ag ', 'ack ', 'grep '] },
    { event: 'prompt.submit' },
  ],
  mode: 'advise',
  state: { wanted: WANTED },
  messages: {},
  examples: { pass: ['parseConfig', { command: 'rg parseConfig' }, { event: 'prompt.submit' }] },
  check(event, { state, pass }) {
    const names = namesIn(event);
    if (names.length === 0) return pass('names nothing');
    const agent = event.subagent?.id ?? 'main';
    state.wanted.set(wantedAfter(state.wanted.get(agent), names), agent);
    return pass('names are remembered');
  },
});
