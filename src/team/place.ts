import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { join } from '../platform/paths.ts';

/** What the person's settings say of a team. */
export interface TeamSettings {
  /** Where the policy comes from: a file, or an address. */
  readonly policy: string;
  /** Pinned: one of them has to have signed it. */
  readonly keys: readonly string[];
  readonly labels?: readonly string[];
}

/** Time in which the policy does not count, and why. */
export interface BrokenGlass {
  readonly since: number;
  readonly until: number;
  readonly reason: string;
}

/** The longest that a policy may be put out of force. */
export const MAX_GLASS_MS = 24 * 3_600_000;

/** What is kept of a team lies under its source and its keys: with others, nothing of it counts. */
export function teamDir(state: string, { policy, keys }: TeamSettings): string {
  return join(state, 'team', sha256([policy, ...keys.toSorted()].join('\n')).slice(0, 16));
}

export const keptPath = (dir: string): string => join(dir, 'policy.json');
export const glassPath = (dir: string): string => join(dir, 'glass.json');

export function readGlass(dir: string, files: Files): BrokenGlass | undefined {
  try {
    const { since, until, reason } = JSON.parse(
      files.readText(glassPath(dir), 64 * 1024) ?? '{}',
    ) as Partial<BrokenGlass>;
    if (typeof until !== 'number') return undefined;
    return { since: Number(since), until, reason: String(reason) };
  } catch {
    return undefined;
  }
}
