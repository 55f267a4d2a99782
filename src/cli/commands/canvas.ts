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
import { impact as graphImpact } from './graph-query.ts';

export const init: Command = { ...index, summary: 'make the code graph of a project, with a picture of it' };

export const impact: Command = { ...graphImpact, summary: 'what a change to a symbol may touch, kept as evidence' };

export const status: Command = {
  summary: 'what is kept of a project, and what of it is outdated',
  details: 'Exit code 1 when nothing is kept.',
  options: { ...ROOT_OPTION, ...JSON_OPTION },
  async run(input, world) {
    const view = await look(world, await graphRoot(input, world));
    if (input.has('json')) printJson(world, { schema: ANSWER_SCHEMA, ...view });
    else world.out(`${canvasLines(view).join('\n')}\n`);
    return view.evidence.length > 0 ? 0 : 1;
  },
};

export const read: Command = {
  summary: 'the focus and the newest evidence',
  details: `Evidence is what an impact or an index found, with its picture. What no longer fits the code is outdated. Exit code 1
when nothing is kept.`,
  options: {
    limit: { type: 'string', value: 'N', help: `at most so many; ${USUAL_LIMIT} by default` },
    ...ANSWER_OPTIONS,
  },
  async run(input, world) {
    const root = await graphRoot(input, world);
    const limit = wholeNumber(input, 'limit', 1) ?? USUAL_LIMIT;
    const maxChars = maxCharsOf(input);
    const view = await look(world, root);
    if (input.has('json'))
      printJson(world, { schema: ANSWER_SCHEMA, ...view, evidence: view.evidence.slice(0, limit) });
    else {
      const more = (options: Readonly<Record<string, number>>) =>
        `\`${commandFor(root, 'read', '', options, 'canvas')}\``;
      world.out(`${renderCanvas(view, limit, maxChars, more)}\n`);
    }
    return view.evidence.length > 0 ? 0 : 1;
  },
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
  verbs: { 'canvas init': init, 'canvas impact': impact, 'canvas status': status, 'canvas read': read },
} satisfies VerbFile;
