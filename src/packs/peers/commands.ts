import { defineRule } from '../../engine/rule.ts';
import { keepChanges } from './changes.ts';
import { MEMORY } from './memory.ts';
import { RUNNING, takeRunning } from './running.ts';

export default defineRule({
  id: 'peers/commands',
  pack: 'peers',
  summary: 'Keeps in mind what a command has changed once it has run, whether or not it failed in the end.',
  on: [{ event: ['tool.after', 'tool.failed'], tool: ['shell', 'mcp', 'other'] }],
  needs: { session: true, flag: 'peers.any-running' },
  mode: 'advise',
  whilePaused: true,
  priority: 10,
  state: { ...MEMORY, ...RUNNING },
  messages: {},
  examples: { pass: [{ event: 'tool.after', tool: 'shell', command: 'sed -i s/a/b/ src/app.ts' }] },
  check(event, { workspace, machine, state, pass }) {
    keepChanges(state, event, { tree: workspace.root, machine }, takeRunning(state, event));
    return pass('kept in mind');
  },
});
