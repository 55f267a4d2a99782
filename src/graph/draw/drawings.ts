import type { Files } from '../../platform/files.ts';
import type { Evidence } from '../canvas/canvas.ts';
import { changedIn } from '../query/fresh-answer.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { architectureDigest, architectureModel } from './architecture/architecture-model.ts';
import { drawArchitecture } from './architecture/architecture-picture.ts';
import { ARCHITECTURE, impactName } from './artifacts.ts';
import type { About } from './frame.ts';
import { digestOf, impactCounts, impactModel } from './impact-model.ts';
import { drawImpact } from './impact-picture.ts';

/** What a picture would show, before it is drawn. */
export interface Drawing {
  /** Base name of its files. */
  readonly picture: string;
  readonly digest: string;
  readonly state: About['state'];
  readonly counts: Readonly<Record<string, number>>;
  /** Key and name, of an impact. */
  readonly symbol?: string;
  readonly name?: string;
  /** `root` is what it is called in the picture. */
  toSvg(root: string): string;
}

/** `isPartial`: the project has more files than are indexed. */
export function planArchitecture(reader: GraphReader, isPartial: boolean): Drawing {
  const model = architectureModel(reader);
  const digest = architectureDigest(model);
  const { files, symbols, edges } = reader.counts;
  const { modules, districts } = model;
  const state = isPartial ? 'partial' : 'stable';
  return {
    picture: ARCHITECTURE,
    digest,
    state,
    counts: { files, symbols, edges, modules, districts },
    toSvg: (root) => drawArchitecture(model, { root, digest, state }),
  };
}

/** Undefined when there is no such symbol. */
export function planImpact(
  reader: GraphReader,
  isPartial: boolean,
  key: string,
  files: Pick<Files, 'stat'>,
): Drawing | undefined {
  const id = reader.byKey(key);
  if (id === undefined) return undefined;
  const model = impactModel(reader, id);
  const digest = digestOf(model);
  const named = new Set([model, ...model.callers.items, ...model.callees.items].map(({ path }) => path));
  const isStale = changedIn(reader, [...named], files).length > 0;
  const state = isStale ? 'stale' : isPartial ? 'partial' : 'stable';
  return {
    picture: impactName(model.name, key),
    digest,
    state,
    counts: impactCounts(model),
    symbol: key,
    name: model.name,
    toSvg: (root) => drawImpact(model, { root, digest, state }),
  };
}

/** The digest that the evidence would have if it were found out now; undefined when what it is about is gone. */
export function digestNow(
  reader: GraphReader,
  { kind, symbol }: Pick<Evidence, 'kind' | 'symbol'>,
): string | undefined {
  if (kind === 'architecture') return architectureDigest(architectureModel(reader));
  const id = symbol === undefined ? undefined : reader.byKey(symbol);
  return id === undefined ? undefined : digestOf(impactModel(reader, id));
}
