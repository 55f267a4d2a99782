import { boxSample, drawPicture, drawTitleBar, layLegend, lineSample, MARGIN, SAMPLE } from '../frame.ts';
import type { About, LegendItem } from '../frame.ts';
import { element, group, tooltip } from '../svg.ts';
import type { Svg } from '../svg.ts';
import { drawText, wrapText } from '../text.ts';
import { COLOURS, SIZES } from '../theme.ts';
import type { ArchitectureModel, DistrictCard } from './architecture-model.ts';
import { countOf, drawCard } from './card.ts';
import { drawEdge, drawEdgeLabel, widthOfEdge } from './draw-edge.ts';
import { layGrid, SIDE, WIDTH } from './grid.ts';
import { STYLES } from './layer-style.ts';
import type { LayerName } from './layers.ts';
import { layOut } from './layout.ts';
import type { Layout } from './layout.ts';
import { placeCards } from './place-cards.ts';
import { routeEdges } from './route-edges.ts';

/** What is not in the picture, and why. */
function notesOf({ moreImports, cycles, inCycles, leftOut }: ArchitectureModel): readonly string[] {
  const { vendored, unread } = leftOut;
  const without = [
    ...(vendored > 0 ? [countOf(vendored, 'vendored modules', String)] : []),
    ...(unread > 0 ? [countOf(unread, 'unread files', String)] : []),
  ];
  return [
    ...(moreImports > 0 ? [`${countOf(moreImports, 'more imports', String)} between districts, not drawn`] : []),
    ...(cycles > 0 ? [`${inCycles} districts in ${countOf(cycles, 'import cycles', String)}`] : []),
    ...(without.length > 0 ? [`left out: ${without.join(', ')}`] : []),
  ];
}

/** What a band says of its districts, and the legend of the band. */
export function meaningOf({ layers }: Pick<ArchitectureModel, 'layers'>, layer: LayerName): string {
  const cards = layers.find(({ name }) => name === layer)?.cards ?? [];
  if (cards.length === 0) return `${STYLES[layer].meaning}: none`;
  const isStrict = cards.every(({ importsIn, importsOut }) => (layer === 'entry' ? importsIn : importsOut) === 0);
  return isStrict ? STYLES[layer].meaning : STYLES[layer].roughly;
}

/** What belongs to the project and is no part of the product. */
function asideOf({ leftOut: { tests, samples } }: ArchitectureModel): string | undefined {
  const parts = [
    ...(tests > 0 ? [countOf(tests, 'test modules', String)] : []),
    ...(samples > 0 ? [`${countOf(samples, 'modules', String)} of docs and samples`] : []),
  ];
  return parts.length === 0 ? undefined : `Beside the product: ${parts.join(', ')}`;
}

/** `1108 modules in 30 districts`. */
function sizeOf({ modules, districts }: ArchitectureModel): string {
  return `${countOf(modules, 'modules', String)} in ${countOf(districts, 'districts', String)}`;
}

function describeModel(model: ArchitectureModel): string {
  const layers = model.layers.map(({ name, cards }) => {
    const names = cards.map((card) => card.name);
    return `${STYLES[name].title}${names.length === 0 ? ': none' : ` (${meaningOf(model, name)}): ${names.join(', ')}`}.`;
  });
  const shown = countOf(model.edges.length, 'lines', String);
  return [
    `${sizeOf(model)}.`,
    ...layers,
    `Imports between districts as ${shown}.`,
    ...[asideOf(model) ?? [], ...notesOf(model)].flat().map((note) => `${note}.`),
  ].join(' ');
}

const LEAST_HEIGHT = 520;
const MOST_HEIGHT = 1_000;
const LINE = 18;
const ASIDE = 30;

