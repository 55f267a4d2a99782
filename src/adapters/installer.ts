import type { AgentEvent, Env } from './adapter.ts';
import type { Edit } from './json-edit.ts';

/** `local`: this person in this project; `project`: everybody in it; `user`: this person everywhere. */
export type Scope = 'local' | 'project' | 'user';
export const SCOPES: readonly Scope[] = ['local', 'project', 'user'];

export interface SettingsPlace {
  readonly root: string;
  readonly home: string;
  readonly env: Env;
}

/** How an entry starts this program. */
export interface Launch {
  readonly command: string;
  /** Before the verb. */
  readonly args: readonly string[];
  /** After the verb and the event: where settings and state lie. */
  readonly homeArgs: readonly string[];
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
export interface OwnEntry {
  readonly event: string;
  readonly path: string;
  /** The program and its arguments; a single text when a shell has to take it apart. */
  readonly words: readonly string[];
}

export interface SettingsReport {
  readonly problems: readonly SettingsProblem[];
  readonly own: readonly OwnEntry[];
  /** Entries of others. */
  readonly foreign: number;
  /** Settings in this file that keep hooks from running. */
  readonly switches: readonly string[];
}

/** Containers that were there, and empty, before anything was added, by path. */
export type Kept = Readonly<Record<string, string>>;

export type Addition = { readonly edits: readonly Edit[]; readonly kept: Kept } | { readonly refusal: string };

/** How an agent is told to call this program: text in, text out. */
export interface Installer {
  /** The adapter's name. */
  readonly agent: string;
  /** What an installation listens to. */
  readonly wired: readonly AgentEvent[];
  settingsPath(scope: Scope, place: SettingsPlace): string;
  /** Which sessions read that file. */
  reach(scope: Scope): string;
  /** Files of the machine's administrator, which overrule all others. */
  policyPaths(platform: string): readonly string[];
  read(text: string): SettingsReport;
  /** The edits that wire every event, and point older entries of this program to `launch`. */
  add(text: string, launch: Launch): Addition;
  /** The edits that take every entry of this program out. */
  remove(text: string, kept: Kept): readonly Edit[];
}
