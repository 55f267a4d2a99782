import type { AnswerState } from '../query/answer.ts';
import { element, group, outline, plain } from './svg.ts';
import type { Svg } from './svg.ts';
import { drawText, widthOf } from './text.ts';
import { COLOURS, FAMILY, SIZES } from './theme.ts';

/** What every picture says of itself. */
export interface About {
  /** Base name of the root. */
  readonly root: string;
  /** Of the model that is shown. */
  readonly digest: string;
  readonly state: AnswerState;
}

export interface PictureFrame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** The whole of it in words, for those who do not see it. */
  readonly description: string;
}

export const MARGIN = 24;
/** Height of the bar with title, root, digest and state. */
export const TITLE_BAR = 64;

/** The finished picture: an opaque page with what is on it, in this order. */
export function drawPicture({ width, height, title, description }: PictureFrame, ...parts: readonly Svg[]): string {
  const picture = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': 'title desc',
      'font-family': FAMILY,
    },
    element('title', { id: 'title' }, plain(title)),
    element('desc', { id: 'desc' }, plain(description)),
    element('rect', { width, height, fill: COLOURS.page }),
    ...parts,
  );
  return `${picture}\n`;
}

const SHORT_DIGEST = 8;

/** Title on the left; root, digest and state on the right. */
export function drawTitleBar(width: number, title: string, { root, digest, state }: About): Svg {
  const facts = `${digest.slice(0, SHORT_DIGEST)} · ${state}`;
  const right = width - MARGIN;
  const half = (width - 3 * MARGIN) / 2;
  const rootWidth = Math.min(half, widthOf(root, { size: SIZES.text, bold: true }));
  const beside = Math.max(rootWidth, widthOf(facts, { size: SIZES.small }));
  return group(
    {},
    element('rect', { width, height: TITLE_BAR, fill: COLOURS.card }),
    element('rect', { y: TITLE_BAR - 1, width, height: 1, fill: COLOURS.line }),
    drawText(MARGIN, 39, title, { size: SIZES.title, bold: true, width: width - 3 * MARGIN - beside }),
    drawText(right, 28, root, { bold: true, anchor: 'end', width: half }),
    drawText(right, 47, facts, { size: SIZES.small, fill: COLOURS.muted, anchor: 'end' }),
  );
}

/** One thing that the legend explains, or a note beside them. */
export interface LegendItem {
  readonly text: string;
  /** Puts its sample into a box at x, y, as wide as `sampleWidth` says and `SAMPLE` is high. */
  draw?(x: number, y: number): Svg;
  readonly sampleWidth?: number;
}

/** The usual size of what stands before the meaning. */
export const SAMPLE = { width: 28, height: 16 } as const;
const ROW = 24;
const GAP = 24;

export interface Legend {
  readonly height: number;
  draw(x: number, y: number): Svg;
}

/** Samples with their meaning, in as many rows as they need. */
export function layLegend(items: readonly LegendItem[], width: number): Legend {
  const font = { size: SIZES.small };
  let x = 0;
  let row = 0;
  const placed = items.map((item) => {
    const sample = item.draw ? (item.sampleWidth ?? SAMPLE.width) + 8 : 0;
    const own = sample + widthOf(item.text, font);
    if (x > 0 && x + own > width) {
      x = 0;
      row += 1;
    }
    const at = { item, x, y: row * ROW, sample };
    x += own + GAP;
    return at;
  });
  return {
    height: placed.length === 0 ? 0 : (row + 1) * ROW,
    draw: (left, top) =>
      group(
        { 'data-part': 'legend' },
        ...placed.map((at) =>
          group(
            {},
            at.item.draw?.(left + at.x, top + at.y + (ROW - SAMPLE.height) / 2),
            drawText(left + at.x + at.sample, top + at.y + 16, at.item.text, {
              size: SIZES.small,
              fill: COLOURS.muted,
              width: width - at.sample,
            }),
          ),
        ),
      ),
  };
}

/** A sample for the legend: a line across the middle. */
export function lineSample(stroke: string, more: { readonly width?: number; readonly dash?: string } = {}) {
  return (x: number, y: number): Svg =>
    element('path', {
      d: `M${x} ${y + SAMPLE.height / 2}H${x + SAMPLE.width}`,
      stroke,
      'stroke-width': more.width ?? 2,
      'stroke-dasharray': more.dash,
      fill: 'none',
    });
}

/** A sample for the legend: a filled box. */
export function boxSample(fill: string, stroke: string = COLOURS.line) {
  return (x: number, y: number): Svg => outline({ x, y, ...SAMPLE }, { rx: 4, fill, stroke });
}
