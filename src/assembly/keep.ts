import type { Engine } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import { redactCommand } from '../ledger/secret-files.ts';
import type { Keeper } from '../undo/keeper.ts';
import { openKeeper } from '../undo/open-keeper.ts';
import type { KeeperOptions } from '../undo/open-keeper.ts';
import type { UndoLimits } from '../workspace/config/settings.ts';

interface CopyOptions extends Omit<KeeperOptions, 'limits'> {
  now(): number;
  readonly keeps?: boolean | 'trial';
  readonly deadline?: number;
}

/** Copies what a call destroys. By the deadline the agent has its reply, whatever the settings allow. */
export function createKeep(
  { now, keeps, deadline = Infinity, ...options }: CopyOptions,
  limits: () => UndoLimits,
): { readonly keep: NonNullable<Engine['keep']>; warmUp(): Promise<void>; close(): void } {
  const isTrial = keeps === 'trial';
  let keeper: Keeper | undefined;
  const open = () => (keeper ??= openKeeper({ ...options, limits }));
  return {
    warmUp: () => open().warmUp(),
    async keep(effects, event, { root }) {
      const begun = now();
      const { receivedAt: at, session, agent } = event;
      const { budgetMs, budgetMegabytes, exclude: excluded } = limits();
      const budget = {
        ms: isTrial ? TRIAL_MS : Math.min(budgetMs, deadline - begun - REPLY_MS),
        bytes: budgetMegabytes * MEGABYTE,
      };
      const about = { at, session, root, agent, command: commandOf(event) };
      const result = await open().keep({ effects, about, budget, excluded, ...(isTrial && { isTrial }) });
      return 'kept' in result ? { kept: { ...result.kept, ms: now() - begun } } : result;
    },
    close: () => (isTrial ? undefined : keeper?.close()),
  };
}

const MEGABYTE = 1 << 20;
/** No agent waits, and what looks is loaded in this time. */
const TRIAL_MS = 10_000;
/** What it takes to answer. */
const REPLY_MS = 500;
const LONGEST = 200;

function commandOf({ tool }: Event): string {
  const text =
    tool?.command === undefined ? [tool?.name, ...(tool?.paths ?? [])].join(' ') : redactCommand(tool.command);
  return text.slice(0, LONGEST);
}
