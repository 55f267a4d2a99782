import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const extras = new URL('../../../../test/fixtures/claude-code/extras/', import.meta.url);

/** A recorded transcript, as it would be had the session been in this directory and had this id. */
export function recordedTranscript(name: string, cwd: string, session: string): string {
  const text = readFileSync(new URL(name, extras), 'utf8');
  const id = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? '';
  return text.replaceAll('/home/dev/project', cwd).replaceAll(id, session);
}

/** Where the recorded agent keeps the records of a directory's sessions. */
export function recordsDir(home: string, cwd: string): string {
  return join(home, '.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
}

export function plantFile(path: string, text: string, at?: number): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  if (at !== undefined) utimesSync(path, at / 1_000, at / 1_000);
  return path;
}
