import { systemClock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { takeLease } from '../store/lease.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import type { Canvas, Evidence } from './canvas.ts';

export interface CanvasOptions {
  readonly state: string;
  readonly root: string;
  readonly files: Files;
  readonly pid: number;
}

/** What lies there, and what is wrong with it. */
export interface CanvasReading {
  /** Absent when there is none, or none that can be read. */
  readonly canvas?: Canvas;
  readonly problem?: string;
}

/** `damaged`: nothing of use; `other`: a later version wrote it. */
export type Unreadable = 'damaged' | 'other';

/** Reads the canvas of a root. A damaged one is set aside, so that nothing is lost and the next evidence has a place. */
export function readCanvas(options: CanvasOptions): CanvasReading {
  const { files } = options;
  const location = graphPaths(options.state, options.root);
  const text = files.readText(location.canvas);
  if (text === undefined) return {};
  const canvas = parseCanvas(text);
  if (canvas === 'other')
    return { problem: `${location.canvas} was written by a later version of fairlead and is left as it is` };
  if (canvas !== 'damaged') return { canvas };
  const aside = setAside(location, text, options);
  return {
    problem: aside === undefined ? `${location.canvas} is damaged` : `the canvas was damaged and is kept as ${aside}`,
  };
}

/** Only who may write there: otherwise the next one who reads it does. Returns where it is now. */
function setAside(location: GraphPaths, text: string, { files, pid }: CanvasOptions): string | undefined {
  const now = systemClock.now();
  try {
    const lease = takeLease(files, location, { pid, since: now });
    if (lease === undefined) return undefined;
    try {
      // Somebody may have been faster.
      if (files.readText(location.canvas) !== text) return undefined;
      const aside = keepAside(files, location.canvas, now);
      files.writeAtomic(location.canvas, `${JSON.stringify(emptyAfter(text))}\n`, 0o600);
      return aside;
    } finally {
      lease.release();
    }
  } catch {
    return undefined;
  }
}

/** Every byte of what lies there, as not all of them need be text. Returns where they are kept. */
export function keepAside(files: Pick<Files, 'readBytes' | 'writeAtomic'>, path: string, now: number): string {
  const bytes = files.readBytes(path);
  if (bytes === undefined) throw new Error(`${path} cannot be read`);
  const aside = `${path}.damaged-${now}`;
  files.writeAtomic(aside, bytes, 0o600);
  return aside;
}

/** An empty canvas in the place of a damaged one: its numbers are not given again. */
export function emptyAfter(damaged: string): Canvas {
  const numbers = [...damaged.matchAll(/"E(\d{1,9})"/g)].map(([, number]) => Number(number));
  return { version: 1, lastEvidence: numbers.reduce((most, each) => Math.max(most, each), 0), evidence: [] };
}

export function parseCanvas(text: string): Canvas | Unreadable {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return 'damaged';
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return 'damaged';
  const { version, lastEvidence, focus, evidence, ...rest } = read as Record<string, unknown>;
  if (typeof version === 'number' && version !== 1) return 'other';
  if (version !== 1 || !isCount(lastEvidence) || !Array.isArray(evidence)) return 'damaged';
  if (!evidence.every(isEvidence)) return 'damaged';
  return {
    ...rest,
    version,
    lastEvidence,
    ...(typeof focus === 'string' && { focus }),
    evidence,
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isEvidence(value: unknown): value is Evidence {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind, origin, symbol, name, counts, digest, picture, at } = value as Record<string, unknown>;
  const isText = (each: unknown) => each === undefined || typeof each === 'string';
  return (
    typeof id === 'string' &&
    /^E\d+$/.test(id) &&
    (kind === 'architecture' || kind === 'impact') &&
    (origin === 'auto' || origin === 'explicit') &&
    [symbol, name, picture].every(isText) &&
    typeof counts === 'object' &&
    counts !== null &&
    Object.values(counts).every((count) => typeof count === 'number') &&
    typeof digest === 'string' &&
    typeof at === 'number'
  );
}

/** Where the picture of an evidence lies, as far as it is there. */
export function picturesOf({ picture }: Evidence, files: Pick<Files, 'exists'>, location: GraphPaths): string[] {
  if (picture === undefined || picture.includes('/')) return [];
  const paths = ['svg', 'png'].map((ending) => join(location.artifacts, `${picture}.${ending}`));
  return paths.filter((path) => files.exists(path));
}
