import type { Files } from '../../platform/files.ts';
import { basename } from '../../platform/paths.ts';
import { messageOf } from '../../text/message-of.ts';
import { openArtifacts } from '../draw/artifacts.ts';
import { planArchitecture, planImpact } from '../draw/drawings.ts';
import type { Drawing } from '../draw/drawings.ts';
import { isInFont } from '../draw/text.ts';
import { readScope } from '../store/scope.ts';
import { ANSWERS_FROM } from '../store/made-by.ts';
import { openGraph } from '../store/open-graph.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { GraphPaths } from '../store/graph-paths.ts';
import type { DrawRequest, DrawResult } from './request.ts';
import type { Canvas, Evidence } from '../canvas/canvas.ts';
import { emptyAfter, keepAside, parseCanvas } from '../canvas/read-canvas.ts';

interface Kept {
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

export interface DrawWorld {
  readonly state: string;
  readonly files: Files;
  now(): number;
  renderPng(svg: string): Promise<Uint8Array>;
  /** Lets others go first that wait for something shorter. */
  giveWay(): Promise<void>;
  /** Does what only one process may do at a time; rejects when another one does for longer. */
  whileWriting<Result>(location: GraphPaths, waitMs: number | undefined, write: () => Result): Promise<Result>;
}

/**
 * Draws what is indexed by now, and keeps it as evidence. A picture that cannot be made is told of, and the evidence
 * stands; rejects when there is nothing to draw, or the evidence cannot be kept.
 */
export async function drawRequested(request: DrawRequest, world: DrawWorld): Promise<DrawResult> {
  const { files } = world;
  const root = files.realpath(request.root);
  if (root === undefined) throw new Error(`${request.root} is not there`);
  const location = graphPaths(world.state, root);
  const drawing = plan(request, root, location, files);
  const artifacts = openArtifacts(files, location.artifacts);
  const { picture, digest, state, counts, symbol, name } = drawing;
  const shown = { name: picture, digest, state };
  const warnings: string[] = [];

  const isDrawn = request.isTextOnly || (artifacts.has(shown, 'svg') && artifacts.has(shown, 'png'));
  const drawn = isDrawn ? undefined : await draw();
  const kept = await world.whileWriting(location, request.waitMs, (): Kept => {
    if (drawn) putPicture(drawn);
    const hasPicture = artifacts.has(shown, 'svg');
    return keepEvidence(files, location.canvas, {
      kind: request.what,
      origin: request.origin,
      ...(symbol !== undefined && { symbol }),
      ...(name !== undefined && { name }),
      counts,
      digest,
      ...(hasPicture && { picture }),
      at: world.now(),
    });
  });
  if (kept.notice !== undefined) warnings.push(kept.notice);
  return {
    evidence: kept.id,
    ...(!request.isTextOnly && artifacts.has(shown, 'svg') && { svg: artifacts.pathOf(picture, 'svg') }),
    ...(!request.isTextOnly && artifacts.has(shown, 'png') && { png: artifacts.pathOf(picture, 'png') }),
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  };

  async function draw(): Promise<{ svg: string; png: Uint8Array | undefined }> {
    const svg = drawing.toSvg(basename(root as string));
    await world.giveWay();
    try {
      const png = await world.renderPng(svg);
      if (!isInFont(svg)) warnings.push('some letters are boxes in the PNG, whose font lacks them; the SVG has them');
      return { svg, png };
    } catch (error) {
      warnings.push(`there is no PNG, only the SVG: ${messageOf(error)}`);
      return { svg, png: undefined };
    }
  }

  function putPicture({ svg, png }: { svg: string; png: Uint8Array | undefined }): void {
    try {
      artifacts.put({ ...shown, ...(symbol !== undefined && { symbol }), time: world.now() }, svg, png);
    } catch (error) {
      warnings.push(`the picture could not be written: ${messageOf(error)}`);
    }
  }
}

function plan({ what, symbol = '' }: DrawRequest, root: string, location: GraphPaths, files: Files): Drawing {
  const reader = openGraph(files, location, root, ANSWERS_FROM);
  if (reader === undefined) throw new Error(`there is no index of ${root}`);
  try {
    const isPartial = readScope(files, location, root) !== undefined;
    const drawing =
      what === 'architecture' ? planArchitecture(reader, isPartial) : planImpact(reader, isPartial, symbol, files);
    if (drawing === undefined) throw new Error(`the index has no symbol ${symbol}`);
    return drawing;
  } finally {
    reader.close();
  }
}
