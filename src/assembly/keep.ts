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
): { readonly keep: NonNullable<Engine['keep']>; close(): void } {
  let keeper: Keeper | undefined;
  return {
    keep(effects, event, { root }) {
      keeper ??= openKeeper({ ...options, limits });
      const { receivedAt: at, session, agent } = event;
      const { budgetMs: ms, budgetMegabytes, exclude: excluded } = limits();
      const budget = { ms, bytes: budgetMegabytes * MEGABYTE };
      return keeper.keep({ effects, about: { at, session, root, agent, command: commandOf(event) }, budget, excluded });
    },
    close: () => keeper?.close(),
  };
}

const MEGABYTE = 1 << 20;
const LONGEST = 200;

function commandOf({ tool }: Event): string {
  const text =
    tool?.command === undefined ? [tool?.name, ...(tool?.paths ?? [])].join(' ') : redactCommand(tool.command);
  return text.slice(0, LONGEST);
}
