import { ANSWER_SCHEMA, canvasLines, renderCanvas, USUAL_LIMIT, viewCanvas } from '../../graph/index.ts';
import type { CanvasView, GraphRoot } from '../../graph/index.ts';
import { nodeFiles } from '../../platform/files.ts';
import { JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { graphRoot, ROOT_OPTION } from '../graph/graph-root.ts';
import { ANSWER_OPTIONS, commandFor, maxCharsOf } from '../graph/show-answer.ts';
import { wholeNumber } from '../graph/whole-number.ts';
import { withFreshener } from '../graph/with-freshener.ts';
import { index } from './graph.ts';
import { impact } from './graph-query.ts';

export const canvas: Command = {
  summary: 'what was found out so far, and whether it still fits the code',
  details: `The focus and the newest evidence. Evidence is what an impact or an index found, with its picture; what no longer fits the code is
outdated. Exit code 1 when nothing is kept.`,
  options: {
    limit: { type: 'string', value: 'N', help: `at most so many; ${USUAL_LIMIT} by default` },
    counts: { type: 'boolean', help: 'only how much there is, and how much of it is outdated' },
    ...ANSWER_OPTIONS,
  },
  async run(input, world) {
    const root = await graphRoot(input, world);
    const limit = wholeNumber(input, 'limit', 1) ?? USUAL_LIMIT;
    const maxChars = maxCharsOf(input);
    const view = await look(world, root);
    if (input.has('json'))
      printJson(world, {
        schema: ANSWER_SCHEMA,
        ...view,
        evidence: input.has('counts') ? view.evidence : view.evidence.slice(0, limit),
      });
    else if (input.has('counts')) world.out(`${canvasLines(view).join('\n')}\n`);
    else {
      const more = (options: Readonly<Record<string, number>>) => `\`${commandFor(root, 'canvas', '', options)}\``;
      world.out(`${renderCanvas(view, limit, maxChars, more)}\n`);
    }
    return view.evidence.length > 0 ? 0 : 1;
  },
};

const status: Command = {
  ...canvas,
  now: 'graph canvas --counts',
  options: { ...ROOT_OPTION, ...JSON_OPTION },
  run: (input, world) => canvas.run({ ...input, has: (name) => name === 'counts' || input.has(name) }, world),
};

/** Held against the files as they are now, where there is an index. */
function look(world: CliWorld, { path: root }: GraphRoot): Promise<CanvasView> {
  return withFreshener(world, root, undefined, async ({ freshener }) => {
    if (freshener.open()) await freshener.sweep();
    return viewCanvas({ state: world.paths.state, root, files: nodeFiles, pid: process.pid }, freshener.open());
  });
}

export default {
  order: 330,
  verbs: {
    'graph canvas': canvas,
    'canvas init': { ...index, now: 'graph index' },
    'canvas impact': { ...impact, now: 'graph impact' },
    'canvas status': status,
    'canvas read': { ...canvas, now: 'graph canvas' },
  },
} satisfies VerbFile;
