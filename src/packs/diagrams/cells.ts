import { marker, record } from '../../engine/rule.ts';
import type { Cells } from '../../engine/rule.ts';
import type { Baseline } from './drawing/net-new.ts';
import type { Flag } from './flag.ts';
import type { Printed } from './outputs.ts';
import type { Pending } from './pending.ts';
import type { Refused } from './refused.ts';

/** What the pack remembers of a session. Each cell ends by itself, also when its session never says that it is over. */
export const CELLS = {
  flag: record<Flag>('diagrams.flag', { ttl: '1h' }),
  /** By file: its drawings when the session first touched it. */
  baseline: record<Baseline>('diagrams.baseline', { ttl: '24h' }),
  /** Files the session touched, each with the drawings that passed there without a source. */
  files: record<Readonly<Record<string, readonly string[]>>>('diagrams.files', { ttl: '24h' }),
  /** By place in the ring: what a program printed. Without a key: how many there were. */
  output: record<Printed>('diagrams.output', { ttl: '24h' }),
  outputs: record<number>('diagrams.outputs', { ttl: '24h' }),
  /** By tool call: what is to be done when it ends. The rule that does it sleeps while there is none. */
  pending: record<Readonly<Record<string, Pending>>>('diagrams.pending', { ttl: '1h' }),
  /** By file: the agent was told that a source is missing. */
  reminded: marker('diagrams.reminded', { ttl: '24h' }),
  /** By agent: what was refused in its newest turn. */
  refused: record<Refused>('diagrams.refused', { ttl: '24h' }),
};

export type State = Cells<typeof CELLS>;
