import type { RuleFiles, RuleWorkspace } from '../../engine/rule.ts';
import type { State } from './cells.ts';
import { findDrawings, hasBoxCharacters, readOutline } from './drawing/drawing.ts';
import type { Drawing } from './drawing/drawing.ts';
import { baselineOf, netNew } from './drawing/net-new.ts';
import type { Baseline } from './drawing/net-new.ts';
import { coverage } from './drawing/provenance.ts';
import { sourcedBy } from './drawing/sources.ts';
import { printedLines } from './outputs.ts';
import { once } from './resulting-text.ts';
import type { ResultingText } from './resulting-text.ts';
import type { Settings } from './settings.ts';
import { dirOf, isBelow, resolvePath } from './target.ts';
import { commentsIn, mayHaveComments } from './drawing/comments.ts';
import { outlineOf } from './drawing/outline.ts';
import type { Outline } from './drawing/outline.ts';

interface Marker {
  readonly line: number;
  readonly wholeFile: boolean;
  readonly reason: string;
  /** The reason is long enough. */
  readonly counts: boolean;
}

interface Excuses {
  /** Drawing → the marker that lets it pass. */
  readonly excused: ReadonlyMap<Drawing, Marker>;
  /** Drawing → a marker in reach that would do if it had a reason. */
  readonly unreasoned: ReadonlyMap<Drawing, Marker>;
}

const OWNER = 'fairlead:';
const MIN_REASON = 8;
/** A marker stands at most so many lines above its drawing. */
const REACH = 3;
/** A marker for the whole file stands in its first lines. */
const HEAD = 20;

/** Markers that can reach a drawing, with and without a reason. */
export function markersIn(text: string | Outline): readonly Marker[] {
  const whole = typeof text === 'string' ? text : text.text;
  if (!whole.includes('diagram-ok') || !mayHaveComments(whole)) return [];
  return commentsIn(outlineOf(text)).flatMap(({ text: comment, last }) => {
    if (!comment.toLowerCase().startsWith(OWNER)) return [];
    const [, word, rest = ''] = /^\s*(diagram-ok(?:-file)?)(?![\w-]):?([^]*)$/.exec(comment.slice(OWNER.length)) ?? [];
    const wholeFile = word === 'diagram-ok-file';
    if (word === undefined || (wholeFile && last > HEAD)) return [];
    const reason = rest.trim();
    return [{ line: last, wholeFile, reason, counts: Array.from(reason).length >= MIN_REASON }];
  });
}

const NO_EXCUSE: Excuses = { excused: new Map(), unreasoned: new Map() };

export function excused(drawings: readonly Drawing[], markers: readonly Marker[]): Excuses {
  if (markers.length === 0) return NO_EXCUSE;
  const forFile = markers.filter((marker) => marker.wholeFile);
  const ofFile = forFile.find(({ counts }) => counts) ?? forFile[0];
  const byLine = new Map(markers.filter((marker) => !marker.wholeFile).map((marker) => [marker.line, marker]));
  const passes = new Map<Drawing, Marker>();
  const unreasoned = new Map<Drawing, Marker>();
  for (const drawing of drawings) {
    const above = Array.from({ length: REACH }, (_, index) => byLine.get(drawing.first - 1 - index));
    const inReach = [...above, ofFile].filter((marker) => marker !== undefined);
    const [nearest] = inReach;
    const good = inReach.find(({ counts }) => counts);
    if (good !== undefined) passes.set(drawing, good);
    else if (nearest !== undefined) unreasoned.set(drawing, nearest);
  }
  return { excused: passes, unreasoned };
}

/** What is to be said of the drawings that a text brings. */
export interface Judged {
  /** New, and nothing speaks for them. */
  readonly left: readonly Drawing[];
  /** New and without a source, but printed by a diagram tool. */
  readonly printed: readonly Drawing[];
  /** Reasons of the markers that let a drawing pass. */
  readonly reasons: readonly string[];
  /** One that is left has a marker without a reason, or with one that is too short. */
  readonly unreasoned?: 'none' | 'short';
  /** Box lines of those left that no program printed; 0 where nothing was printed at all. */
  readonly missing: number;
}

export type SessionState = Pick<State, 'baseline' | 'files' | 'output' | 'outputs'>;

interface Judging {
  readonly files: RuleFiles;
  readonly workspace: RuleWorkspace;
  readonly settings: Settings;
  /** Absent where the payload names no session. */
  readonly state: SessionState | undefined;
  /** The text is in the file already, and was not when the baseline was taken. */
  readonly written?: true;
}

const NOTHING: Judged = { left: [], printed: [], reasons: [], missing: 0 };

