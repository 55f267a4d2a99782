import { ADAPTERS, toldBy } from '../adapters/registry.ts';
import type { Grant } from '../engine/careful/book.ts';
import { takeGrant } from '../engine/careful/grant.ts';
import { lineage } from '../platform/process-tree.ts';
import type { ProcessTree } from '../platform/process-tree.ts';
import { changeState, draftOf } from './change-state.ts';
import type { CliWorld, Command, Input } from './command.ts';

/** The system tells the start of a process in steps of 10 ms, and the time since its own start as well. */
const CLOCK_STEPS_MS = 20;

/** Whether a person approved this very call of a verb, where the gate objects. The approval is used up. */
export function redeemGrant(verb: string, command: Command, input: Input, world: CliWorld, tree: ProcessTree): boolean {
  const grant = takeGrant(draftOf(world), verb);
  if (!grant || !isCallOf(grant, tree) || command.redeem?.(grant, input, world) !== true) return false;
  return changeState(world, (draft) => takeGrant(draft, verb))?.at === grant.at;
}

/**
 * The agent starts one process for the call. Everything that this one starts carries the session as well, so the
 * outermost that does is the call; a process that was there before the ask, or that left its parent, is another one.
 */
function isCallOf(grant: Grant, tree: ProcessTree): boolean {
  const line = lineage(tree, tree.self);
  const outermost = line.findLastIndex(({ pid }) => {
    const env = tree.origin(pid)?.env;
    return env !== undefined && toldBy(env).sessionId === grant.session;
  });
  const call = line[outermost];
  const agent = line[outermost + 1];
  const origin = call && tree.origin(call.pid);
  if (!origin || !agent || origin.startedAt < grant.at - CLOCK_STEPS_MS) return false;
  const isAgent = ADAPTERS.some(({ process }) => agent.names.some((name) => process.names.includes(name)));
  return isAgent && unquoted(origin.command).includes(unquoted(grant.command));
}

/** An agent hands the command to a shell inside another one, so it is quoted in its own way. */
function unquoted(text: string): string {
  return text.replaceAll(/['"\\]/g, '');
}
