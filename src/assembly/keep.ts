import type { Engine } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import { redactCommand } from '../ledger/secret-files.ts';
import type { Keeper } from '../undo/keeper.ts';
import { openKeeper } from '../undo/open-keeper.ts';
import type { KeeperOptions } from '../undo/open-keeper.ts';
import type { UndoLimits } from '../workspace/config/settings.ts';

/** Copies what a call destroys. What copies is loaded at the first call that wants it. */
export function createKeep(
  options: Omit<KeeperOptions, 'limits'>,
  limits: () => UndoLimits,
  isTrial: boolean,
): { readonly keep: NonNullable<Engine['keep']>; close(): void } {
  let keeper: Keeper | undefined;
  return {
    keep(effects, event, { root }) {
      keeper ??= openKeeper({ ...options, limits });
      const { receivedAt: at, session, agent } = event;
      const { budgetMs, budgetMegabytes, exclude: excluded } = limits();
      const budget = { ms: isTrial ? TRIAL_MS : budgetMs, bytes: budgetMegabytes * MEGABYTE };
      const about = { at, session, root, agent, command: commandOf(event) };
      return keeper.keep({ effects, about, budget, excluded, ...(isTrial && { isTrial }) });
    },
    close: () => (isTrial ? undefined : keeper?.close()),
  };
}

const MEGABYTE = 1 << 20;
/** No agent waits, and what looks is loaded in this time. */
const TRIAL_MS = 10_000;
const LONGEST = 200;

function commandOf({ tool }: Event): string {
  const text =
    tool?.command === undefined ? [tool?.name, ...(tool?.paths ?? [])].join(' ') : redactCommand(tool.command);
  return text.slice(0, LONGEST);
}