export function judge(result: ResultingText, judging: Judging): Judged {
  const { settings, state } = judging;
  const outline = readOutline(result.text);
  const drawings = findDrawings(outline, settings.drawing);
  const { fresh, isBrought } = newDrawings(drawings, result, judging);
  if (fresh.length === 0) return NOTHING;
  const isFresh = new Set(fresh);
  const sourced = sourcedBy(
    drawings,
    outline,
    { sources: settings.sources, exists: (path) => isSource(path, result.path, judging) },
    (drawing) => isFresh.has(drawing) && isBrought(drawing),
  );
  const unsourced = fresh.filter((drawing) => !sourced.has(drawing) && isBrought(drawing));
  if (unsourced.length === 0) return NOTHING;
  const marks = excused(drawings, markersIn(outline));
  const marked = unsourced.flatMap((drawing) => marks.excused.get(drawing) ?? []);
  const reasons = [...new Set(marked.map(({ reason }) => reason))];
  const open = unsourced.filter((drawing) => !marks.excused.has(drawing));
  const { left, printed, missing } = withoutPrinted(open, settings, state);
  const reason = left.map((drawing) => marks.unreasoned.get(drawing)?.reason).find((each) => each !== undefined);
  const unreasoned = reason === '' ? 'none' : 'short';
  return { left, printed, reasons, missing, ...(reason !== undefined && { unreasoned }) };
}

/** Takes down what a file holds now, if nobody has in this session. */
export function takeBaseline(key: string, text: string | undefined, state: SessionState, settings: Settings): Baseline {
  const known = state.baseline.get(key);
  if (known) return known;
  const holds = text !== undefined && hasBoxCharacters(text, settings.drawing.ascii);
  const baseline = baselineOf(holds ? findDrawings(text, settings.drawing) : []);
  state.baseline.set(baseline, key);
  touch(key, [], state);
  return baseline;
}

/**
 * Takes down what a file holds before a call takes it out. A file without box characters is not remembered: as long as
 * the session brings none, a later look finds the same.
 */
export function keepDrawings(
  key: string,
  before: () => string | undefined,
  state: SessionState,
  settings: Settings,
): void {
  if (state.baseline.get(key)) return;
  const text = before();
  if (text !== undefined && hasBoxCharacters(text, settings.drawing.ascii)) takeBaseline(key, text, state, settings);
}

/** Files a session touches beyond this are forgotten by their time, not at its end. */
const MOST_FILES = 500;

/** Remembers a file, and drawings that passed there without a source. */
export function touch(key: string, drawings: readonly string[], { files }: Pick<State, 'files'>): void {
  const known = files.get() ?? {};
  const before = known[key];
  if (before === undefined && Object.keys(known).length >= MOST_FILES) return;
  files.set({ ...known, [key]: [...new Set([...(before ?? []), ...drawings])] });
}

interface NewDrawings {
  /** Those that the session brings. */
  readonly fresh: readonly Drawing[];
  /** What lies in the file already is not brought by this call, whoever wrote it. To tell may take reading the file. */
  isBrought(drawing: Drawing): boolean;
}

const NO_DRAWINGS: NewDrawings = { fresh: [], isBrought: () => false };

function newDrawings(
  drawings: readonly Drawing[],
  result: ResultingText,
  { settings, state, written }: Judging,
): NewDrawings {
  const known = result.fragment ? undefined : state?.baseline.get(result.key);
  // A first touch that brings no drawing is worth a look only where one might go: the text is at hand then.
  if (drawings.length === 0 && (known || !hasBoxCharacters(result.text, settings.drawing.ascii))) return NO_DRAWINGS;
  const drawingsBefore = (): readonly Drawing[] => {
    const before = result.before();
    return before === undefined ? [] : findDrawings(before, settings.drawing);
  };
  const isBrought = () => true;
  if (result.fragment || !state) return { fresh: netNew(drawings, baselineOf(drawingsBefore())), isBrought };
  const fresh = netNew(drawings, known ?? takeBaseline(result.key, result.before(), state, settings));
  if (!known || written) return { fresh, isBrought };
  const there = once(() => new Set(drawingsBefore().map(({ fingerprint }) => fingerprint)));
  return { fresh, isBrought: ({ fingerprint }) => !there().has(fingerprint) };
}

/** Whether a text in a file names a file of the workspace, seen from there or from the root. */
export function isSource(
  path: string,
  from: string,
  { files, workspace: { root } }: Pick<Judging, 'files' | 'workspace'>,
): boolean {
  return [dirOf(from), root].some((dir) => {
    const full = resolvePath(path, dir);
    return isBelow(root, full) && files.stat(full)?.kind === 'file';
  });
}

function withoutPrinted(
  open: readonly Drawing[],
  settings: Settings,
  state: SessionState | undefined,
): Pick<Judged, 'left' | 'printed' | 'missing'> {
  if (open.length === 0 || !state || settings.provenance === 'off') return { left: open, printed: [], missing: 0 };
  const lines = printedLines(state);
  if (lines.all.size === 0) return { left: open, printed: [], missing: 0 };
  const left: Drawing[] = [];
  const printed: Drawing[] = [];
  let missing = 0;
  for (const drawing of open) {
    const of = coverage(drawing, lines.all, settings.coverage);
    if (!of.covered) {
      left.push(drawing);
      missing += of.missing;
    } else if (coverage(drawing, lines.drawn, settings.coverage).covered) printed.push(drawing);
  }
  return { left, printed, missing };
}
