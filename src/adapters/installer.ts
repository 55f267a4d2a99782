import type { EventName } from '../event/event.ts';
import type { ForeignHook, TakenSet } from './adopting.ts';
import type { Fields } from './fields.ts';
import type { AgentEvent, Env, SettingsLocation, SetupFiles } from './adapter.ts';
import type { Edit } from './json-edit.ts';
import type { Files } from '../platform/files.ts';

/** `local`: this person in this project; `project`: everybody in it; `user`: this person everywhere. */
export type Scope = 'local' | 'project' | 'user';
export const SCOPES: readonly Scope[] = ['local', 'project', 'user'];

/** How an entry starts this program. */
export interface Launch {
  readonly command: string;
  /** Before the verb. */
  readonly args: readonly string[];
  /** After the verb and the event: where settings and state lie, and what the program starts in turn. */
  readonly homeArgs: readonly string[];
}

/** Where an entry posts events, and what it shows there. */
export interface HttpTarget {
  readonly url: string;
  readonly token: string;
}

/** How entries reach the engine. */
export interface Delivery {
  readonly launch: Launch;
  /** With it, every event that can be posted is posted; the others start the program. */
  readonly http?: HttpTarget;
  /** Whether somebody wants to hear of an event; absent where nobody can tell, as in a file for many people: then of all. */
  readonly hears?: (event: EventName) => boolean;
  /** Whether a rule listens that must not be skipped: there the agent must not go on when the entry fails. */
  readonly failsClosed?: (event: EventName) => boolean;
  /** Whether the file lies in the project, where agents look that are not the one it is for. */
  readonly inProject?: boolean;
  /** The shell command for the agent's status line, where the person wants one of ours. One of somebody else's stays. */
  readonly statusLine?: string;
}

/** Rules that people wrote in the agent's directory for something else, and that are read here as they are. */
export interface OtherRules {
  /** What they are called. */
  readonly kind: string;
  readonly dir: string;
  isRule(name: string): boolean;
}

export interface SettingsProblem {
  /** Keys and positions joined by dots; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  /** What the agent leaves out because of it: everything in the file, or one entry. */
  readonly disables: 'file' | 'entry';
}

/** An entry that calls this program. */
export interface OwnCall {
  readonly path: string;
  /** The program and its arguments; a single text when a shell has to take it apart; nothing for an entry that posts. */
  readonly words: readonly string[];
  readonly http?: HttpTarget;
}

/** A setting by which an entry is not called on every event of its name, or not waited for. */
export interface Narrowing {
  /** The agent's name for it. */
  readonly setting: string;
  readonly value: string;
  /** What it lets through, of all that is known; nothing ever, where that is empty. */
  readonly lets?: readonly string[];
  /** The agent goes on without the answer. */
  readonly isUnheard?: true;
}

/** One that calls it on an event. */
export interface OwnEntry extends OwnCall {
  readonly event: string;
  readonly narrowed?: readonly Narrowing[];
  /** Whether the agent stops when the entry fails. */
  readonly blocks: boolean;
}

export interface UrlLimit {
  /** The agent's name for it. */
  readonly setting: string;
  allows(url: string): boolean;
}

export interface SettingsReport {
  readonly problems: readonly SettingsProblem[];
  readonly own: readonly OwnEntry[];
  /** Entries of others. */
  readonly foreign: number;
  /** What else runs beside us: the commands of those entries, and the extensions that are switched on. */
  readonly others: readonly string[];
  /** Settings in this file that keep hooks from running. */
  readonly switches: readonly string[];
  /** What this file puts into the environment of all that the agent starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** If this file limits where hooks may post to. Such limits of several files add up: one that allows is enough. */
  readonly limit?: UrlLimit;
  /** Of a file that is ours as a whole: somebody changed it, or another version of this program wrote it. */
  readonly differs?: 'changed' | 'old';
  /** Whose status line this file sets, if any. */
  readonly statusLine?: 'own' | 'foreign';
}

/** Containers that were there, and empty, before anything was added, by path. */
export type Kept = Readonly<Record<string, string>>;

