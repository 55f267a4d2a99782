import type { Files } from '../../platform/files.ts';
import { basename } from '../../platform/paths.ts';
import { messageOf } from '../../text/message-of.ts';
import { keepEvidence } from '../canvas/store.ts';
import type { Kept } from '../canvas/store.ts';
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
