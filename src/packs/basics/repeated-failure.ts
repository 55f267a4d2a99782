import { counter, defineRule, stamp } from '../../engine/rule.ts';

export default defineRule({
  id: 'basics/repeated-failure',
  pack: 'basics',
  summary: 'The same command failing again and again is worth a different step.',
  on: [{ event: ['tool.failed', 'tool.after'], tool: ['shell'] }],
  needs: { session: true },
  mode: 'advise',
  options: { after: 3 },
  state: { failures: counter('basics.failures', { scope: 'turn' }) },
  messages: {
    again:
      'This command has now failed {count} times in this turn: `{command}`. Running it unchanged gives the same result; the error text, or a change to what it runs on, is the next thing to look at.',
  },
  expect: { tool: 'read', within: 4 },
  examples: {
    note: [{ event: 'tool.failed', tool: 'shell', command: 'npm test', error: 'Exit code 1', times: 3 }],
    pass: [
      { event: 'tool.failed', tool: 'shell', command: 'npm test', error: 'Exit code 1', times: 2 },
      { event: 'tool.after', tool: 'shell', command: 'npm test', times: 5 },
    ],
  },
  check(event, context) {
    const command = event.tool?.command?.trim() ?? '';
    if (command === '') return context.pass('no command');
    const { failures } = context.state;
    if (event.name === 'tool.after') {
      failures.reset(stamp([command]));
      return context.pass('the command works');
    }
    const count = failures.next(1, stamp([command]));
    if (count % context.options.after !== 0) return context.pass(`failed ${count} times`);
    return context.note('again', { count, command });
  },
});
