import { counted } from '../../text/counted.ts';
import type { ImpactItem, ImpactModel, ImpactSide } from './impact-model.ts';
import { element, group, outline, tooltip } from './svg.ts';
import type { Svg } from './svg.ts';
import { drawText, widthOf, wrapText } from './text.ts';
import { COLOURS, SIZES, TINTS } from './theme.ts';

export type SideName = 'callers' | 'callees';

export const CARD_HEIGHT = 54;
/** Of all lines around or to what is possible. */
export const DASH = '5 4';
const PADDING = 14;
const TEST = 'test';
const CHIP = { height: 18, padding: 7 } as const;

const name = { size: SIZES.text, bold: true } as const;
const small = { size: SIZES.small } as const;

export const locationOf = ({ path, line }: { path: string; line: number }): string => `${path}:${line}`;
const sitesOf = ({ sites }: ImpactItem): string => (sites === 1 ? '1 call' : `${sites} calls`);
/** How wide the mark of a test is. */
export const TEST_CHIP = widthOf(TEST, small) + 2 * CHIP.padding;

/** How wide the card of an item would like to be. */
export function itemWidth(item: ImpactItem): number {
  const first = widthOf(item.name, name) + 16 + widthOf(sitesOf(item), small);
  const second = widthOf(locationOf(item), small) + (item.isTest ? 12 + TEST_CHIP : 0);
  return 2 * PADDING + Math.max(first, second);
}

/** A caller or callee: its name and how often it calls or is called, where, and whether it is a test. */
export function drawItem(item: ImpactItem, side: SideName, x: number, y: number, width: number): Svg {
  const colour = item.isPossible ? COLOURS.possible : COLOURS[side];
  const right = x + width - PADDING;
  const inner = width - 2 * PADDING;
  const possible = item.through ? `, through ${item.through}` : item.isPossible ? ', possible' : '';
  return group(
    { 'data-part': side },
    tooltip(`${item.key} · ${locationOf(item)} · ${sitesOf(item)}${possible}${item.isTest ? ', test' : ''}`),
    outline(
      { x, y, width, height: CARD_HEIGHT },
      {
        rx: 8,
        fill: COLOURS.card,
        stroke: item.isPossible ? COLOURS.possible : COLOURS.line,
        'stroke-dasharray': item.isPossible ? DASH : undefined,
      },
    ),
    drawText(x + PADDING, y + 22, item.name, { ...name, width: inner - 16 - widthOf(sitesOf(item), small) }),
    drawText(right, y + 22, sitesOf(item), { ...small, fill: colour, anchor: 'end' }),
    drawText(x + PADDING, y + 42, locationOf(item), {
      ...small,
      fill: COLOURS.muted,
      width: inner - (item.isTest ? 12 + TEST_CHIP : 0),
    }),
    item.isTest ? drawTestChip(right - TEST_CHIP, y + 29) : undefined,
  );
}

export function drawTestChip(x: number, y: number): Svg {
  return group(
    {},
    element('rect', { x, y, width: TEST_CHIP, height: CHIP.height, rx: CHIP.height / 2, fill: TINTS.violet }),
    drawText(x + CHIP.padding, y + 13.5, TEST, { ...small, fill: COLOURS.tests }),
  );
}

/** What a side without entries says: never a bare nothing. */
export function emptyLines({ unresolved }: ImpactSide, side: SideName): readonly [string, string] {
  return ['none found', `${unresolved} unresolved ${side === 'callers' ? 'of this name' : 'in its file'}`];
}

export function drawEmpty(lines: readonly [string, string], x: number, y: number, width: number): Svg {
  return group(
    {},
    element('rect', { x, y, width, height: CARD_HEIGHT, rx: 8, fill: TINTS.grey }),
    drawText(x + PADDING, y + 22, lines[0], { ...name, width: width - 2 * PADDING }),
    drawText(x + PADDING, y + 42, lines[1], { ...small, fill: COLOURS.muted, width: width - 2 * PADDING }),
  );
}

