import { alone } from '../alone.ts';
import type { CliWorld, Input } from '../command.ts';

const UNATTENDED_MS = 120_000;

/** Of two that edit the settings of agents for one home, the second waits and finds what the first has written. */
export function oneAtATime(
  input: Input,
  world: CliWorld,
  work: (input: Input, world: CliWorld) => Promise<number>,
): Promise<number> {
  if (input.has('dry-run')) return work(input, world);
  const other = 'Another `fairlead init` or `fairlead uninstall` of yours';
  const patience = {
    // A person sees what is waited for, and can answer its question or end it.
    waitMs: world.interactive ? Infinity : UNATTENDED_MS,
    waiting: `${other} is at work, or asks something; this one waits for it.`,
    tooLong: `${other} is still at work, or asks something. Answer or end it, then run this again.`,
    mustRun: true,
  } as const;
  return alone(world, 'install', patience, () => work(input, world));
}
