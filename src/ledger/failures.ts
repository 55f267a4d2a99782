import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';
import { shorten } from './redact.ts';

/** Something of ours that went wrong while the agent's session went on. */
export interface Failure {
  readonly at: number;
  readonly what: string;
  readonly message: string;
}

const MAX_BYTES = 256 * 1024;

export interface FailureLog {
  add(what: string, error: unknown): void;
  read(): Failure[];
}

/** A plain file, because the database may be what failed. It is halved when it grows too long, and never throws. */
export function createFailureLog(stateDir: string, files: Files, now: () => number): FailureLog {
  const path = join(stateDir, 'failures.jsonl');
  return {
    add(what, error) {
      const message = shorten(error instanceof Error ? error.message : String(error), 500);
      try {
        files.makeDir(stateDir, 0o700);
        if ((files.stat(path)?.size ?? 0) > MAX_BYTES) {
          const lines = (files.readText(path) ?? '').split('\n');
          files.writeAtomic(path, lines.slice(Math.floor(lines.length / 2)).join('\n'), 0o600);
        }
        files.append(path, `${JSON.stringify({ at: now(), what, message })}\n`);
      } catch {
        // Nowhere left to write; the reply is what matters.
      }
    },
    read() {
      return (files.readText(path) ?? '').split('\n').flatMap((line): Failure[] => {
        try {
          return line === '' ? [] : [JSON.parse(line) as Failure];
        } catch {
          return [];
        }
      });
    },
  };
}
