import type { AgentProgram } from '../event/agent-program.ts';
import type { Effect, ManyFiles, PathScope, SettingsWords } from '../event/effect.ts';
import type { Marks } from '../event/marks.ts';
import type { Reading, ShellCommand, ShellWord } from '../shell/command.ts';

/** What a call's targets are held against. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  /** The workspace root. */
  readonly root: string;
  /** Globs of the settings that decide how the agent and its hooks behave; absolute, or starting with `~/` or `**`. */
  readonly agentSettings: readonly string[];
  /** Globs, of the same form, of the files that the agent runs by itself. */
  readonly agentCode?: readonly string[];
  /** Those of the files in force, and of others, that are there and by which an agent calls this program; without it none are known. */
  readonly wired?: ((inForce: readonly string[]) => readonly string[]) | undefined;
  /** What in the text of those settings is about hooks. */
  readonly settingsWords?: SettingsWords;
  /** The same by file, in the order of `agentSettings`: what one agent calls permission may be nothing of the kind to another. */
  readonly wordsOfFiles?: readonly SettingsWords[];
  /** How agents are started. */
  readonly agentPrograms?: readonly AgentProgram[];
  /** Directories of Fairlead's own state, config and program; absolute. */
  readonly ownDirs: readonly string[];
  /** Whether a look at the disk finds the path in one of these, by whatever name; without it only names count. */
  readonly isOwn?: (path: string) => boolean;
  /** The beginning of a file; without it none is read. */
  readonly readText?: (path: string, mostBytes: number) => string | undefined;
  /** Where a path leads when links are followed; without it none are. */
  readonly realPath?: (path: string) => string | undefined;
  /** What the session keeps in mind of where files and texts came from. */
  readonly marks?: Marks | undefined;
  /** What a script on disk holds; without it none are read. */
  readonly disk?: ((path: string) => string | undefined) | undefined;
  /** Whether a directory is there; without it that is not known. */
  readonly isDir?: ((path: string) => boolean) | undefined;
}

/** A path as far as the text tells it. */
export interface ResolvedPath {
  /** As a person would name it: from the workspace root, or absolute. */
  readonly name: string;
  /** Absolute; absent when it cannot be told. */
  readonly path?: string;
  /** The path with what it goes up again from, if it does. */
  readonly winding?: string;
  readonly scope: PathScope;
  /** It stands for all that is in the place, by a list of it or by a pattern that matches everything. */
  readonly whole?: 'list' | 'pattern';
  readonly many?: ManyFiles;
}

export interface Scene {
  readonly surroundings: Surroundings;
  readonly reading: Reading;
  /** Where the word points to, seen from where the command runs. */
  place(word: ShellWord | string, command: ShellCommand): ResolvedPath;
  /** Fills in what every effect of a command shares. */
  effect(command: ShellCommand, about: Omit<Effect, 'seen' | 'road' | 'position' | 'after' | 'at'>): Effect;
}

/** Reads the effects of one program's command. */
export type ReadEffects = (command: ShellCommand, scene: Scene) => readonly Effect[];

/** By program name in lower case; versions such as `python3.12` are looked up without their digits too. */
export type ProgramTable = Readonly<Record<string, ReadEffects>>;
