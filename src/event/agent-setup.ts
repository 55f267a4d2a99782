import type { EventName } from './event.ts';

/** A tool server that is registered for a workspace. */
export interface ToolServer {
  /** As it calls itself, whoever brought it. */
  readonly name: string;
  /** What the agent writes before the name of each of its tools. */
  readonly prefix: string;
}

/** What the agent itself is set up with, read from its settings at most once a minute. */
export interface AgentSetup {
  readonly servers: readonly ToolServer[];
  /** Commands of all hooks, whoever registered them. */
  readonly hooks: readonly { readonly event: EventName; readonly command: string }[];
  /** How many tokens the context holds, where the configured model says so. */
  readonly window?: number;
}

export const NO_SETUP: AgentSetup = { servers: [], hooks: [] };
