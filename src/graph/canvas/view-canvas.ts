import { digestNow } from '../draw/drawings.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { graphPaths } from '../store/graph-paths.ts';
import type { Evidence } from './canvas.ts';
import { picturesOf, readCanvas } from './read-canvas.ts';
import type { CanvasOptions } from './read-canvas.ts';

/** An evidence, held against the code as it is indexed now. */
export interface SeenEvidence extends Evidence {
  /** What it shows has changed since. */
  readonly outdated: boolean;
  /** Absolute paths, of those that are there. */
  readonly pictures: readonly string[];
}

/** What `read` and `status` tell of a canvas. */
export interface CanvasView {
  readonly root: string;
  /** The symbol whose impact was asked for last. */
  readonly focus?: string;
  /** Newest first. */
  readonly evidence: readonly SeenEvidence[];
  readonly artifacts: string;
  /** There is no index to hold the evidence against, so none of it is known to be outdated. */
  readonly unchecked?: true;
  readonly problem?: string;
}

/** `reader`: the graph as it is; without one, nothing can be told to be outdated. */
export function viewCanvas(options: CanvasOptions, reader: GraphReader | undefined): CanvasView {
  const { canvas, problem } = readCanvas(options);
  const location = graphPaths(options.state, options.root);
  const seen = (evidence: Evidence): SeenEvidence => ({
    ...evidence,
    outdated: reader !== undefined && digestNow(reader, evidence) !== evidence.digest,
    pictures: picturesOf(evidence, options.files, location),
  });
  return {
    root: options.root,
    ...(canvas?.focus !== undefined && { focus: canvas.focus }),
    evidence: (canvas?.evidence ?? []).toSorted(newestFirst).map(seen),
    artifacts: location.artifacts,
    ...(reader === undefined && canvas !== undefined && canvas.evidence.length > 0 && { unchecked: true }),
    ...(problem !== undefined && { problem }),
  };
}

function newestFirst(a: Evidence, b: Evidence): number {
  return b.at - a.at || Number(b.id.slice(1)) - Number(a.id.slice(1));
}
