import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** What was done about the policy of this machine. */
export interface PolicyAct {
  readonly at: number;
  readonly did: 'followed' | 'left' | 'accepted' | 'broke glass' | 'mended glass';
  readonly policy?: string;
  /** The account, as its environment names it; absent for what the engine did. */
  readonly by?: string;
  readonly reason?: string;
  readonly until?: number;
}

const actsPath = (state: string): string => join(state, 'team', 'acts.jsonl');

/** In their order; nothing takes lines out. */
export function recordAct(act: PolicyAct, state: string, files: Files): void {
  files.makeDir(join(state, 'team'), 0o700);
  files.append(actsPath(state), `${JSON.stringify(act)}\n`);
}

export function readActs(state: string, files: Files): readonly PolicyAct[] {
  return (files.readText(actsPath(state)) ?? '').split('\n').flatMap((line) => {
    try {
      const act = JSON.parse(line) as PolicyAct | null;
      return act === null ? [] : [act];
    } catch {
      return [];
    }
  });
}
