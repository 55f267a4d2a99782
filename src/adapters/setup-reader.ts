import type { Adapter, Env, SetupFiles } from './adapter.ts';
import { NO_SETUP } from '../event/agent-setup.ts';
import type { AgentSetup } from '../event/agent-setup.ts';
import type { Event } from '../event/event.ts';

/** Settings of an agent change rarely, and a new session looks at them anyway. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 200;

export interface SetupReader {
  setupOf(event: Event, root: string): AgentSetup;
  /** To be told of every event: a session that starts has settings of its own moment. */
  saw(event: Event): void;
}

export interface SetupReaderOptions {
  readonly adapters: readonly Adapter[];
  readonly files: SetupFiles;
  readonly home: string;
  readonly env: Env;
  readonly now: () => number;
}

/** What agents are set up with, per agent and workspace. */
export function createSetupReader({ adapters, files, home, env, now }: SetupReaderOptions): SetupReader {
  const known = new Map<string, { readonly setup: AgentSetup; readonly until: number }>();
  return {
    setupOf({ agent }, root) {
      const key = `${agent} ${root}`;
      const before = known.get(key);
      if (before !== undefined && before.until > now()) return before.setup;
      const adapter = adapters.find(({ name }) => name === agent);
      const setup = adapter?.readSetup?.({ root, home, env }, files) ?? NO_SETUP;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, { setup, until: now() + KNOWN_MS });
      return setup;
    },
    saw({ name }) {
      if (name === 'session.start') known.clear();
    },
  };
}