export interface CentreCard {
  readonly height: number;
  draw(x: number, y: number): Svg;
}

const LINE = 17;
const NAME_LINE = 21;
const RADIUS = 10;
const heading = { size: SIZES.heading, bold: true } as const;
const figure = { size: SIZES.small, bold: true } as const;

/** Names and signatures have several lines; the rest needs room for all of it. */
export function centreWidth(model: ImpactModel): number {
  const rows = countRows(model).map(([label, value]) => widthOf(label, small) + 16 + widthOf(value, figure));
  const texts = [widthOf(model.name, heading), widthOf(locationOf(model), small), widthOf(model.signature, small) / 2];
  return 2 * PADDING + Math.max(...rows, ...texts);
}

/** The symbol itself: name and kind on a dark ground, then signature, place and counts. */
export function layCentre(model: ImpactModel, width: number): CentreCard {
  const inner = width - 2 * PADDING;
  const names = wrapText(model.name, inner, heading, 3);
  const signature = wrapText(model.signature, inner, small, 5);
  const counts = countRows(model);
  const head = 12 + LINE + names.length * NAME_LINE + 10;
  const height =
    head + 12 + (signature.length + 1) * LINE + (signature.length > 0 ? 6 : 0) + 14 + counts.length * 20 + 8;
  return {
    height,
    draw(x, y) {
      const left = x + PADDING;
      const right = x + width - PADDING;
      let base = y + 12;
      const parts: Svg[] = [
        element('rect', { x, y, width, height, rx: RADIUS, fill: COLOURS.card, stroke: COLOURS.focus }),
        element('rect', { x, y, width, height: head, rx: RADIUS, fill: COLOURS.focus }),
        element('rect', { x, y: y + head - RADIUS, width, height: RADIUS, fill: COLOURS.focus }),
      ];
      const put = (text: string, step: number, options: Parameters<typeof drawText>[3]): void => {
        base += step;
        parts.push(drawText(left, base - 5, text, { width: inner, ...options }));
      };
      put(model.kind, LINE, { ...small, fill: COLOURS.onFocusMuted });
      for (const each of names) put(each, NAME_LINE, { ...heading, fill: COLOURS.onFocus });
      base = y + head + 12;
      for (const each of signature) put(each, LINE, { ...small, fill: COLOURS.ink });
      if (signature.length > 0) base += 6;
      put(locationOf(model), LINE, { ...small, fill: COLOURS.muted });
      base += 7;
      parts.push(element('path', { d: `M${left} ${base}H${right}`, stroke: COLOURS.line, fill: 'none' }));
      base += 7;
      for (const [label, value, fill] of counts) {
        base += 20;
        parts.push(drawText(left, base - 6, label, { ...small, fill: COLOURS.muted }));
        parts.push(drawText(right, base - 6, value, { ...figure, fill, anchor: 'end' }));
      }
      return group(
        { 'data-part': 'symbol' },
        tooltip(`${model.key} · ${locationOf(model)} · ${model.signature}`),
        ...parts,
      );
    },
  };
}

function countRows(model: ImpactModel): (readonly [label: string, value: string, fill: string])[] {
  const { callers, callees, callerFiles, files, tests } = model;
  const rows: (readonly [string, string, string])[] = [
    [
      'callers',
      callers.total === 0 ? 'none found' : `${callers.total} from ${counted(callerFiles, 'file')}`,
      COLOURS.callers,
    ],
    ['callees', callees.total === 0 ? 'none found' : String(callees.total), COLOURS.callees],
    ['within two calls', `${counted(files, 'file')}, ${counted(tests, 'test')}`, COLOURS.ink],
  ];
  const possible = callers.possible + callees.possible;
  if (callers.dispatched) rows.push(['through other members', String(callers.dispatched), COLOURS.possible]);
  if (possible > 0) rows.push(['possible', String(possible), COLOURS.possible]);
  if (callers.unresolved > 0) rows.push(['unresolved of this name', String(callers.unresolved), COLOURS.possible]);
  return rows;
}