/** The whole picture as SVG: the same model, the same bytes. */
export function drawArchitecture(whole: ArchitectureModel, about: About): string {
  const placement = placeCards(whole);
  const grid = layGrid(placement.columns);
  const legend = layLegend(legendOf(whole), WIDTH - 2 * MARGIN);
  const aside = asideOf(whole);
  const below = 14 + (aside === undefined ? 0 : ASIDE + 8);
  const arrange = (model: ArchitectureModel) => {
    const notes = wrapText(notesOf(model).join(' · '), WIDTH - 2 * MARGIN, { size: SIZES.small }, 2);
    const foot = below + notes.length * LINE + (notes.length > 0 ? 6 : 0) + legend.height + 12;
    const routed = routeEdges(model.edges, placement, grid);
    const layout = layOut(placement, routed, LEAST_HEIGHT - foot, MOST_HEIGHT - foot);
    return { model, notes, routed, layout, height: Math.ceil(layout.bottom + foot) };
  };
  let arranged = arrange(whole);
  // Lines that have no room between six full rows are told, not squeezed in.
  while (arranged.height > MOST_HEIGHT && arranged.model.edges.length > 0)
    arranged = arrange(withoutLightest(arranged.model));
  const { model, notes, routed, layout, height } = arranged;
  const cards = model.layers.flatMap((layer) => layer.cards);
  const nameOf = new Map(cards.map(({ id, name }) => [id, name]));
  const mostCentral = Math.max(0, ...cards.map(({ centrality }) => centrality));
  const heaviest = model.edges[0]?.imports ?? 1;

  // Circles last, on top of what they cross.
  const inOrder = routed.routes.toReversed().toSorted((a, b) => Number(a.edge.isCycle) - Number(b.edge.isCycle));
  const colourOf = (from: string, isCycle: boolean): string =>
    isCycle ? COLOURS.cycle : STYLES[from.split(' ')[0] as LayerName].soft;
  const title = `Architecture of ${about.root}`;
  return drawPicture(
    { width: WIDTH, height, title, description: describeModel(model) },
    drawTitleBar(WIDTH, `Architecture · ${sizeOf(model)}`, about),
    ...layout.bands.map((band) => drawBand(band, model)),
    ...inOrder.map((route) => {
      const { from, to, imports, isCycle } = route.edge;
      const told = `${nameOf.get(from)} → ${nameOf.get(to)}: ${countOf(imports, 'imports')}${isCycle ? ', in a cycle' : ''}`;
      return drawEdge(route, layout, widthOfEdge(imports, heaviest, layout.widest), colourOf(from, isCycle), told);
    }),
    ...inOrder.flatMap((route) => drawEdgeLabel(route, layout, colourOf(route.edge.from, route.edge.isCycle)) ?? []),
    ...placement.rows.flatMap(({ layer, cards: own }, row) =>
      own.flatMap((card, column) => {
        if (card === undefined) return [];
        const place = { x: grid.left(column), y: layout.rows[row] as number, width: grid.cardWidth };
        return [drawCard(card, place, STYLES[layer], model.typeWord, mostCentral)];
      }),
    ),
    ...(aside === undefined ? [] : [drawAside(aside, layout.bottom + 14)]),
    ...notes.map((note, line) =>
      drawText(MARGIN, layout.bottom + below + 12 + line * LINE, note, { size: SIZES.small, fill: COLOURS.muted }),
    ),
    legend.draw(MARGIN, height - 12 - legend.height),
  );
}

/** One quiet box for all that is no part of the product. */
function drawAside(text: string, top: number): Svg {
  const box = { x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height: ASIDE, rx: 8 };
  return group(
    {},
    element('rect', { ...box, fill: 'none', stroke: COLOURS.line }),
    drawText(MARGIN + 16, top + 19, text, { size: SIZES.small, fill: COLOURS.muted, width: WIDTH - 2 * MARGIN - 32 }),
  );
}

function withoutLightest(model: ArchitectureModel): ArchitectureModel {
  const lightest = model.edges.at(-1)?.imports ?? 0;
  return { ...model, edges: model.edges.slice(0, -1), moreImports: model.moreImports + lightest };
}

function drawBand({ layer, top, height }: Layout['bands'][number], model: ArchitectureModel): Svg {
  const { title, accent, band } = STYLES[layer];
  const cards = model.layers.find(({ name }) => name === layer)?.cards ?? [];
  const rest = cards.find(({ districts, id }) => districts > 1 || id.endsWith('rest'));
  const x = MARGIN + 16;
  return group(
    {},
    element('rect', { x: MARGIN, y: top, width: WIDTH - 2 * MARGIN, height, rx: 12, fill: band }),
    drawText(x, top + 25, title, { size: SIZES.heading, bold: true, fill: accent }),
    drawText(x, top + 42, meaningOf(model, layer), { size: SIZES.small, fill: COLOURS.muted }),
    rest && drawRest(rest, x, top + 53),
  );
}

const REST = { width: SIDE - 22, height: 42 } as const;

function drawRest({ name, districts, modules, top }: DistrictCard, x: number, y: number): Svg {
  return group(
    {},
    tooltip(`${name}: ${top.join(', ')}${districts > top.length ? ', …' : ''}`),
    element('rect', { x: x - 4, y, ...REST, rx: 8, fill: COLOURS.card, stroke: COLOURS.line }),
    drawText(x + 6, y + 17, name, { size: SIZES.small, bold: true, width: REST.width - 16 }),
    drawText(x + 6, y + 33, countOf(modules, 'modules'), {
      size: SIZES.small,
      fill: COLOURS.muted,
      width: REST.width - 16,
    }),
  );
}

function legendOf(model: ArchitectureModel): readonly LegendItem[] {
  const { cycles } = model;
  const layers = (Object.keys(STYLES) as LayerName[]).map((name) => ({
    text: `${STYLES[name].title}: ${meaningOf(model, name)}`,
    draw: boxSample(STYLES[name].band, STYLES[name].soft),
  }));
  const widths: LegendItem = {
    text: 'imports, in the colour of who imports: the more, the wider; number from 2 on',
    draw: lineSample(STYLES.core.soft, { width: 4 }),
  };
  const dot: LegendItem = {
    text: 'dot: share of the imports between districts',
    draw: (x, y) =>
      element('circle', { cx: x + SAMPLE.width / 2, cy: y + SAMPLE.height / 2, r: 6, fill: STYLES.core.accent }),
  };
  const circle: LegendItem = {
    text: cycles > 0 ? 'import cycle; its districts stand where most of their imports lead' : 'import cycle: none',
    draw: lineSample(COLOURS.cycle, { width: 3 }),
  };
  return [...layers, widths, dot, circle];
}
