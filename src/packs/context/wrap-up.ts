import type { Cells, RuleContext } from '../../engine/rule.ts';
import type { WRAPPED_UP } from './command-cells.ts';
import { oneOf, readGroup, textsIn } from './options.ts';
import { contextKey } from './place.ts';
import { ifWhole } from './whole.ts';

export const WRAP_UP_DEFAULTS = { hours: 2, scope: 'workspace', suppresses: [] as readonly string[] };

/** What counts as having saved: a context file was written, or a command was run that does it or leads to it. */
export const EXPECT_SAVED = [
  { tool: 'edit', paths: ['**/.context/**'], within: 40 },
  { tool: 'write', paths: ['**/.context/**'], within: 40 },
  { tool: 'shell', words: ['context wrap-up', 'context add'], within: 40 },
] as const;

const HOUR = 3_600_000;

interface Asker extends Pick<RuleContext, 'now' | 'options' | 'workspace'> {
  /** Keeps `WRAPPED_UP` under the name `wrapped`. */
  readonly state: Cells<{ readonly wrapped: typeof WRAPPED_UP }>;
}

/** Whether work was saved so short a time ago that nobody needs to be told to. `root` holds the `.context`. */
export function isWrappedUp({ now, options, state, workspace }: Asker, root: string, session: string): boolean {
  const last = ifWhole(state.wrapped.get(contextKey(workspace, root)), { at: 0 });
  if (last === undefined) return false;
  const { hours, scope } = readGroup(options['wrap_up'], WRAP_UP_DEFAULTS);
  const counts = oneOf(scope, ['workspace', 'session']) === 'workspace' || last.session === session;
  // One that is yet to come was noted before the clock was set back.
  return counts && now >= last.at && now - last.at < hours * HOUR;
}

/** Whether a wrap-up hushes this rule too. */
export function isHushed({ options }: Pick<Asker, 'options'>, rule: string): boolean {
  return textsIn(readGroup(options['wrap_up'], WRAP_UP_DEFAULTS).suppresses).some(
    (name) => name === rule || name === `context/${rule}`,
  );
}
