import type { Files } from '../../platform/files.ts';
import type { Canvas, Evidence } from './canvas.ts';
import { emptyAfter, keepAside, parseCanvas } from './read-canvas.ts';

export interface Kept {
  /** `E<n>`. */
  readonly id: string;
  /** What was wrong with the canvas that lay there. */
  readonly notice?: string;
}

type CanvasFiles = Pick<Files, 'readText' | 'readBytes' | 'exists' | 'writeAtomic'>;

/** Of symbols that were only read about, no more are remembered. */
const MOST_AUTO = 500;

/**
 * Keeps what was found out, in the place of what was known of the same symbol. Only for who may write there. Throws when
 * it cannot be written, or a later version has written it.
 */
export function keepEvidence(files: CanvasFiles, path: string, found: Omit<Evidence, 'id'>): Kept {
  const { canvas, notice } = readForWriting(files, path, found.at);
  const known = canvas.evidence.find((each) => each.kind === found.kind && each.symbol === found.symbol);
  const id = known?.id ?? `E${canvas.lastEvidence + 1}`;
  const isExplicit = found.origin === 'explicit' || known?.origin === 'explicit';
  const evidence: Evidence = { ...known, ...found, id, origin: isExplicit ? 'explicit' : 'auto' };
  const told = notice === undefined ? {} : { notice };
  // What a reading agent comes across again and again is written once.
  if (found.origin === 'auto' && known && isSame(known, evidence)) return { id, ...told };
  const all = known
    ? canvas.evidence.map((each) => (each === known ? evidence : each))
    : [...canvas.evidence, evidence];
  const focus = found.origin === 'explicit' ? found.symbol : undefined;
  const next: Canvas = {
    ...canvas,
    lastEvidence: Math.max(canvas.lastEvidence, Number(id.slice(1))),
    ...(focus !== undefined && { focus }),
    evidence: forgetOld(all, focus ?? canvas.focus),
  };
  files.writeAtomic(path, `${JSON.stringify(next, null, 1)}\n`, 0o600);
  return { id, ...told };
}

function isSame(known: Evidence, next: Evidence): boolean {
  return JSON.stringify({ ...known, at: 0 }) === JSON.stringify({ ...next, at: 0 });
}

function forgetOld(evidence: readonly Evidence[], focus: string | undefined): readonly Evidence[] {
  const auto = evidence.filter(
    ({ kind, origin, symbol }) => kind === 'impact' && origin === 'auto' && symbol !== focus,
  );
  if (auto.length <= MOST_AUTO) return evidence;
  const old = new Set([...auto].sort((a, b) => a.at - b.at).slice(0, auto.length - MOST_AUTO));
  return evidence.filter((each) => !old.has(each));
}

/** The canvas to add to. A damaged one is kept beside it, and its numbers are not given again. */
function readForWriting(files: CanvasFiles, path: string, now: number): { canvas: Canvas; notice?: string } {
  const text = files.readText(path);
  if (text === undefined) {
    if (files.exists(path)) throw new Error(`${path} cannot be read`);
    return { canvas: { version: 1, lastEvidence: 0, evidence: [] } };
  }
  const canvas = parseCanvas(text);
  if (canvas === 'other') throw new Error(`${path} was written by a later version of fairlead and is left as it is`);
  if (canvas !== 'damaged') {
    const highest = canvas.evidence.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), canvas.lastEvidence);
    return { canvas: { ...canvas, lastEvidence: highest } };
  }
  const aside = keepAside(files, path, now);
  return { canvas: emptyAfter(text), notice: `the canvas was damaged and is kept as ${aside}` };
}
