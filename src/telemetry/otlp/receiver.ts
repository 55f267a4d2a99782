import { VERSION } from '../../platform/build.ts';
import { compress } from '../../platform/compress.ts';
import { isAbsolute, join } from '../../platform/paths.ts';
import { postBytes } from '../../platform/post.ts';
import type { Posted } from '../../platform/post.ts';
import { readPrivateText } from '../../platform/private-text.ts';
import { decodeMessage } from './protobuf.ts';
import { endpointProblem, signalUrl } from './settings.ts';
import type { OtlpSettings, Signal } from './settings.ts';

/** What became of a request. Who was told to wait waits at least so long. */
export type Outcome =
  | { readonly kind: 'taken'; readonly refused: number; readonly problem?: string }
  /** The same again would be refused again: what was sent is at fault. */
  | { readonly kind: 'unfit'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string; readonly waitMs?: number };

const HEADER_BYTES = 16 * 1024;
const ANSWER_BYTES = 64 * 1024;
/** Nobody makes it wait for longer. */
const LONGEST_WAIT_MS = 3_600_000;
const PROBLEM_LENGTH = 300;
/** About the bytes and not about who sends them, or where to. */
const UNFIT: ReadonlySet<number> = new Set([400, 413, 422]);

export interface Sender {
  readonly settings: OtlpSettings;
  readonly userHome: string;
  readonly signal: AbortSignal;
  now(): number;
}

/** One attempt. The key is read anew each time, so that a new one counts at once. */
export async function sendTo(signal: Signal, body: Uint8Array, { settings, ...sender }: Sender): Promise<Outcome> {
  const { endpoint = '', gzip, insecure, timeoutSeconds } = settings;
  const unusable = endpointProblem(endpoint, insecure);
  if (unusable !== undefined) return { kind: 'failed', problem: unusable };
  const headers = readHeaders(settings.headersFile, sender.userHome);
  if ('problem' in headers) return { kind: 'failed', problem: headers.problem };
  try {
    const posted = await postBytes(signalUrl(endpoint, signal), gzip ? await compress(body) : body, {
      timeoutMs: timeoutSeconds * 1_000,
      userAgent: `fairlead/${VERSION}`,
      signal: sender.signal,
      mostBytes: ANSWER_BYTES,
      headers: {
        ...headers.found,
        'content-type': 'application/x-protobuf',
        ...(gzip && { 'content-encoding': 'gzip' }),
      },
    });
    return outcomeOf(posted, sender.now());
  } catch (error) {
    // A header that is none, for one.
    return { kind: 'failed', problem: error instanceof Error ? error.message : String(error) };
  }
}

function outcomeOf(posted: Posted, now: number): Outcome {
  if ('message' in posted) return { kind: 'failed', problem: posted.message };
  const { status, retryAfter, body } = posted;
  if (status >= 200 && status < 300) return { kind: 'taken', ...partialIn(body) };
  const problem = `answered with status ${status}`;
  if (UNFIT.has(status)) return { kind: 'unfit', problem };
  const waitMs = waitIn(retryAfter, now);
  return { kind: 'failed', problem, ...(waitMs !== undefined && { waitMs }) };
}

/** `partial_success`: how many the receiver left out, and its words. It may not be asked to take them again. */
function partialIn(body: Uint8Array): { readonly refused: number; readonly problem?: string } {
  const partial = decodeMessage(body)?.find(({ field }) => field === 1)?.value;
  const fields = partial instanceof Uint8Array ? (decodeMessage(partial) ?? []) : [];
  const [count, words] = [1, 2].map((wanted) => fields.find(({ field }) => field === wanted)?.value);
  const said = words instanceof Uint8Array ? new TextDecoder().decode(words.subarray(0, PROBLEM_LENGTH)) : '';
  const refused = typeof count === 'number' && Number.isSafeInteger(count) ? count : 0;
  return { refused, ...(refused > 0 && { problem: `left out ${refused}: ${said}` }) };
}

/** Seconds, or a date. */
function waitIn(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_WAIT_MS) : undefined;
}

type Headers = { readonly found: Readonly<Record<string, string>> } | { readonly problem: string };

/** Lines of `name: value`; blank ones and those that begin with # say nothing. */
export function readHeaders(file: string | undefined, userHome: string): Headers {
  if (file === undefined) return { found: {} };
  const path = file.startsWith('~/') ? join(userHome, file.slice(2)) : file;
  if (!isAbsolute(path)) return { problem: 'headersFile has to be absolute or begin with ~/' };
  const read = readPrivateText(path, HEADER_BYTES);
  if ('problem' in read) return read;
  const lines = read.text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(line)?.slice(1));
  if (pairs.some((pair) => pair === undefined)) return { problem: `${path} has a line that is not "name: value"` };
  return {
    found: Object.fromEntries(pairs.map((pair) => [pair?.[0]?.toLowerCase(), pair?.[1]?.trim()])) as Record<
      string,
      string
    >,
  };
}
