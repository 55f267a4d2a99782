import { fitText } from '../query/fit-text.ts';
import { clean, counted } from '../query/render-symbol.ts';
import type { CanvasView, SeenEvidence } from './view-canvas.ts';

export const USUAL_LIMIT = 20;

/** Focus and newest evidence, within so many characters. */
export function renderCanvas(
  view: CanvasView,
  limit: number,
  maxChars: number,
  more: (limit: number) => string,
): string {
  const { root, evidence } = view;
  const shown = evidence.slice(0, limit);
  return fitText(
    {
      head: [...canvasLines(view)],
      sections: [
        {
          name: 'evidence',
          lines: shown.map(evidenceLine),
          total: evidence.length,
          more: (left) => `… ${left} older: ${more(evidence.length)}`,
        },
      ],
      tail: evidence.length === 0 ? [`nothing was kept of ${root} yet; impact keeps what it finds`] : [],
    },
    maxChars,
  );
}

/** What is on it, in few lines. */
export function canvasLines({ root, focus, evidence, problem, artifacts }: CanvasView): string[] {
  const outdated = evidence.filter((each) => each.outdated).length;
  const pictures = evidence.reduce((sum, each) => sum + each.pictures.length, 0);
  return [
    clean(`canvas of ${root}`),
    ...(problem === undefined ? [] : [clean(problem)]),
    ...(focus === undefined ? [] : [clean(`focus: ${focus}`)]),
    `evidence: ${evidence.length}${outdated > 0 ? `, ${outdated} outdated` : ''}`,
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
