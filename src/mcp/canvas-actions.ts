import { canvasLines, renderCanvas, USUAL_LIMIT, viewCanvas } from '../graph/index.ts';
import type { CanvasView } from '../graph/index.ts';
import type { Action, Call } from './call.ts';
import { impact } from './impact.ts';
import { statusLines } from './graph-status.ts';
import { indexRoot } from './index-root.ts';
import { callFor } from './wording.ts';

export const CANVAS_ACTIONS: Readonly<Record<string, Action>> = {
  impact,
  index: indexRoot,
  async status(call) {
    const view = await look(call);
    return [...canvasLines(view), ...(await statusLines(call))].join('\n');
  },
  async read(call) {
    const limit = call.given.number('limit') ?? USUAL_LIMIT;
    const more = (options: Readonly<Record<string, number>>) => callFor('canvas', 'read', '', options, call.root);
    return renderCanvas(await look(call), limit, call.maxChars, more);
  },
};

/** Compared with the files as they are now, where there is an index. */
async function look(call: Call): Promise<CanvasView> {
  const { root, world, projects } = call;
  const { state, files, pid } = world;
  const freshener = await projects.freshener(root.path, call.leftMs());
  if (freshener.open()) await freshener.sweep();
  return viewCanvas({ state, root: root.path, files, pid }, freshener.open());
}
