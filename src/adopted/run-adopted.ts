import type { HookAnswer, HookRun, HookRunner } from '../adapters/adopting.ts';
import type { Fields } from '../adapters/fields.ts';
import type { Env } from '../adapters/adapter.ts';
import { runHook } from '../platform/run-hook.ts';
import type { AdoptedSet } from './store.ts';

export interface AdoptedCall {
  readonly payload: Fields;
  /** The bytes that the agent sent. */
  readonly body: Uint8Array;
  readonly cwd: string;
  /** As the agent gave it to the hook. */
  readonly env: Env;
  readonly signal: AbortSignal;
}

/** Runs the hooks of a set that the agent would start now, all at once, and puts together what they say in their order. */
export async function runAdopted(
  { hooks }: Pick<AdoptedSet, 'hooks'>,
  runner: HookRunner,
  { payload, body, ...call }: AdoptedCall,
): Promise<HookAnswer & { readonly runs: readonly HookRun[] }> {
  const runs = await Promise.all(
    runner.startedOn(hooks, payload).map(async (hook): Promise<HookRun> => {
      const { argv, limitMs } = runner.start(hook, call.env);
      return { hook, ...(await runHook(argv, { ...call, input: body, limitMs, goesAside: runner.goesAside })) };
    }),
  );
  return { ...runner.answer(payload, runs), runs };
}
