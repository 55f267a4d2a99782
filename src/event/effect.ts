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

export interface Effect {
  readonly kind: EffectKind;
  /** The way within the kind, one word such as `hard-reset` or `in-place`; stable, so rules can tell ways apart. */
  readonly how?: string;
  /** What it acts on, as a person would name it: a path, a branch, a table, a host. Never the content of a secret. */
  readonly target: string;
  /** Absolute, when the target is a path that is known. */
  readonly path?: string;
  readonly scope?: PathScope;
  /** A whole tree, or everything that a pattern matches. */
  readonly recursive?: boolean;
  /** For `send` and `read-secret`: what leaves or is read. */
  readonly of?: 'secret' | 'environment' | 'tree' | 'file' | 'unknown';
  /** For `send`, `run-remote` and pushes: the other end, as far as it is named. */
  readonly host?: string;
  /** For git: the branch or ref that is hit; empty when the command names none. */
  readonly branch?: string;
  /** The simple command it comes from, as typed and at most 200 characters, or the tool and its path. */
  readonly seen: string;
  /** How it is reached, outermost first: `sudo`, `bash -c`, `xargs`, `find -exec`, `python -c`. */
  readonly road: readonly string[];
  readonly position?: 'lead' | 'chained' | 'nested';
}
