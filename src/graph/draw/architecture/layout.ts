import { TITLE_BAR } from '../frame.ts';
import type { LayerName } from './layers.ts';
import { CARD_HEIGHT } from './grid.ts';
import type { Placement } from './place-cards.ts';
import { PILL } from './ports.ts';
import type { Port } from './ports.ts';
import type { Route, Routes } from './route-edges.ts';

export interface Layout {
  readonly bands: readonly { readonly layer: LayerName; readonly top: number; readonly height: number }[];
  /** Upper edge of the cards of each row. */
  readonly rows: readonly number[];
  /** Of a track in the space below a row. */
  track(gap: number, nth: number): number;
  /** Widest line that leaves the next one apart. */
  readonly widest: number;
  readonly bottom: number;
}

export const ARROW = 9;
const LAYERS: readonly LayerName[] = ['entry', 'core', 'foundation'];
const PAD = 12;
const BETWEEN = 14;
const EMPTY = 52;
const NEAR = 4;
const PITCH = { most: 11, least: 5 } as const;

/** How high all is; `least` and `most` are what there is for it below the title. */
export function layOut({ rows }: Placement, { routes, tracks }: Routes, least: number, most: number): Layout {
  const ports = routes.flatMap(({ source, target }: Route) => [source, target]);
  const spaceAt = (row: number, side: Port['side']): number =>
    Math.max(
      NEAR,
      ...ports
        .filter(({ cell, side: own }) => cell.row === row && own === side)
        .map(({ label, isTarget }) => (label === '' ? 0 : PILL.height + 3) + (isTarget ? ARROW : 3) + NEAR),
    );
  const count = tracks.reduce((sum, own) => sum + own, 0);
  const plain = lay(0, 0);
  const pitch = Math.min(PITCH.most, Math.max(PITCH.least, (most - plain.bottom) / Math.max(1, count)));
  const tight = lay(pitch, 0);
  return tight.bottom >= least ? tight : lay(pitch, (least - tight.bottom) / LAYERS.length);

  function lay(distance: number, extra: number): Layout {
    let y = TITLE_BAR + 16;
    const tops: number[] = [];
    const firstTrack: number[] = [];
    const bands = LAYERS.map((layer, index) => {
      const own = rows.flatMap((row, number) => (row.layer === layer ? [number] : []));
      if (index > 0) y += BETWEEN;
      const before = (own[0] ?? tops.length) - 1;
      if (before >= 0) y = Math.max(y, spaceAfter(before));
      if (own.length === 0) {
        const top = y;
        y += EMPTY + extra;
        return { layer, top, height: EMPTY + extra };
      }
      const top = y;
      // Numbers stand on the band of the card that they belong to.
      y += Math.max(PAD, spaceAt(own[0] as number, 'top')) + extra / 2;
      own.forEach((row, nth) => {
        if (nth > 0) y = Math.max(y + 2 * PAD, spaceAfter(row - 1) + spaceAt(row, 'top'));
        tops[row] = y;
        y += CARD_HEIGHT;
        firstTrack[row] =
          y + (row === own.at(-1) ? Math.max(PAD, spaceAt(row, 'bottom')) + extra / 2 : spaceAt(row, 'bottom'));
      });
      y += Math.max(PAD, spaceAt(own.at(-1) as number, 'bottom')) + extra / 2;
      return { layer, top, height: y - top };
    });
    const last = rows.length - 1;
    const bottom = last < 0 || tracks[last] === 0 ? y : Math.max(y, spaceAfter(last));
    return {
      bands,
      rows: tops,
      track: (gap, nth) => (firstTrack[gap] as number) + (nth + 0.5) * distance,
      widest: Math.max(2, Math.min(5, distance - 3)),
      bottom,
    };

    function spaceAfter(row: number): number {
      return (firstTrack[row] as number) + (tracks[row] as number) * distance;
    }
  }
}
