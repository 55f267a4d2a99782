import { defineRule, joined } from '../../engine/rule.ts';
import { callersLeft } from './callers-left.ts';
import { TURN_CHANGES, UNCHECKED } from './turn-changes.ts';

const NAMED = 4;

export default defineRule({
  id: 'autocontext/left-behind',
  pack: 'autocontext',
  summary: 'At the next call after a rename or a changed signature: the callers that still use the old form.',
  on: [{ event: 'tool.after' }],
  needs: { session: true, flag: UNCHECKED.name },
  mode: 'advise',
  priority: 25,
  state: { turn: TURN_CHANGES, unchecked: UNCHECKED },
  messages: { left: '{left}' },
  examples: { pass: [{ event: 'tool.after', tool: 'read', path: 'src/app.ts' }] },
  check(_, context) {
    const { workspace, state, pass, note } = context;
    const changes = state.turn.get();
    const unchecked = state.unchecked.get() ?? [];
    if (!changes || unchecked.length === 0) return pass('nothing was changed');
    // Until the index has read the change, nothing can be held against it.
    if (workspace.graph?.state !== 'stable') return pass('the index is behind');
    state.unchecked.clear();
    const symbols = changes.symbols.filter(({ key }) => unchecked.includes(key));
    const left = callersLeft({ ...changes, symbols }, workspace.graph, context);
    if (left.length === 0) return pass('no caller is left behind');
    state.turn.set({ ...changes, left: [...(changes.left ?? []), ...left.map(({ key }) => key)] });
    return note('left', {
      left: joined(
        left.slice(0, NAMED).map(({ line }) => line),
        '\n',
      ),
    });
  },
});
