import { randomBytes } from 'node:crypto';
import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** Where the HTTP transport of one home listens, and what a request must carry. Both stay the same over restarts. */
export interface HttpAccess {
  readonly port: number;
  readonly token: string;
}

const TOKEN = /^[0-9a-f]{64}$/;

export function hookUrl(port: number, agent: string): string {
  return `http://127.0.0.1:${port}/hook/${agent}`;
}

/** Undefined until an installation has asked for the HTTP transport. */
export function readHttpAccess(files: Files, run: string): HttpAccess | undefined {
  const [port, token] = [readLine(files, join(run, 'port'), isPort), readLine(files, join(run, 'token'), isToken)];
  return port === undefined || token === undefined ? undefined : { port: Number(port), token };
}

/** What `ensureHttpAccess` would write if nobody comes first; nothing is written. */
export async function proposeHttpAccess(
  files: Files,
  run: string,
  findFreePort: () => Promise<number>,
): Promise<HttpAccess> {
  const port = readLine(files, join(run, 'port'), isPort);
  return {
    port: port === undefined ? await findFreePort() : Number(port),
    token: readLine(files, join(run, 'token'), isToken) ?? randomBytes(32).toString('hex'),
  };
}

/** Makes sure of port and token. Of two processes that do so at once, both get those of the one that came first. */
export function ensureHttpAccess(files: Files, run: string, proposal: HttpAccess): HttpAccess {
  const port = ensureLine(files, join(run, 'port'), String(proposal.port), isPort);
  return { port: Number(port), token: ensureLine(files, join(run, 'token'), proposal.token, isToken) };
}

const ACCEPTED = 'other-users-accepted';

/** Whether a person of this home has agreed to what other users of the machine can do to posts. */
export function areOtherUsersAccepted(files: Files, run: string): boolean {
  return files.exists(join(run, ACCEPTED));
}

export function acceptOtherUsers(files: Files, run: string): void {
  files.writeAtomic(join(run, ACCEPTED), '', 0o600);
}

/**
 * The first valid line counts, and a line is only ever appended, in one write: whoever reads after its own line is there
 * reads what everybody reads. A line that was cut off by a full disk is not valid, and the next one counts.
 */
function ensureLine(files: Files, path: string, line: string, isValid: (line: string) => boolean): string {
  const known = readLine(files, path, isValid);
  if (known !== undefined) return known;
  const isCut = !/^$|\n$/.test(files.readText(path) ?? '');
  files.append(path, `${isCut ? '\n' : ''}${line}\n`);
  const now = readLine(files, path, isValid);
  if (now === undefined) throw new Error(`${path} cannot be written or read`);
  return now;
}

function readLine(files: Files, path: string, isValid: (line: string) => boolean): string | undefined {
  // Without its end a line may be cut off.
  return files.readText(path)?.split('\n').slice(0, -1).find(isValid);
}

function isPort(line: string): boolean {
  return /^[1-9]\d{3,4}$/.test(line) && Number(line) >= 1024 && Number(line) <= 65_535;
}

function isToken(line: string): boolean {
  return TOKEN.test(line);
}
