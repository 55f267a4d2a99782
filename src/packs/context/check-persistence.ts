import { defineRule, own, record } from '../../engine/rule.ts';
import { CEREMONIES } from './ceremony-use.ts';
import { WRAPPED_UP } from './command-cells.ts';
import { showElapsed } from './elapsed.ts';
import { CONTEXT_DIR, contextPath } from './files.ts';
import { nudge } from './nudge.ts';
import { readGroup } from './options.ts';
import { contextRoot, lastChange } from './place.ts';
import { EXPECT_SAVED, isHushed, isWrappedUp, noteWrapUp, WRAP_UP_DEFAULTS } from './wrap-up.ts';
import { ifWhole } from './whole.ts';

const DEFAULTS = { early_min: 11, early_max: 25, early_interval: 20, late_interval: 15, require_edits: false };

interface Persisted {
  /** Prompts of the session. */
  readonly count: number;
  /** The prompt at which a change was found or a nudge given. */
  readonly lastNudge: number;
  /** Only what is newer is a change. */
  readonly lastMtime: number;
  /** When a context file was last changed. */
  readonly persistedAt: number;
  /** A file was edited since then; kept only where that is asked for. */
  readonly edited?: true;
}

const NOTHING: Persisted = { count: 0, lastNudge: 0, lastMtime: 0, persistedAt: 0 };

export default defineRule({
  id: 'context/check-persistence',
  pack: 'context',
  summary: 'Says when many prompts have passed in which no context file was changed.',
  on: [{ event: 'prompt.submit' }, { event: 'tool.after', tool: ['edit', 'write'] }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR },
  nudge: 'always',
  priority: 60,
  state: { persist: record<Persisted>('context.persist'), wrapped: WRAPPED_UP },
  options: { persist: DEFAULTS, wrap_up: WRAP_UP_DEFAULTS, ceremonies: { end: CEREMONIES.end } },
  messages: {
    nudge:
      'For {promptsSinceNudge} prompts no file in .context has changed; this is prompt {promptCount}.\nThe last change was {elapsed} ago. Decisions and lessons since then are in this conversation alone.\nNext: fairlead context wrap-up, or fairlead context add decision|learning "<title>"',
  },
  expect: EXPECT_SAVED,
  examples: { pass: [{ prompt: 'Go on.' }, { tool: 'edit', event: 'tool.after', path: 'src/app.ts', new: 'b' }] },
  check(event, context) {
    const { state, now, options } = context;
    const isPrompt = event.name === 'prompt.submit';
    if (isPrompt && (event.subagent || event.prompt?.origin !== 'human')) return context.pass('not typed by a person');
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const limits = readGroup(options.persist, DEFAULTS);
    const before = ifWhole(state.persist.get(), NOTHING);
    if (!isPrompt) {
      const after = before && withEdit(before, event.tool?.paths ?? [], { root, now, keepsAll: limits.require_edits });
      if (after && after !== before) state.persist.set(after);
      return context.pass('what is edited counts at the next prompt');
    }
    noteWrapUp(context, root, event);
    const newest = lastChange(context, root) || now;
    if (!before) {
      state.persist.set({ count: 1, lastNudge: 0, lastMtime: now, persistedAt: newest });
      return context.pass('the first prompt');
    }
    const count = before.count + 1;
    const changed = Math.max(newest, before.persistedAt);
    if (changed > before.lastMtime) {
      state.persist.set({ count, lastNudge: count, lastMtime: changed, persistedAt: changed });
      return context.pass('a context file has changed');
    }
    const since = count - before.lastNudge;
    const isHushedNow = isHushed(context, 'check-persistence') && isWrappedUp(context, root, event.session);
    if (!isNeeded(count, since, limits) || (limits.require_edits && before.edited !== true) || isHushedNow) {
      state.persist.set({ ...before, count });
      return context.pass(isHushedNow ? 'work was saved a short while ago' : `${since} prompts without a change`);
    }
    state.persist.set({ ...before, count, lastNudge: count });
    const elapsed = showElapsed(now - before.persistedAt);
    return nudge(context, root, {
      variant: 'nudge',
      values: { promptsSinceNudge: since, promptCount: count, elapsed: own(elapsed) },
      relayed: { prompt: count, since },
    });
  },
});

function isNeeded(count: number, since: number, limits: typeof DEFAULTS): boolean {
  if (count > limits.early_max) return since >= limits.late_interval;
  return count >= limits.early_min && since >= limits.early_interval;
}

interface Editing {
  readonly root: string;
  readonly now: number;
  /** An edit of any file is remembered. */
  readonly keepsAll: boolean;
}

/** An edit of a context file is a change even where the times of files are too coarse to show it. */
function withEdit(before: Persisted, paths: readonly string[], { root, now, keepsAll }: Editing): Persisted {
  if (paths.some((path) => path.startsWith(`${contextPath(root)}/`)))
    return { ...before, persistedAt: Math.max(now, before.lastMtime + 1) };
  return keepsAll && before.edited !== true ? { ...before, edited: true } : before;
}
