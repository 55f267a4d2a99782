import { join } from 'node:path';
import { UNBORN } from './head.ts';
import type { GitFiles, Repository } from './repository.ts';

/** What moved HEAD. */
export interface HeadMove {
  readonly sha: string;
  /** `commit`, `commit (amend)`, `checkout`, … */
  readonly action: string;
  /** For a commit, its subject. */
  readonly about: string;
}

/** A command line writes a few lines of the log at most. */
const LOG_BYTES = 16 << 10;
const LOG_LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*? \d+ [+-]\d{4}(?:\t([^:]*)(?:: ?(.*))?)?$/;

/**
 * How HEAD came from `before` to where it is, oldest first; its last move when that is not known. Undefined where no log is
 * kept or it does not tell.
 */
export function movesSince(
  files: Pick<GitFiles, 'stat' | 'readRange'>,
  { gitDir }: Repository,
  before: string | undefined,
): readonly HeadMove[] | undefined {
  const path = join(gitDir, 'logs', 'HEAD');
  const size = files.stat(path)?.size ?? 0;
  const bytes = files.readRange(path, Math.max(0, size - LOG_BYTES), LOG_BYTES);
  if (!bytes) return undefined;
  const moves: HeadMove[] = [];
  for (const line of new TextDecoder().decode(bytes).trimEnd().split('\n').toReversed()) {
    const [, old, sha, action = '', about = ''] = LOG_LINE.exec(line) ?? [];
    if (old === undefined || sha === undefined) return undefined;
    if (sha === before) return moves.toReversed();
    moves.push({ sha, action, about });
    if (before === undefined || old === before || (before === UNBORN && /^0+$/.test(old))) return moves.toReversed();
  }
  return undefined;
}
