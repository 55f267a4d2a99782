import { defineRule } from '../../engine/rule.ts';
import { beat, MEMORY, SESSIONS } from './memory.ts';
import { isHere, overlapsOf, pathOf } from './overlaps.ts';
import { readBy } from './read-by.ts';

export default defineRule({
  id: 'peers/reads',
  pack: 'peers',
  summary: 'Keeps in mind which changes of others a session has read.',
  on: [
    { event: 'tool.after', tool: ['read', 'shell', 'mcp', 'other'] },
    { event: 'prompt.submit', words: ['@'] },
  ],
  needs: { session: true, others: SESSIONS },
  mode: 'advise',
  whilePaused: true,
  priority: 10,
  state: MEMORY,
  messages: {},
  examples: { pass: [{ event: 'tool.after', tool: 'read', path: 'src/app.ts' }] },
  check(event, { workspace, machine, state, now, pass }) {
    const { session } = event;
    const view = { session, tree: workspace.root, machine };
    beat(state, session, now);
    for (const name of readBy(event, workspace))
      for (const { change } of overlapsOf(state, { name }, view))
        if (isHere(change, view)) state.seen.set(now, pathOf(change, name));
    return pass('kept in mind');
  },
});
