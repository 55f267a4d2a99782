import type { EventName } from './event.ts';

/** What the agent itself is set up with, read from its settings at most once a minute. */
export interface AgentSetup {
  /** The tool servers that are registered for a workspace, each as the names of its tools spell it. */
  readonly servers: readonly string[];
  /** Commands of all hooks, whoever registered them. */
  readonly hooks: readonly { readonly event: EventName; readonly command: string }[];
  /** How many tokens the context holds, where the configured model says so. */
  readonly window?: number;
}

export const NO_SETUP: AgentSetup = { servers: [], hooks: [] };
