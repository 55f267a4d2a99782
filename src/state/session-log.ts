import type { StatsLine } from '../event/follow-up.ts';
import type { Files } from '../platform/files.ts';
import { sha256 } from '../platform/hash.ts';
import { join } from '../platform/paths.ts';

export interface LoggedLine extends StatsLine {
  /** The time, in UTC, as people and other programs read it. */
  readonly ts: string;
}

/** Some two thousand prompts. */
const MAX_BYTES = 256 * 1024;
const ENDING = '.jsonl';
const MAX_LOGS = 100_000;

type Reader = Pick<Files, 'list' | 'readText' | 'stat'>;

function dirOf(state: string): string {
  return join(state, 'sessions');
}

/** Agents choose the ids. Whatever one holds, its log gets a name of its own, also where case does not count. */
export function logPath(state: string, session: string): string {
  const name = /^[a-z0-9-]{8,64}$/.test(session) ? session : `~${sha256(session).slice(0, 32)}`;
  return join(dirOf(state), `${name}${ENDING}`);
}

/** Adds a line. Before that, a log that has grown too long loses its older half. */
export function appendToLog(files: Files, state: string, session: string, line: LoggedLine): void {
  files.makeDir(dirOf(state), 0o700);
  const path = logPath(state, session);
  if ((files.stat(path)?.size ?? 0) > MAX_BYTES) {
    const lines = (files.readText(path) ?? '').split('\n');
    files.writeAtomic(path, lines.slice(Math.floor(lines.length / 2)).join('\n'), 0o600);
  }
  files.append(path, `${JSON.stringify(line)}\n`);
}

/** The lines that can be read, oldest first; undefined when the session has no log. */
export function readLog(files: Reader, state: string, session: string): readonly LoggedLine[] | undefined {
  return files
    .readText(logPath(state, session))
    ?.split('\n')
    .flatMap((line): LoggedLine[] => {
      try {
        return line === '' ? [] : [JSON.parse(line) as LoggedLine];
      } catch {
        // The end of a line that was being written when its process ended.
        return [];
      }
    });
}

/** Sessions whose id can be told from the name of their log. */
export function loggedSessions(files: Reader, state: string): readonly string[] {
  return logNames(files, state)
    .filter((name) => !name.startsWith('~'))
    .map((name) => name.slice(0, -ENDING.length));
}

/** Deletes logs that nothing was added to since; says how many. */
export function pruneLogs(files: Files, state: string, before: number): number {
  const old = logNames(files, state)
    .map((name) => join(dirOf(state), name))
    .filter((path) => (files.stat(path)?.mtimeMs ?? before) < before);
  for (const path of old) files.remove(path);
  return old.length;
}

function logNames(files: Reader, state: string): readonly string[] {
  return files.list(dirOf(state), MAX_LOGS).filter((name) => name.endsWith(ENDING));
}
