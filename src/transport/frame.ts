/**
 * What the processes of one home say to each other over the socket: one request and one reply per connection. The native
 * client writes and reads the same bytes, so a change here is a change there, and needs new marks.
 *
 * Request: `FLQ1`, header length and body length as 32 bits, header, body. The header is a row of texts that end with a
 * zero byte; the first letter says what each is. Reply: `FLR1`, outcome, exit code, two zero bytes, length as 32 bits, bytes.
 */
const REQUEST_MARK = 'FLQ1';
const REPLY_MARK = 'FLR1';
const REQUEST_START = 12;
const REPLY_START = 12;
const MAX_HEADER_BYTES = 1024 * 1024;

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

const encoder = new TextEncoder();

/** As UTF-8, in a third of the time that a `TextDecoder` takes; a mark of the byte order stays. */
export function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
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
  const view = startOf(frame, REQUEST_MARK);
  view.setUint32(4, header.length, true);
  view.setUint32(8, request.body.length, true);
  frame.set(header, REQUEST_START);
  frame.set(request.body, REQUEST_START + header.length);
  return frame;
}

/** How long the whole request is; undefined while too little of it is there to tell. */
export function requestLength(bytes: Uint8Array, maxBody: number): number | undefined {
  if (bytes.length < REQUEST_START) return undefined;
  const view = openFrame(bytes, REQUEST_MARK);
  const [header, body] = [view.getUint32(4, true), view.getUint32(8, true)];
  if (header > MAX_HEADER_BYTES || body > maxBody) throw new FrameError('a request over its limits');
  return REQUEST_START + header + body;
}

export function decodeRequest(frame: Uint8Array): Request {
  const view = openFrame(frame, REQUEST_MARK);
  const bodyAt = REQUEST_START + view.getUint32(4, true);
  const end = bodyAt + view.getUint32(8, true);
  if (frame.length < end) throw new FrameError('a request that is cut off');
  const args: string[] = [];
  const env: (readonly [name: string, value: string])[] = [];
  const one: Record<string, string> = {};
  for (const field of textOf(frame.subarray(REQUEST_START, bodyAt)).split('\0')) {
    const kind = field.charAt(0);
    if (kind === 'a') args.push(field.slice(1));
    else if (kind === 'e') {
      const at = field.indexOf('=');
      env.push([field.slice(1, at), field.slice(Math.max(at, 0) + 1)]);
    } else one[kind] = field.slice(1);
  }
  // What follows belongs to no request: there is one per connection.
  const body = frame.subarray(bodyAt, end);
  return {
    verb: one['v'] ?? '',
    stamp: one['b'] ?? '',
    state: one['h'] ?? '',
    args,
    cwd: one['d'],
    env: Object.fromEntries(env),
    size: Number(one['s'] ?? body.length),
    body,
  };
}

export function encodeReply({ outcome, exitCode, stdout }: FrameReply): Uint8Array {
  const frame = new Uint8Array(REPLY_START + stdout.length);
  const view = startOf(frame, REPLY_MARK);
  view.setUint8(4, OUTCOMES.indexOf(outcome));
  view.setUint8(5, exitCode);
  view.setUint32(8, stdout.length, true);
  frame.set(stdout, REPLY_START);
  return frame;
}

/** Undefined for what is not a whole reply: a daemon that died while it wrote has answered nothing. */
export function decodeReply(frame: Uint8Array): FrameReply | undefined {
  if (frame.length < REPLY_START) return undefined;
  const view = openFrame(frame, REPLY_MARK);
  const outcome = OUTCOMES[view.getUint8(4)];
  if (outcome === undefined || frame.length !== REPLY_START + view.getUint32(8, true)) return undefined;
  return { outcome, exitCode: view.getUint8(5), stdout: frame.subarray(REPLY_START) };
}

function startOf(frame: Uint8Array, mark: string): DataView {
  for (let at = 0; at < mark.length; at += 1) frame[at] = mark.charCodeAt(at);
  return new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
}

function openFrame(frame: Uint8Array, mark: string): DataView {
  for (let at = 0; at < mark.length; at += 1)
    if (frame[at] !== mark.charCodeAt(at)) throw new FrameError('not a frame of this version');
  return new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
}
