import { element, group, outline, tooltip } from '../svg.ts';
import type { Svg } from '../svg.ts';
import { drawText, fitText, widthOf } from '../text.ts';
import { COLOURS, SIZES } from '../theme.ts';
import type { ArchitectureModel, DistrictCard } from './architecture-model.ts';
import { CARD_HEIGHT } from './grid.ts';
import type { LayerStyle } from './layer-style.ts';

const PADDING = 14;
const LARGEST_DOT = 8;
const SMALLEST_DOT = 2.5;

export function drawCard(
  card: DistrictCard,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  style: LayerStyle,
  typeWord: ArchitectureModel['typeWord'],
  mostCentral: number,
): Svg {
  const left = x + PADDING;
  const right = x + width - PADDING;
  const small = { size: SIZES.small };
  const muted = { ...small, fill: COLOURS.muted };
  const into = `${shortCount(card.importsIn)} in`;
  const out = `${shortCount(card.importsOut)} out`;
  const counted = [countOf(card.classes, typeWord), countOf(card.functions, 'functions')].join(' · ');
  const radius = dotRadius(card.centrality, mostCentral);
  return group(
    {},
    tooltip(tellCard(card, typeWord)),
    outline({ x, y, width, height: CARD_HEIGHT }, { rx: 8, fill: COLOURS.card, stroke: style.soft }),
    element('rect', { x: x + 0.5, y: y + 12, width: 3.5, height: CARD_HEIGHT - 24, rx: 1.5, fill: style.accent }),
    drawText(left, y + 23, card.name, { size: 14, bold: true, width: right - left - 2 * LARGEST_DOT - 8 }),
    element('circle', { cx: right - LARGEST_DOT, cy: y + 18, r: radius, fill: style.accent }),
    drawText(left, y + 41, countOf(card.modules, 'modules'), {
      ...muted,
      width: right - left - widthOf(into, small) - 10,
    }),
    drawText(right, y + 41, into, { ...muted, anchor: 'end' }),
    drawText(left, y + 57, counted, { ...muted, width: right - left - widthOf(out, small) - 10 }),
    drawText(right, y + 57, out, { ...muted, anchor: 'end' }),
    drawText(left, y + 74, shownModules(card, right - left), { ...small, fill: style.accent }),
  );
}

/** The area grows with the share, so that a dot twice as large stands for twice as many imports. */
export function dotRadius(centrality: number, most: number): number {
  return most === 0 ? SMALLEST_DOT : Math.max(SMALLEST_DOT, LARGEST_DOT * Math.sqrt(centrality / most));
}

/** As many of the top modules as have room, whole; the first at any rate. */
function shownModules({ top }: DistrictCard, width: number): string {
  const font = { size: SIZES.small };
  const names = top.map(shortName);
  for (let count = names.length; count > 1; count -= 1) {
    const text = names.slice(0, count).join(', ');
    if (widthOf(text, font) <= width) return text;
  }
  // Two that are a little shortened say more than one alone.
  const half = names
    .slice(0, 2)
    .map((name) => fitText(name, (width - widthOf(', ', font)) / Math.min(2, names.length), font));
  return half.join(', ');
}

const SAYS_NOTHING = new Set(['index', '__init__', 'mod', 'main', 'lib', 'init']);

/** Without its ending; of names that many modules have, with the directory. */
function shortName(path: string): string {
  const parts = path.split('/');
  const last = (parts.pop() ?? '').replace(/\.\w+$/, '');
  return SAYS_NOTHING.has(last) && parts.length > 0 ? `${parts.pop()}/${last}` : last;
}

export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  const [by, unit] = count < 999_500 ? [1_000, 'k'] : [1_000_000, 'M'];
  const scaled = count / by;
  return `${scaled < 9.95 ? Math.round(scaled * 10) / 10 : Math.round(scaled)}${unit}`;
}

/** `1 module`, `2 modules`. */
export function countOf(count: number, plural: string, write: (count: number) => string = shortCount): string {
  return `${write(count)} ${count === 1 ? plural.replace(/(sses|s)$/, (end) => (end === 's' ? '' : 'ss')) : plural}`;
}

function tellCard(card: DistrictCard, typeWord: string): string {
  return [
    card.name,
    `${card.modules} modules, ${card.classes} ${typeWord}, ${card.functions} functions`,
    `${card.importsIn} imports in, ${card.importsOut} out, ${Math.round(card.centrality * 1_000) / 10} % of all`,
    ...(card.top.length > 0 ? [card.top.join(', ')] : []),
  ].join('; ');
}
