import { CARD_HEIGHT, DASH, drawEmpty, drawItem, emptyLines, itemWidth } from './impact-cards.ts';
import type { SideName } from './impact-cards.ts';
import { MOST_ITEMS } from './impact-model.ts';
import type { ImpactItem, ImpactSide } from './impact-model.ts';
import { element, group } from './svg.ts';
import type { Svg } from './svg.ts';
import { drawText, widthOf } from './text.ts';
import { COLOURS, SIZES } from './theme.ts';

/** All callers or all callees, one below the other. */
export interface SideBlock {
  readonly width: number;
  readonly height: number;
  /** `port` is where the edge of the middle card is, and how far lines may spread along it. */
  draw(x: number, y: number, port: Port): Svg;
}

export interface Port {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

const WIDTH = { least: 220, most: 380 } as const;
const HEADING = 28;
const NOTE = 20;
const STEP = CARD_HEIGHT + 10;
const ARROW = { length: 9, half: 5 } as const;

const heading = { size: SIZES.heading, bold: true } as const;
const small = { size: SIZES.small } as const;

export function laySide(side: ImpactSide, name: SideName): SideBlock {
  const { items } = side;
  const title = `${name === 'callers' ? 'Callers' : 'Callees'}${side.total > 0 ? ` · ${side.total}` : ''}`;
  const empty = items.length === 0 ? emptyLines(side, name) : undefined;
  const notes = empty ? [] : notesOf(side, name);
  const wanted = [
    widthOf(title, heading),
    ...items.map(itemWidth),
    ...notes.map((note) => widthOf(note, small)),
    ...(empty ?? []).map((line) => widthOf(line, { ...small, bold: true }) + 28),
  ];
  const width = Math.ceil(Math.min(WIDTH.most, Math.max(WIDTH.least, ...wanted)));
  const height = HEADING + Math.max(1, items.length) * STEP - 10 + notes.length * NOTE + (notes.length > 0 ? 6 : 0);
  return { width, height, draw };

  function draw(x: number, y: number, port: Port): Svg {
    const top = y + HEADING;
    const below = top + items.length * STEP - 10 + 6;
    return group(
      {},
      drawText(x, y + 15, title, { ...heading, fill: COLOURS[name], width }),
      ...items.map((item, at) => drawCall(item, at, top + at * STEP)),
      ...items.map((item, at) => drawItem(item, name, x, top + at * STEP, width)),
      empty && drawEmpty(empty, x, top, width),
      ...notes.map((note, at) => drawText(x, below + at * NOTE + 14, note, { ...small, fill: COLOURS.muted, width })),
    );

    /** From the caller to what it calls. Lines leave and arrive level, and do not cross. */
    function drawCall(item: ImpactItem, at: number, cardTop: number): Svg {
      const outer = { x: name === 'callers' ? x + width : x, y: cardTop + CARD_HEIGHT / 2 };
      const share = items.length === 1 ? 0.5 : at / (items.length - 1);
      const spread = Math.min(port.bottom - port.top, (items.length - 1) * MOST_APART);
      const inner = { x: port.x, y: (port.top + port.bottom) / 2 + (share - 0.5) * spread };
      const [from, to] = name === 'callers' ? [outer, inner] : [inner, outer];
      const end = to.x - ARROW.length;
      const bend = (from.x + end) / 2;
      const colour = item.isPossible ? COLOURS.possible : COLOURS[name];
      return group(
        {},
        element('path', {
          d: `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to.y} ${end} ${to.y}`,
          stroke: colour,
          'stroke-width': lineWidth(item),
          'stroke-dasharray': item.isPossible ? DASH : undefined,
          fill: 'none',
        }),
        element('path', {
          d: `M${to.x} ${to.y}L${end} ${to.y - ARROW.half}L${end} ${to.y + ARROW.half}Z`,
          fill: colour,
        }),
      );
    }
  }
}

const MOST_APART = 22;

function lineWidth({ sites }: ImpactItem): number {
  return Math.min(4, 1.5 + Math.log2(sites) / 2);
}

/** What is not listed, and what is not known. */
function notesOf({ total, possible, dispatched = 0, unresolved, items }: ImpactSide, name: SideName): string[] {
  const notes: string[] = [];
  if (total > MOST_ITEMS) notes.push(`+${total - MOST_ITEMS} more`);
  const shown = items.filter(({ through }) => through !== undefined).length;
  if (dispatched > shown) notes.push(`+${dispatched - shown} through other members`);
  const hidden = possible - (items.filter(({ isPossible }) => isPossible).length - shown);
  if (hidden > 0) notes.push(`+${hidden} possible`);
  if (total === 0 && unresolved > 0)
    notes.push(`none certain; ${emptyLines({ total, possible, unresolved, items }, name)[1]}`);
  return notes;
}
