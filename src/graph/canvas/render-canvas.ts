import { fitText } from '../query/fit-text.ts';
import { clean, counted } from '../query/render-symbol.ts';
import type { CanvasView, SeenEvidence } from './view-canvas.ts';

export const USUAL_LIMIT = 20;

/** Focus and newest evidence, within so many characters. */
export function renderCanvas(
  view: CanvasView,
  limit: number,
  maxChars: number,
  more: (options: Readonly<Record<string, number>>) => string,
): string {
  const { root, evidence, problem } = view;
  const lines = evidence.map(evidenceLine);
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  // What is left out for length, a higher limit alone would not show.
  const all = { limit: evidence.length, ...(chars > maxChars - HEAD_CHARS && { 'max-chars': inThousands(chars) }) };
  return fitText(
    {
      head: [...canvasLines(view)],
      sections: [
        {
          name: 'evidence',
          lines: lines.slice(0, limit),
          total: evidence.length,
          more: (left) => `… ${left} older: ${more(all)}`,
        },
      ],
      tail:
        evidence.length === 0 && problem === undefined
          ? [`nothing was kept of ${root} yet; impact keeps what it finds`]
          : [],
    },
    maxChars,
  );
}

/** What the lines above the evidence may take. */
const HEAD_CHARS = 1_000;

function inThousands(chars: number): number {
  return Math.ceil((chars + HEAD_CHARS) / 1_000) * 1_000;
}

const UNCHECKED = '; there is no index, so what of it is outdated is not known';

/** What is on it, in few lines. */
export function canvasLines({ root, focus, evidence, problem, artifacts, unchecked }: CanvasView): string[] {
  const outdated = evidence.filter((each) => each.outdated).length;
  const pictures = evidence.reduce((sum, each) => sum + each.pictures.length, 0);
  return [
    clean(`canvas of ${root}`),
    ...(problem === undefined ? [] : [clean(problem)]),
    ...(focus === undefined ? [] : [clean(`focus: ${focus}`)]),
    `evidence: ${evidence.length}${outdated > 0 ? `, ${outdated} outdated` : ''}${unchecked ? UNCHECKED : ''}`,
    ...(pictures > 0 ? [clean(`${counted(pictures, 'picture')} in ${artifacts}`)] : []),
  ];
}

function evidenceLine({ id, kind, origin, symbol, counts, outdated, pictures, at }: SeenEvidence): string {
  const numbers = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const words = [
    id,
    kind,
    ...(symbol === undefined ? [] : [symbol]),
    ...(numbers.length > 0 ? [numbers.join(', ')] : []),
    ...(origin === 'auto' && kind === 'impact' ? ['from a card'] : []),
    new Date(at).toISOString().slice(0, 16).replace('T', ' '),
    ...(outdated ? ['outdated'] : []),
  ];
  const [picture] = pictures;
  return [words.join('  '), ...(picture === undefined ? [] : [`    ${picture}`])].map(clean).join('\n');
}