export type Addition = { readonly edits: readonly Edit[]; readonly kept: Kept } | { readonly refusal: string };

/** Entries of this program in a file of an agent: text in, text out. */
export interface Entries<Wanted> {
  /** The adapter's name. */
  readonly agent: string;
  /** Which part of the file, where it has several for entries of one kind. */
  readonly part?: string;
  /** The file holds nothing but what is ours, and goes when that goes. */
  readonly ownsFile?: true;
  read(text: string): { readonly problems: readonly SettingsProblem[]; readonly own: readonly OwnCall[] };
  /** The edits that add what is wanted, bring older entries of this program to it, and take out what is wanted no more. */
  add(text: string, wanted: Wanted): Addition;
  /** The edits that take every entry of this program out. */
  remove(text: string, kept: Kept): readonly Edit[];
}

/** Where an agent reads in one scope which tool servers there are. */
export interface ServerSettings extends Entries<Launch> {
  readonly path: string;
  /** Of a file that has to be made. */
  readonly mode: number;
  /** Which sessions start a server that is named there. */
  readonly reach: string;
  /** What a person has to do besides. */
  readonly approval?: string;
  /** Whether somebody else's server has the name that ours goes by. */
  isTaken(text: string): boolean;
}

/** A file of hooks, as it is or shall be. */
export interface HookFile {
  readonly path: string;
  readonly text: string;
}

/** Where an agent keeps which hooks a person has agreed to. It leaves out all others, and says nothing. */
export interface TrustSettings extends Entries<HookFile> {
  readonly path: string;
  /** Of a file that has to be made. */
  readonly mode: number;
  /** What a person does in the agent to agree. */
  readonly byHand: string;
  /** Why the agent does not call entries of ours in a file of hooks: with this text of its settings. */
  objections(text: string, hooks: HookFile): readonly string[];
}

/** What there is to know of an agent that can post events to the engine. */
export interface Posting {
  /** The wired events that it posts; the others start the program, and with it a dead engine. */
  readonly events: readonly AgentEvent[];
  /** The variable that makes the agent send its posts to a proxy, with the token, if one is set. */
  proxyInTheWay(env: Env): string | undefined;
}

/** What a canary is about. */
export interface CanaryPlace {
  readonly session: string;
  /** Where the agent works. */
  readonly cwd: string;
  /** A file that is not there. */
  readonly transcript: string;
}

/** What there is to know to call an entry as the agent would. */
export interface Canaries {
  /** What the agent sends on an event, in the shape it was recorded in; undefined where that is not known. */
  payload(event: AgentEvent, place: CanaryPlace): object | undefined;
  /** What it adds to the environment of what it starts. */
  environment(place: CanaryPlace): Readonly<Record<string, string>>;
  /** What it starts with a command that is a single text, which follows. */
  readonly shell: readonly string[];
}

/** Where a session of the agent is played that nobody works in. */
export interface Stage {
  readonly session: string;
  /** The directory that it works in. */
  readonly project: string;
  /** Where it keeps what is its own. */
  readonly own: string;
  /** The address of the model that is played to it. */
  readonly model: string;
}

