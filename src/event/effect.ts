/** What a tool call would do to the world, whatever it is spelled like. */
export const EFFECT_KINDS = [
  'delete',
  'overwrite',
  'truncate',
  'write',
  'read-secret',
  'send',
  'run-remote',
  'push',
  'force-push',
  'rewrite-history',
  'discard',
  'delete-branch',
  'permissions',
  'escalate',
  'kill',
  'exhaust',
  'destroy-disk',
  'destroy-data',
  'destroy-cloud',
  'publish',
  'system',
  'download',
  'copy-secret',
  'inspect',
  'settings',
  'unknown',
] as const;
export type EffectKind = (typeof EFFECT_KINDS)[number];

/**
 * Where a path lies. `made` is what a build makes inside the workspace; `git` is the repository's own directory;
 * `user` is the rest of the home directory; `outside` is any other place; `unknown` cannot be told from the text.
 */
export const SCOPES = [
  'root',
  'system',
  'device',
  'home',
  'user',
  'workspace',
  'git',
  'made',
  'inside',
  'temp',
  'outside',
  'remote',
  'unknown',
] as const;
export type PathScope = (typeof SCOPES)[number];

/** How the text of an agent's settings tells whether this program is still called. */
export interface SettingsWords {
  /** `true` under one of these keeps hooks from running. */
  readonly switches: readonly string[];
  /** Keys, and beginnings of keys, that decide what hooks do; the switches are among them. */
  readonly steering: readonly string[];
  /** Variables by which the agent itself is led to other settings. */
  readonly variables?: readonly string[];
  /** By key, the values that let nearly every call through without a question. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  /** One of these is in every file that calls this program. */
  readonly entries: readonly string[];
  readonly entry: EntryWords;
}

/** How one entry for a hook is written. */
export interface EntryWords {
  /** The keys of what it calls: a program, its arguments, an address. */
  readonly calls: readonly string[];
  /** Regular expressions, one of which fits what an entry of this program calls, a line for each word. */
  readonly own: readonly string[];
  /** Keys of an entry, or of the group it is in, that make it run less often or without waiting for it. */
  readonly narrowing: readonly string[];
  /** Keys that keep the agent from going on without an answer. */
  readonly holding: readonly string[];
  /** Keys of the seconds it may take. */
  readonly seconds: readonly string[];
}

/** What the words of a git command say of the repository, and of what goes with what they name. */
export interface GitWords {
  /** Where it runs, absolute. */
  readonly dir: string;
  /** Where `everything` ends, absolute; without it, with the work tree. */
  readonly within?: string;
  /** The commit or stash that it names: where a branch stands afterwards, what a push puts there, what a rebase keeps. */
  readonly to?: string;
  /** The commit that files are taken from; empty when only running it tells. */
  readonly from?: string;
  /** What is staged goes with it. */
  readonly staged?: boolean;
  /** What git ignores goes with it, or nothing else does. */
  readonly ignored?: 'too' | 'only';
  /** Directories that git does not know stay. */
  readonly flat?: boolean;
}

/** The files that a pattern matches, or that a list names. */
export interface ManyFiles {
  /** Where they lie, absolute; undefined when that cannot be told. */
  readonly below: string | undefined;
  /** The pattern of their paths from there; `**` is any number of directories. */
  readonly like: string;
}

export interface Effect {
  readonly kind: EffectKind;
  /** The way within the kind, one word such as `hard-reset` or `in-place`; stable, so rules can tell ways apart. */
  readonly how?: string;
  /** What it acts on, as a person would name it: a path, a branch, a table, a host. Never the content of a secret. */
  readonly target: string;
  /** Absolute, when the target is a path that is known. */
  readonly path?: string;
  readonly scope?: PathScope;
  /** The path before `a/../b` became `b`, where it goes up again: should `a` be a link, it leads elsewhere. */
  readonly winding?: string;
  /** Where what is put there comes from, absolute: what a link or a mount leads to, what a copy or a move takes. */
  readonly from?: string;
  /** The names that come to lie in the path, should it be a directory; absent when they cannot be told. */
  readonly names?: readonly string[];
  /** A whole tree, or everything in a directory. */
  readonly recursive?: boolean;
  /** It hits many files, and not all of a tree. */
  readonly many?: ManyFiles;
  /** For `send` and `read-secret`: what leaves or is read. */
  readonly of?: 'secret' | 'environment' | 'tree' | 'file' | 'unknown';
  /** For `send`, `run-remote` and pushes: the other end, as far as it is named. */
  readonly host?: string;
  /** Globs of absolute paths that it leaves alone although they lie where it takes place. */
  readonly spares?: readonly string[];
  /** For git: the branch or ref that is hit; empty when the command names none. */
  readonly branch?: string;
  /** For git: absent where its words do not tell which repository and what of it is meant. */
  readonly git?: GitWords;
  /** What the same call runs before it and may change what it finds: subcommands of git, `mv` and the like. */
  readonly after?: readonly string[];
  /** For `unknown`: what the command does if its program runs what it is given. */
  readonly perhaps?: readonly Effect[];
  /** For `settings` of the agent: what in their text is about hooks. */
  readonly words?: SettingsWords;
  /** The simple command it comes from, as typed and at most 200 characters, or the tool and its path. */
  readonly seen: string;
  /** The line of the script from disk that it comes from; the file as a person would name it. */
  readonly at?: { readonly file: string; readonly line: number };
  /** How it is reached, outermost first: `sudo`, `bash -c`, `xargs`, `find -exec`, `python -c`. */
  readonly road: readonly string[];
  readonly position?: 'lead' | 'chained' | 'nested';
}
