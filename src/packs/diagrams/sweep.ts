import { defineRule } from '../../engine/rule.ts';
import type { State } from './cells.ts';
import { CELLS } from './cells.ts';
import { findDrawings } from './drawing/drawing.ts';
import { sourcedBy } from './drawing/sources.ts';
import { freshFlag } from './flag.ts';
import { isSource } from './judge.ts';
import { forgetOutputs } from './outputs.ts';
import { dropOld } from './pending.ts';
import { textOnDisk } from './resulting-text.ts';
import { OPTIONS, settingsOf } from './settings.ts';
import type { Settings } from './settings.ts';
import type { Here } from './target.ts';

const HOUR_MS = 3_600_000;
const MOST_FILES = 20;

export default defineRule({
  id: 'diagrams/sweep',
  pack: 'diagrams',
  summary: 'Removes what a session no longer needs to remember of drawings and diagram tools.',
  on: [{ event: ['session.start', 'session.end'] }],
  needs: { session: true },
  mode: 'advise',
  options: OPTIONS,
  state: CELLS,
  messages: {},
  examples: { pass: [{ event: 'session.start' }, { event: 'session.end' }] },
  check(event, context) {
    const { state, now, later, pass } = context;
    const settings = settingsOf(context.options);
    if (event.name === 'session.start') {
      // Cells of sessions that never ended go by their own time; this is for one that is taken up again.
      freshFlag(state.flag, now, HOUR_MS);
      dropOld(state.pending, now);
      return pass('stale flags are gone');
    }
    const files = state.files.get() ?? {};
    const exempted = Object.entries(files).filter(([, drawings]) => drawings.length > 0);
    let sourced = 0;
    for (const [path, drawings] of exempted.slice(0, MOST_FILES))
      sourced += sourcedSince(path, drawings, context, settings);
    if (sourced > 0) later.count('sourced', sourced);
    forget(state, Object.keys(files));
    return pass('the session is over');
  },
});

/** How many of the drawings have a source by now, or are gone. */
function sourcedSince(path: string, drawings: readonly string[], here: Here, settings: Settings): number {
  const text = textOnDisk(path, here);
  if (text === undefined) return 0;
  const found = findDrawings(text, settings.drawing);
  const isSourceFile = (named: string) => isSource(named, path, here);
  const sourced = sourcedBy(found, text, { sources: settings.sources, exists: isSourceFile }, () => false);
  const open = new Set(found.filter((drawing) => !sourced.has(drawing)).map(({ fingerprint }) => fingerprint));
  return drawings.filter((fingerprint) => !open.has(fingerprint)).length;
}

function forget(state: State, files: readonly string[]): void {
  for (const key of files) {
    state.baseline.clear(key);
    state.reminded.clear(key);
  }
  state.files.clear();
  state.flag.clear();
  state.pending.clear();
  forgetOutputs(state);
}
