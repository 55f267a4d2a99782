import { defineRule, flag, record } from '../../engine/rule.ts';
import { CONTEXT_DIR } from './files.ts';
import { MEMORY_HASH, memoryDrift } from './memory.ts';
import { nudge } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

const DEFAULTS = { first_sync_hint: true };

export default defineRule({
  id: 'context/check-memory-drift',
  pack: 'context',
  summary: "Once a session, says that the agent's own memory of the project changed since it was mirrored.",
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 50,
  state: {
    nudged: flag('context.memory_nudged'),
    /** A project was told that its memory can be mirrored; keyed like the hash. */
    hinted: record<{ readonly at: number }>('context.memory_hinted', { scope: 'workspace' }),
    hash: MEMORY_HASH,
  },
  options: { memory: DEFAULTS },
  messages: {
    nudge:
      'Your own memory of this project changed since it was mirrored into .context/memory.\nLines added: {added}, removed: {removed}\nNext: fairlead memory sync',
    'first-sync':
      'Your own memory of this project has no mirror in .context/memory yet.\nWith one, changes of it show, and it stays with the project.\nNext: fairlead memory sync',
  },
  expect: { tool: 'shell', words: ['memory sync'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const { state, files, workspace } = context;
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    if (state.nudged.isSet()) return context.pass('said in this session');
    const memory = context.memory();
    if (!memory) return context.pass('the agent has written nothing down');
    const key = contextKey(workspace, root);
    const drift = memoryDrift(files, root, memory, state.hash.get(key));
    if (drift.state === 'same') return context.pass('mirrored');
    if (drift.state === 'first') {
      if (!readGroup(context.options.memory, DEFAULTS).first_sync_hint) return context.pass('no mirror is wanted');
      if (state.hinted.get(key)) return context.pass('said once in this project');
      state.hinted.set({ at: context.now }, key);
      state.nudged.set();
      return nudge(context, root, { variant: 'first-sync' });
    }
    const { added, removed } = drift;
    state.nudged.set();
    return nudge(context, root, { variant: 'nudge', values: { added, removed }, relayed: { added, removed } });
  },
});
