import { KILL_VARIABLES, PACK_VARIABLES } from '../event/known-packs.ts';
import { ADAPTERS } from './registry.ts';

/** What rules may ask for: where a person's programs and indexes lie, which only the person's own processes know. */
export const VARIABLES: readonly string[] = ['PATH', 'TMPDIR', ...PACK_VARIABLES];

/** The span of the agent's trace that a hook belongs to; agents that trace set it. */
export const TRACEPARENT = 'TRACEPARENT';

/** What the engine can do without: a longer value of these stays where it is. */
export const OPTIONAL: readonly string[] = [TRACEPARENT, ...VARIABLES];

/** Set to 1 it switches hooks off. */
export const DISABLED = 'FAIRLEAD_DISABLED';

/** Of these; the others are needed to answer at all. */
export const LONGEST_VALUE = 8 * 1024;

/**
 * The variables of a hook's environment that go to the engine: those of all agents, and ours. Nothing else does: an
 * environment also holds keys. The native client has the same list, as a header that the build writes.
 */
export const FORWARDED: readonly string[] = [
  ...new Set([
    ...ADAPTERS.flatMap(({ environment }) => environment?.variables ?? []),
    DISABLED,
    'FAIRLEAD_DEPTH',
    ...KILL_VARIABLES,
    ...OPTIONAL,
  ]),
];