export interface ModelAnswer {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

/** What there is to know to play a session to the agent's own program, with a model that says what is written. */
export interface Rehearsal {
  readonly program: string;
  /** A settings file with nothing in it but what decides about hooks. */
  copyOf(text: string): string;
  /** Where the agent reads such copies on this stage. */
  copies(stage: Stage): Readonly<Record<Scope, string>>;
  /** What else has to lie there. */
  files(stage: Stage): Readonly<Record<string, string>>;
  start(stage: Stage): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
  answer(request: { readonly method: string; readonly path: string; readonly body: string }, stage: Stage): ModelAnswer;
  /** What a hook said that stopped the play, by what the model was sent and what the program printed. */
  refusal(bodies: readonly string[], output: string): string | undefined;
  /** The events of the play on which the model is told something. */
  readonly heard: readonly EventName[];
  /** All events of the play. */
  readonly played: readonly EventName[];
}

/** What can be promised where this agent works, as it was tried with its client; for people. */
export interface Promises {
  readonly undo: string;
  /** What happens where the engine cannot answer, or cannot start. */
  readonly failure: string;
  /** What it does not tell, or does not let anybody do. */
  readonly gaps: readonly string[];
}

/** How hooks of others are found in an agent's files, taken out and given back. */
export interface Adopting {
  list(text: string): readonly ForeignHook[];
  /** Files of hooks that extensions bring along. */
  extensions(
    location: SettingsLocation,
    files: SetupFiles,
  ): readonly { readonly name: string; readonly path: string }[];
  /** The edits that put one entry of ours per event in the place of these hooks, given by their paths. */
  take(text: string, set: TakenSet, paths: ReadonlySet<string>, launch: Launch): readonly Edit[];
  /** The text with the hooks of a set again, whatever else has changed in it; undefined where that cannot be done. */
  giveBack(text: string, set: TakenSet): string | undefined;
  /** The sets that entries in this text run. */
  setsIn(text: string): readonly string[];
}

/** How an agent is given hooks for one run alone, by its command line. */
export interface OneRun {
  /** The settings that the command itself brings: text, or the name of a file. */
  given(words: readonly string[]): string | undefined;
  /** The command with the settings in a file in their place. */
  start(words: readonly string[], file: string): readonly string[];
  /** The settings with what keeps those of other files from switching our hooks off. */
  settings(given: Fields): Fields;
  /** Options and variables that keep hooks from running whatever the settings say. */
  without(words: readonly string[], env: Env): readonly string[];
}

/** What is needed to find extensions. */
export type PluginFiles = SetupFiles & Pick<Files, 'list'>;

/** Hooks of ours that an extension of the agent brings along, as the agent reads them. */
export interface PluginHooks {
  /** The extension, as people name it to the agent. */
  readonly name: string;
  /** It is on in every project, and not by a file of one. */
  readonly isEverywhere: boolean;
  readonly path: string;
  readonly text: string;
  /** The command that takes it out. */
  readonly removal: string;
}

/** How an agent is told to call this program. */
export interface Installer extends Entries<Delivery> {
  /** What an installation can listen to. */
  readonly wired: readonly AgentEvent[];
  /** Absent where nobody has tried. */
  readonly promises?: Promises;
  /** Undefined where the agent has no settings of that scope. */
  settingsPath(scope: Scope, location: SettingsLocation): string | undefined;
  /** Which sessions read that file. */
  reach(scope: Scope): string;
  /** Files of the machine's administrator, which overrule all others; `list` names what is in a directory. */
  policyPaths(platform: string, list: (dir: string) => readonly string[]): readonly string[];
  read(text: string): SettingsReport;
  /** Whether an entry has to stop the agent when it fails; absent where the agent cannot be told so. */
  mustBlock?(event: string, failsClosed: (event: EventName) => boolean): boolean;
  otherRules?(location: SettingsLocation): readonly OtherRules[];
  /** Absent where hooks of others stay with the agent. */
  readonly adopting?: Adopting;
  /** Files of hooks in extensions that are on; absent where the agent has none that bring hooks. */
  pluginHooks?(location: SettingsLocation, files: PluginFiles): readonly PluginHooks[];
  /** Absent where the agent reads hooks only from files that stay. */
  readonly oneRun?: OneRun;
  /** Absent where nobody can call its entries in its place. */
  readonly canaries?: Canaries;
  /** The permission mode that sessions begin in and what holds in it, for people; absent where that was not tried. */
  modes?(location: SettingsLocation, files: SetupFiles): readonly (readonly [name: string, value: string])[];
  /** Absent where its program cannot be played to. */
  readonly rehearsal?: Rehearsal;
  /** Absent where the agent can only start programs. */
  readonly posting?: Posting;
  /** Absent where the agent runs what its files of hooks say. */
  trust?(scope: Scope, location: SettingsLocation, files: SetupFiles): TrustSettings;
  /** Absent where nothing is known of the agent's tool servers; undefined where it has none in that scope. */
  serverSettings?(scope: Scope, location: SettingsLocation, files: SetupFiles): ServerSettings | undefined;
}
