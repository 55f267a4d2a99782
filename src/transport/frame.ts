/**
 * What the processes of one home say to each other over the socket: one request and one reply per connection. The native
 * client writes and reads the same bytes, so a change here is a change there, and needs new marks.
 *
 * Request: `FLQ1`, header length and body length as 32 bits, header, body. The header is a row of texts that end with a
 * zero byte; the first letter says what each is. Reply: `FLR1`, outcome, exit code, two zero bytes, length as 32 bits, bytes.
 */
const encoder = new TextEncoder();
const REQUEST_MARK = markOf('FLQ1');
const REPLY_MARK = markOf('FLR1');
const REQUEST_START = 12;
const REPLY_START = 12;
const MAX_HEADER_BYTES = 1024 * 1024;
/** Begins the field with the bytes of the whole input, wherever it stands but at the front. */
const SIZE = '\0s';

export type Verb = 'hook' | 'status' | 'stop' | 'recheck';

export interface Request {
  readonly verb: string;
  /** The build of the caller. */
  readonly stamp: string;
  /** The state directory, which names the home. */
  readonly state: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Bytes of the whole input; more than the body has when it was too big to send. */
  readonly size: number;
  readonly body: Uint8Array;
}

/** `aside`: this daemon does not answer it; the caller decides by itself. */
export type Outcome = 'answered' | 'aside';
const OUTCOMES: readonly Outcome[] = ['answered', 'aside'];

export interface FrameReply {
  readonly outcome: Outcome;
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  /** Not sent: for who finds out that the caller never got it. */
  unheard?(): void;
}

export class FrameError extends Error {}

/** As UTF-8, in a third of the time that a `TextDecoder` takes; a mark of the byte order stays. */
export function textOf(bytes: Uint8Array, from = 0, to = bytes.length): string {
  const { buffer, byteOffset, length } = bytes;
  return (bytes instanceof Buffer ? bytes : Buffer.from(buffer, byteOffset, length)).toString('utf8', from, to);
}

export function encodeRequest(request: Request): Uint8Array {
  const fields = [
    `v${request.verb}`,
    `b${request.stamp}`,
    `h${request.state}`,
    ...request.args.map((arg) => `a${arg}`),
    ...(request.cwd === undefined ? [] : [`d${request.cwd}`]),
    `s${request.size}`,
    ...Object.entries(request.env).map(([name, value]) => `e${name}=${value}`),
  ];
  const header = encoder.encode(fields.map((field) => `${field}\0`).join(''));
  const frame = new Uint8Array(REQUEST_START + header.length + request.body.length);
  setWord(frame, 0, REQUEST_MARK);
  setWord(frame, 4, header.length);
  setWord(frame, 8, request.body.length);
  frame.set(header, REQUEST_START);
  frame.set(request.body, REQUEST_START + header.length);
  return frame;
}

/** How long the whole request is; undefined while too little of it is there to tell. */
export function requestLength(bytes: Uint8Array, maxBody: number): number | undefined {
  if (bytes.length < REQUEST_START) return undefined;
  checkMark(bytes, REQUEST_MARK);
  const header = wordAt(bytes, 4);
  const body = wordAt(bytes, 8);
  if (header > MAX_HEADER_BYTES || body > maxBody) throw new FrameError('a request over its limits');
  return REQUEST_START + header + body;
}

export function decodeRequest(frame: Uint8Array): Request {
  checkMark(frame, REQUEST_MARK);
  const bodyAt = REQUEST_START + wordAt(frame, 4);
  const end = bodyAt + wordAt(frame, 8);
  if (frame.length < end) throw new FrameError('a request that is cut off');
  // What follows belongs to no request: there is one per connection.
  const body = frame.subarray(bodyAt, end);
  const header = textOf(frame, REQUEST_START, bodyAt);
  // Calls of one session differ in their size alone.
  const at = header.indexOf(SIZE);
  const sizeAt = at < 0 ? header.length : at + SIZE.length;
  const sizeEnd = header.indexOf('\0', sizeAt);
  const rest = sizeEnd < 0 ? '' : header.slice(sizeEnd);
  const size = at < 0 ? body.length : Number(header.slice(sizeAt, header.length - rest.length));
  const { verb, stamp, state, args, cwd, env } = headOf(header.slice(0, sizeAt) + rest);
  return { verb, stamp, state, args, cwd, env, size, body };
}

type Head = Omit<Request, 'size' | 'body'>;

/** Of more and larger ones, each is read anew. */
const MOST_HEADS = 50;
const KEPT_CHARS = 16_384;
const heads = new Map<string, Head>();

function headOf(text: string): Head {
  const known = heads.get(text);
  if (known) return known;
  const head = readHead(text);
  if (text.length > KEPT_CHARS) return head;
  if (heads.size >= MOST_HEADS) heads.clear();
  heads.set(text, head);
  return head;
}

function readHead(text: string): Head {
  const args: string[] = [];
  const env: (readonly [name: string, value: string])[] = [];
  const one: Record<string, string> = {};
  for (const field of text.split('\0')) {
    const kind = field.charAt(0);
    if (kind === 'a') args.push(field.slice(1));
    else if (kind === 'e') {
      const at = field.indexOf('=');
      env.push([field.slice(1, at), field.slice(Math.max(at, 0) + 1)]);
    } else one[kind] = field.slice(1);
  }
  const { v: verb = '', b: stamp = '', h: state = '', d: cwd } = one;
  return { verb, stamp, state, args: Object.freeze(args), cwd, env: Object.freeze(Object.fromEntries(env)) };
}

export function encodeReply({ outcome, exitCode, stdout }: FrameReply): Uint8Array {
  const frame = new Uint8Array(REPLY_START + stdout.length);
  setWord(frame, 0, REPLY_MARK);
  frame[4] = OUTCOMES.indexOf(outcome);
  frame[5] = exitCode;
  setWord(frame, 8, stdout.length);
  frame.set(stdout, REPLY_START);
  return frame;
}

/** Any number of these come before a reply that takes its time. */
export const AT_WORK = Uint8Array.of(0);

/** Undefined for what is not a whole reply: a daemon that died while it wrote has answered nothing. */
export function decodeReply(told: Uint8Array): FrameReply | undefined {
  const start = told.findIndex((byte) => byte !== AT_WORK[0]);
  const frame = told.subarray(Math.max(0, start));
  if (frame.length < REPLY_START) return undefined;
  checkMark(frame, REPLY_MARK);
  const [, , , , kind = 0, exitCode = 0] = frame;
  const outcome = OUTCOMES[kind];
  if (outcome === undefined || frame.length !== REPLY_START + wordAt(frame, 8)) return undefined;
  return { outcome, exitCode, stdout: frame.subarray(REPLY_START) };
}

function markOf(text: string): number {
  return wordAt(encoder.encode(text), 0);
}

function checkMark(frame: Uint8Array, mark: number): void {
  if (wordAt(frame, 0) !== mark) throw new FrameError('not a frame of this version');
}

/** 32 bits, the lowest first. */
function wordAt(bytes: Uint8Array, at: number): number {
  const byte = (n: number) => (bytes[at + n] ?? 0) << (8 * n);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}

function setWord(bytes: Uint8Array, at: number, word: number): void {
  for (let byte = 0; byte < 4; byte += 1) bytes[at + byte] = word >>> (8 * byte);
}
