import type { Cells, Event, RuleContext } from '../../engine/rule.ts';
import { CEREMONIES, runsOne } from './ceremony-use.ts';
import type { WRAPPED_UP } from './command-cells.ts';
import { contextPath, STATE_DIR } from './files.ts';
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
/** What ctx leaves behind when it has wrapped up; its time is all that counts. */
const CTX_MARKER = `${STATE_DIR}/ctx-wrapped-up`;

interface Asker extends Pick<RuleContext, 'files' | 'now' | 'options' | 'workspace'> {
  /** Keeps `WRAPPED_UP` under the name `wrapped`. */
  readonly state: Cells<{ readonly wrapped: typeof WRAPPED_UP }>;
}

/** A prompt that wraps up hushes as the command does. */
export function noteWrapUp({ now, options, state, workspace }: Asker, root: string, event: Event): void {
  const place = { cwd: event.cwd, home: workspace.home, root: workspace.root };
  const ends = textsIn(readGroup(options['ceremonies'], CEREMONIES).end);
  if (event.prompt?.origin === 'human' && runsOne(event, ends, place))
    state.wrapped.set({ at: now, ...(event.hasSession && { session: event.session }) }, contextKey(workspace, root));
}

/** Whether work was saved so short a time ago that nobody needs to be told to. `root` holds the `.context`. */
export function isWrappedUp({ files, now, options, state, workspace }: Asker, root: string, session: string): boolean {
  const { hours, scope } = readGroup(options['wrap_up'], WRAP_UP_DEFAULTS);
  const isForAll = oneOf(scope, ['workspace', 'session']) === 'workspace';
  const last = ifWhole(state.wrapped.get(contextKey(workspace, root)), { at: 0 });
  // One that is yet to come was noted before the clock was set back.
  const isRecent = (at: number) => now >= at && now - at < hours * HOUR;
  if (last !== undefined && (isForAll || last.session === session) && isRecent(last.at)) return true;
  const marker = isForAll ? files.stat(contextPath(root, CTX_MARKER)) : undefined;
  return marker?.kind === 'file' && isRecent(marker.mtimeMs);
}

/** Whether a wrap-up hushes this rule too. */
export function isHushed({ options }: Pick<Asker, 'options'>, rule: string): boolean {
  return textsIn(readGroup(options['wrap_up'], WRAP_UP_DEFAULTS).suppresses).some(
    (name) => name === rule || name === `context/${rule}`,
  );
}
