import { defineRule } from '../../engine/rule.ts';
import { HELD, remember } from './denied.ts';
import { seenOf } from './wording.ts';

export default defineRule({
  id: 'guard/processes',
  pack: 'guard',
  summary: 'Processes are asked to end, by number, before they are killed by force or by name.',
  on: [{ event: 'tool.before', effect: ['kill'] }],
  mode: 'advise',
  careful: 'enforce',
  guard: true,
  priority: 60,
  state: HELD,
  messages: {
    killed:
      '`{seen}` ends {target} by force, or more than the one process that is meant. {instead} How hard this is held is the mode of guard/processes, which a person sets.',
  },
  examples: {
    deny: ['kill -9 1234', 'pkill -f node', 'killall python3'],
    pass: ['kill 4242', 'ps aux | grep node', 'pgrep -f vite'],
  },
  check(event, context) {
    const held = context.effects.filter(({ kind }) => kind === 'kill');
    const [first] = held;
    if (!first) return context.pass('nothing is killed');
    remember('guard/processes', event, context, held);
    return context.deny('killed', seenOf(first, held));
  },
});
