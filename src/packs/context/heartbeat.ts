import { defineRule, record } from '../../engine/rule.ts';
import { CONTEXT_DIR } from './files.ts';
import { contextRoot, lastChange } from './place.ts';
import { sessionFill, WINDOW_DEFAULTS, WINDOW_RAISED } from './session-fill.ts';
import { ifWhole } from './whole.ts';

interface Beat {
  readonly count: number;
  /** Of the context file that was changed last. */
  readonly mtime: number;
}

export default defineRule({
  id: 'context/heartbeat',
  pack: 'context',
  summary: 'Leaves a record of every prompt for the log and for those who listen outside; says nothing.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  state: { beat: record<Beat>('context.heartbeat'), raised: WINDOW_RAISED },
  options: { window: WINDOW_DEFAULTS },
  messages: {},
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const before = ifWhole(context.state.beat.get(), { count: 0, mtime: 0 });
    const count = (before?.count ?? 0) + 1;
    const mtime = lastChange(context, root);
    context.state.beat.set({ count, mtime });
    const { tokens, window, pct } = sessionFill(context);
    const values = {
      prompt_count: count,
      context_modified: before !== undefined && mtime > before.mtime,
      ...(tokens > 0 && { tokens, context_window: window, usage_pct: pct }),
    };
    context.later.relay('pulse', `prompt ${count}`, values, 'heartbeat');
    return context.pass(`prompt ${count} is recorded`);
  },
});
