import { defineRule } from '../../engine/rule.ts';
import { HELD, holdEffect } from './denied.ts';

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
    killed: '`{seen}` ends {target} by force, or more than the one process that is meant.\n{instead}',
  },
  examples: {
    deny: ['kill -9 1234', 'pkill -f node', 'killall python3'],
    pass: ['kill 4242', 'ps aux | grep node', 'pgrep -f vite'],
  },
  check(event, context) {
    const held = holdEffect('guard/processes', event, context, ({ kind }) => kind === 'kill');
    return held ? context.deny('killed', held.seen) : context.pass('nothing is killed');
  },
});
