import { defineRule, marker } from '../../engine/rule.ts';
import { EPOCH } from './epoch.ts';

export default defineRule({
  id: 'autocontext/session-start',
  pack: 'autocontext',
  summary:
    'Says once that context waits for a workspace where a session starts without one; lets cards be said again after a compaction.',
  on: [{ event: 'session.start' }],
  needs: { session: true },
  mode: 'advise',
  priority: 20,
  state: { epoch: EPOCH, armed: marker('autocontext.armed') },
  messages: {
    armed: 'Code context is armed; indexing starts once there is a repository or a project.',
  },
  examples: { pass: [{ event: 'session.start' }] },
  check({ start }, { workspace, state, pass, note }) {
    if (start?.source === 'compact') state.epoch.add();
    if (workspace.markerBacked || workspace.graph) return pass('there is a workspace');
    return state.armed.first() ? note('armed') : pass('said before');
  },
});
