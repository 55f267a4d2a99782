import { askRoot, graphPaths, holderOf } from '../graph/index.ts';
import type { Answered, Ask, IndexResult } from '../graph/index.ts';
import { within } from '../platform/timers.ts';
import { messageOf } from '../text/message-of.ts';
import type { Attempt } from './projects.ts';
import type { Call } from './call.ts';
import { Refusal } from './refusal.ts';
import { callFor } from './wording.ts';

/** No answer yet, and why: what was asked for is under way. */
export class Pending extends Error {}

/** Asks the graph of the call's root. Where there is none, asking makes one, if anything says that this is a project. */
export async function ask(call: Call, question: Ask): Promise<Answered> {
  const { root, world, projects } = call;
  for (const isMade of [false, true]) {
    const freshener = await projects.freshener(root.path, call.leftMs());
    const answered = await askRoot(question, root.path, world.files, freshener);
    if (answered !== undefined) return answered;
    if (!isMade) await makeIndex(call);
  }
  throw new Refusal(
    `pending: ${root.path} has no file in a language that is known, so there is nothing to ask; ` +
      'it is looked again with the next call',
  );
}

async function makeIndex(call: Call): Promise<void> {
  const { root, world, projects } = call;
  const index = callFor('graph', 'index', '', {}, root);
  if (!root.isMarked) {
    const around = root.within === undefined ? '' : ` it is a part of the project ${root.within};`;
    throw new Refusal(
      `pending: ${root.path} has no index, and nothing marks it as a project;${around} ${index} makes one`,
    );
  }
  const holder = holderOf(world.files, graphPaths(world.state, root.path));
  const attempt = await projects.index(root.path, undefined, call.onProgress);
  await waitFor(attempt, call, holder && `process ${holder.pid}`);
}

/** Waits as long as the call may. */
export async function waitFor(attempt: Attempt, call: Call, writer?: string): Promise<IndexResult> {
  const result = await within(call.leftMs(), attempt.done, undefined).catch((error: unknown) => {
    throw new Refusal(
      `failed: the index of ${call.root.path} could not be made: ${messageOf(error)}; ` +
        `${callFor('graph', 'status', '', {}, call.root)} tells more`,
    );
  });
  if (result !== undefined) return result;
  const { progress } = attempt;
  const far = progress && progress.total > 0 ? ` (${progress.phase} ${progress.done} of ${progress.total} files)` : '';
  throw new Pending(
    `partial: ${call.root.path} is being indexed${far}${writer === undefined ? '' : `, by ${writer}`}; ` +
      `nothing is known yet after ${call.waitMs / 1_000} s. The same call again, perhaps with a larger wait_s, goes on waiting`,
  );
}
