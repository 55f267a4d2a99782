import type { Files } from '../../platform/files.ts';
import type { Evidence } from '../canvas/canvas.ts';
import { changedIn } from '../query/fresh-answer.ts';
import type { GraphReader } from '../query/graph-reader.ts';
import { architectureDigest, architectureModel } from './architecture/architecture-model.ts';
import { drawArchitecture } from './architecture/architecture-picture.ts';
import { ARCHITECTURE, impactName } from './artifacts.ts';
import { drawPicture, drawTitleBar, layLegend, lineSample, MARGIN, TITLE_BAR } from './frame.ts';
import type { About, LegendItem } from './frame.ts';
import { digestOf, impactCounts, impactModel } from './impact-model.ts';
import type { ImpactModel, ImpactSide } from './impact-model.ts';
import { counted } from '../../text/counted.ts';
import { centreWidth, DASH, drawTestChip, layCentre, locationOf, TEST_CHIP } from './impact-cards.ts';
import { laySide } from './impact-side.ts';
import { element } from './svg.ts';
import { COLOURS } from './theme.ts';

const LEAST_WIDTH = 720;
const GAP = 84;
const CENTRE = { least: 270, most: 420 } as const;
/** The rounded corners of the middle card, where no line arrives. */
const CORNER = 20;

/** Who calls a symbol, the symbol, and what it calls, from left to right. */
export function drawImpact(model: ImpactModel, about: About): string {
  const centreSize = Math.ceil(Math.min(CENTRE.most, Math.max(CENTRE.least, centreWidth(model))));
  const centre = layCentre(model, centreSize);
  const [callers, callees] = [laySide(model.callers, 'callers'), laySide(model.callees, 'callees')];
  const width = Math.max(LEAST_WIDTH, 2 * MARGIN + callers.width + centreSize + callees.width + 2 * GAP);
  const top = TITLE_BAR + MARGIN;
  const body = Math.max(centre.height, callers.height, callees.height);
  const topOf = ({ height }: { height: number }): number => top + Math.round((body - height) / 2);
  const left = MARGIN + callers.width + GAP;
  const port = { top: topOf(centre) + CORNER, bottom: topOf(centre) + centre.height - CORNER };
  const legend = layLegend(LEGEND, width - 2 * MARGIN);
  const legendTop = top + body + MARGIN;
  const title = `Impact of ${model.name}`;
  return drawPicture(
    { width, height: legendTop + 10 + legend.height + 10, title, description: describe(model, about) },
    drawTitleBar(width, title, about),
    callers.draw(MARGIN, topOf(callers), { x: left, ...port }),
    callees.draw(left + centreSize + GAP, topOf(callees), { x: left + centreSize, ...port }),
    centre.draw(left, topOf(centre)),
    element('rect', { x: MARGIN, y: legendTop, width: width - 2 * MARGIN, height: 1, fill: COLOURS.line }),
    legend.draw(MARGIN, legendTop + 10),
  );
}

const LEGEND: readonly LegendItem[] = [
  { text: 'calls the symbol', draw: lineSample(COLOURS.callers) },
  { text: 'is called by it', draw: lineSample(COLOURS.callees) },
  { text: 'thicker: more call sites', draw: lineSample(COLOURS.callers, { width: 4 }) },
  { text: 'possible, not counted', draw: lineSample(COLOURS.possible, { dash: DASH }) },
  { text: 'in a test file', sampleWidth: TEST_CHIP, draw: (x, y) => drawTestChip(x, y - 1) },
  { text: 'line numbers: of the first call for callers, of the definition for callees' },
];

function describe(model: ImpactModel, { root, state }: About): string {
  const { name, kind, callers, callees, files, tests } = model;
  return [
    `${name}, ${kind} at ${locationOf(model)} in ${root} (${state}).`,
    `${listed(callers, 'caller')} ${listed(callees, 'callee')}`,
    `Within two calls: ${counted(files, 'file')}, ${counted(tests, 'test')}.`,
  ].join(' ');
}

function listed({ total, possible, unresolved, items }: ImpactSide, word: string): string {
  const names = items.map(
    (item) =>
      `${item.name} (${locationOf(item)}${item.through ? `, through ${item.through}` : item.isPossible ? ', possible' : ''})`,
  );
  const more = total > items.length ? [`${total - items.length} more`] : [];
  const found = total === 0 ? `No ${word} found` : counted(total, word);
  const doubt = `${counted(possible, 'possible one')}, ${counted(unresolved, 'unresolved site')}`;
  return `${found}${names.length > 0 ? `: ${[...names, ...more].join(', ')}` : ''}; ${doubt}.`;
}

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
