import type { AgentProgram } from '../event/agent-program.ts';
import type { SettingsWords } from '../event/effect.ts';
import type { EventName, ToolKind } from '../event/event.ts';
import type { Adapter, Env, EnvFacts } from './adapter.ts';
import { ADAPTERS } from './index.generated.ts';

export { ADAPTERS };

export function adapterNamed(name: string): Adapter | undefined {
  return ADAPTERS.find((adapter) => adapter.name === name);
}

/** Whose event it is: the agent that the hook command names, or the only one when it names none. */
export function adapterOf(name: string | undefined): Adapter | undefined {
  const meant = name === undefined ? ADAPTERS : ADAPTERS.filter((adapter) => adapter.name === name);
  return meant.length === 1 ? meant[0] : undefined;
}

export function whyNoAdapter(name: string | undefined): string {
  return name === undefined ? 'the call names no agent' : `no agent named ${name}`;
}

/** What the agent that started this process tells through its environment, whichever it is. */
export function toldBy(env: Env): EnvFacts {
  return Object.assign({}, ...ADAPTERS.map(({ environment }) => environment?.read(env)).toReversed()) as EnvFacts;
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

const WORDS = ADAPTERS.map(({ settings }) => settings.words);

/** Where the settings of all agents lie, what in them is about hooks, and how the agents are started. */
export const AGENT_SETTINGS: {
  readonly files: readonly string[];
  readonly code: readonly string[];
  readonly words: SettingsWords;
  /** Those of the agent whose file it is, in the order of `files`. */
  readonly wordsOfFiles: readonly SettingsWords[];
  readonly programs: readonly AgentProgram[];
} = {
  files: ADAPTERS.flatMap(({ settings }) => settings.files),
  code: ADAPTERS.flatMap(({ settings }) => settings.code),
  programs: ADAPTERS.map(({ program }) => program),
  wordsOfFiles: ADAPTERS.flatMap(({ settings: { files, words } }) => files.map(() => words)),
  words: {
    switches: WORDS.flatMap(({ switches }) => switches),
    steering: WORDS.flatMap(({ steering }) => steering),
    variables: WORDS.flatMap(({ variables = [] }) => variables),
    grants: Object.assign({}, ...WORDS.map(({ grants }) => grants)) as NonNullable<SettingsWords['grants']>,
    entries: WORDS.flatMap(({ entries }) => entries),
    entry: {
      calls: WORDS.flatMap(({ entry }) => entry.calls),
      own: WORDS.flatMap(({ entry }) => entry.own),
      narrowing: WORDS.flatMap(({ entry }) => entry.narrowing),
      holding: WORDS.flatMap(({ entry }) => entry.holding),
      seconds: WORDS.flatMap(({ entry }) => entry.seconds),
    },
  },
};
