import { FAILED_REPLY } from '../adapters/adapter.ts';
import type { Reply } from '../adapters/adapter.ts';
import { isFields } from '../adapters/fields.ts';
import { adapterOf, whyNoAdapter } from '../adapters/registry.ts';
import { billRuns } from '../adopted/bill.ts';
import { runAdopted } from '../adopted/run-adopted.ts';
import { readAdopted } from '../adopted/store.ts';
import type { Engine } from '../engine/engine.ts';
import { nodeFiles } from '../platform/files.ts';
import type { AdoptedRequest, HookRequest } from './answer.ts';
import { readPayload } from './payload.ts';

type AnswerRules = (request: HookRequest, engine: Engine) => Reply | Promise<Reply>;

/**
 * Runs hooks of others in the agent's place. What they cannot be run for is a failure of ours, which the agent takes as the entry
 * says; what goes wrong in one of them is its own. An input that they put in place of the agent's is held against the rules.
 */
export async function answerAdopted(
  request: HookRequest & { readonly adopted: AdoptedRequest },
  engine: Engine,
  answerRules: AnswerRules,
): Promise<Reply> {
  const { adopted, agent, body, size, cwd, env } = request;
  const adapter = adapterOf(agent);
  const runner = adapter?.hookRunner;
  try {
    if (!adapter || !runner) throw new Error(whyNoAdapter(agent));
    const set = readAdopted(nodeFiles, adopted.state).sets.find(({ id }) => id === adopted.set);
    if (!set) throw new Error(`no hooks are kept as ${adopted.set}; \`fairlead adopt\` shows what is`);
    const { payload, unread } = readPayload(body, size, adapter);
    if (unread !== undefined || !isFields(payload)) throw new Error(unread ?? 'it is no JSON object');
    const call = { payload, body, cwd, env, signal: adopted.gone };
    const { reply, runs, outcomes, rewritten } = await runAdopted(set, runner, call);
    adopted.later(() => billRuns(adopted.state, engine.clock.now(), set.id, runs, outcomes));
    if (!rewritten) return { stdout: reply, exitCode: 0 };
    const { adopted: _, ...again } = request;
    const changed = encoder.encode(JSON.stringify(rewritten));
    const judged = await answerRules({ ...again, body: changed, size: changed.length }, engine);
    if (judged.exitCode !== 0) return FAILED_REPLY;
    return { ...judged, stdout: runner.join(payload, reply, judged.stdout) };
  } catch (error) {
    engine.onFailure('running adopted hooks', error);
    return FAILED_REPLY;
  }
}

const encoder = new TextEncoder();
