import { commentsIn, mayHaveComments } from './comments.ts';
import type { Drawing } from './drawing.ts';
import { outlineOf } from './outline.ts';
import type { Outline } from './outline.ts';

export interface Marker {
  readonly line: number;
  readonly wholeFile: boolean;
  readonly reason: string;
  /** The reason is long enough. */
  readonly counts: boolean;
}

export interface Excuses {
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
