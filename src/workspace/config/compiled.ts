import type { BorrowedReader } from '../../event/pack.ts';
import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import type { MessageOverride } from './messages.ts';
import type { UserRule } from '../../user-rules/parse.ts';
import type { Problem } from '../../user-rules/problem.ts';
import type { FileKind } from './scan.ts';
import type { Config } from './settings.ts';
import { acceptedPath } from './accepted.ts';
import { sign } from './signature.ts';
import type { Signature } from './signature.ts';
import { PROJECT_DIR, trustPath } from './trust.ts';
import type { TrustState, TrustStatus } from './trust.ts';
import type { PolicyHead } from '../../team/bundle.ts';
import type { BrokenGlass, TeamSettings } from '../../team/place.ts';

/** Built-in settings are code; these are read: the team's from a signed policy, the others from directories. */
export type LayerKind = 'user' | 'project' | 'team';

/** Those that a person writes files for. */
export type OwnKind = Exclude<LayerKind, 'team'>;

/** Which policy a team's layer was made of. */
export interface PolicyOrigin extends PolicyHead {
  readonly digest: string;
  readonly machine: string;
  readonly acceptedAt: number;
}

export interface LayerFile {
  readonly path: string;
  /** Below the layer's directory, with slashes; of a borrowed file, below the project's root. */
  readonly name: string;
  readonly kind: FileKind;
  /** `kept`: invalid now, the last good version stays in force. `broken`: invalid and without effect. `skipped`: not trusted. */
  readonly state: 'ok' | 'kept' | 'broken' | 'skipped';
  readonly sha256?: string;
  readonly config?: Config;
  readonly rule?: UserRule;
  readonly message?: MessageOverride;
  /** Keys of borrowed settings that were read, and those that mean nothing here. */
  readonly keys?: { readonly read: readonly string[]; readonly ignored: readonly string[] };
}

/** What a compiler makes of a layer's directory, and all that the next process needs to know. */
export interface Compiled {
  readonly kind: LayerKind;
  readonly dir: string;
  /** `trusted` also for the user's own layer. */
  readonly state: TrustState;
  readonly trust?: TrustStatus;
  readonly files: readonly LayerFile[];
  readonly problems: readonly Problem[];
  readonly signatures: readonly Signature[];
  /** False when a file was so young that a change right after reading would not show. */
  readonly settled: boolean;
  readonly compiledAt: number;
  readonly policy?: PolicyOrigin;
  /** While it is broken, the policy does not count. */
  readonly glass?: BrokenGlass;
}

export type ParseRule = (
  text: string,
  place: { readonly file: string; readonly namespace: LayerKind },
) => { readonly rule?: UserRule; readonly problems: readonly Problem[] };

export interface LayerDeps {
  readonly files: Files;
  /** The state directory. */
  readonly state: string;
  readonly now: () => number;
  /** Whose policy the layer of a team holds. */
  readonly team?: TeamSettings;
  /** The build: another one may read the same files differently. */
  readonly build: string;
  /** Asked for only when a rule file has to be read. */
  readonly loadRuleParser: () => Promise<ParseRule>;
  /** Asked for only when files that the pack borrows have to be read. */
  readonly loadBorrowed: (pack: string) => Promise<BorrowedReader>;
}

export function baseOf(kind: LayerKind, dir: string): string {
  return kind === 'project' ? join(dir, PROJECT_DIR) : dir;
}

/** The files beside a layer that say what a person has accepted: of a project itself, or of the person's own settings. */
export function recordsOf(kind: LayerKind, { files, state }: Pick<LayerDeps, 'files' | 'state'>): readonly Signature[] {
  if (kind === 'team') return [];
  const paths = kind === 'project' ? [trustPath(state)] : [acceptedPath(state), trustPath(state)];
  return paths.map((path) => sign(path, files));
}
