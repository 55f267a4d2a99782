import type { AgentProgram } from '../event/agent-program.ts';
import type { SettingsWords } from '../event/effect.ts';
import type { EventName, ToolKind } from '../event/event.ts';
import type { Adapter } from './adapter.ts';
import { claudeCode } from './claude-code/index.ts';

export const ADAPTERS: readonly Adapter[] = [claudeCode];

export function adapterNamed(name: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.name === name);
}

/** Agents' own words for tools and events, which people know and may use in their rules. */
export function knownWords(): {
  readonly toolAliases: Readonly<Record<string, ToolKind>>;
  readonly eventAliases: Readonly<Record<string, EventName>>;
} {
  return {
    toolAliases: Object.assign({}, ...ADAPTERS.map((adapter) => adapter.toolKinds)) as Record<string, ToolKind>,
    eventAliases: Object.fromEntries(
      ADAPTERS.flatMap((adapter) => adapter.events.map(({ name, canonical }) => [name, canonical])),
    ),
  };
}

/** Where the settings of all agents lie, what in them is about hooks, and how the agents are started. */
export const AGENT_SETTINGS: {
  readonly files: readonly string[];
  readonly words: SettingsWords;
  readonly programs: readonly AgentProgram[];
} = {
  files: ADAPTERS.flatMap((adapter) => adapter.settingsFiles),
  programs: ADAPTERS.map(({ program }) => program),
  words: {
    switches: ADAPTERS.flatMap(({ settingsWords }) => settingsWords.switches),
    steering: ADAPTERS.flatMap(({ settingsWords }) => settingsWords.steering),
    entries: ADAPTERS.flatMap(({ settingsWords }) => settingsWords.entries),
    entry: {
      calls: ADAPTERS.flatMap(({ settingsWords: { entry } }) => entry.calls),
      own: ADAPTERS.flatMap(({ settingsWords: { entry } }) => entry.own),
      narrowing: ADAPTERS.flatMap(({ settingsWords: { entry } }) => entry.narrowing),
      seconds: ADAPTERS.flatMap(({ settingsWords: { entry } }) => entry.seconds),
    },
  },
};
