// Puts a server under load: raw sockets, requests made beforehand, one under way per connection. Run as a process of its
// own with an Order as its argument; prints a Load.
import { connect } from 'node:net';
import { summarize } from '../lib/measure.ts';
import { CALL_DIGITS, SESSION_DIGITS } from './payloads.ts';
import { cpuSeconds } from './servers.ts';

export interface Step {
  readonly payload: string;
  /** Added to the number of the session. */
  readonly sessionOffset: number;
  /** About how many events of this step one session gets before the next begins; by default all. */
  readonly perSession?: number;
  /** The size of the body that answers it, if only one is right. */
  readonly replyBytes?: number;
}

export interface Order {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly connections: number;
  readonly sessions: number;
  /** What each session sends, over and over. */
  readonly script: readonly Step[];
  /** Calls are numbered from here. */
  readonly firstCall: number;
  readonly warmUpSeconds: number;
  readonly until: { readonly seconds: number } | { readonly events: number };
}

export interface Load {
  /** Answered over all, and per step of the script, with those of the warm-up. */
  readonly answered: number;
  readonly perStep: readonly number[];
  readonly wrong: readonly string[];
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Shares of one core. */
  readonly serverCpu: number;
  readonly ownCpu: number;
}

interface Prepared {
  readonly bytes: Buffer;
  readonly session: number;
  readonly call: number;
}

function prepare({ path, headers, port }: Order, { payload }: Step): Prepared {
  const body = Buffer.from(payload);
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    Connection: 'keep-alive',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
  return {
    bytes,
    session: bytes.indexOf('#'.repeat(SESSION_DIGITS)),
    call: bytes.indexOf(`_${'#'.repeat(CALL_DIGITS)}`),
  };
}

function writeDigits(bytes: Buffer, start: number, digits: number, value: number): void {
  for (let at = start + digits - 1, rest = value; at >= start; at -= 1) {
    bytes[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

function generate(order: Order): Promise<Load> {
  const { script, connections, sessions, until } = order;
  const perStep = script.map(() => 0);
  const wrong: string[] = [];
  const times: number[] = [];
  const began = performance.now();
  const warmUntil = began + order.warmUpSeconds * 1_000;
  const stopAt = 'seconds' in until ? warmUntil + until.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const maxEvents = 'events' in until ? until.events : Number.POSITIVE_INFINITY;
  let sent = 0;
  let open = connections;
  let from: { at: number; server: number; own: number } | undefined;
  let to = { at: 0, server: 0, own: 0 };
  const mark = () => {
    const { user, system } = process.cpuUsage();
    return { at: performance.now(), server: cpuSeconds(order.pid) ?? Number.NaN, own: (user + system) / 1e6 };
  };

  return new Promise((resolve, reject) => {
    const finish = () => {
      const { p50, p99 } = summarize(Float64Array.from(times));
      const seconds = (to.at - (from?.at ?? began)) / 1_000;
      resolve({
        answered: perStep.reduce((sum, count) => sum + count, 0),
        perStep,
        wrong,
        perSecond: times.length / seconds,
        p50,
        p99,
        serverCpu: (to.server - (from?.server ?? 0)) / seconds,
        ownCpu: (to.own - (from?.own ?? 0)) / seconds,
      });
    };
    for (let connection = 0; connection < connections; connection += 1) {
      const prepared = script.map((step) => prepare(order, step));
      const own = Array.from({ length: sessions }, (_, at) => at).filter((at) => at % connections === connection);
      const socket = connect(order.port, '127.0.0.1');
      socket.setNoDelay(true);
      let turn = -1;
      let step = 0;
      let started = 0;
      let rest = '';
      const send = () => {
        started = performance.now();
        if (started >= stopAt || sent >= maxEvents) {
          if (to.at === 0) to = mark();
          open -= 1;
          socket.end();
          if (open === 0) finish();
          return;
        }
        if (from === undefined && started >= warmUntil) from = mark();
        turn += 1;
        step = Math.floor(turn / own.length) % script.length;
        const { bytes, session, call } = prepared[step] as Prepared;
        const { sessionOffset: offset = 0, perSession = Number.POSITIVE_INFINITY } = script[step] ?? {};
        const number =
          (own[turn % own.length] ?? 0) +
          offset +
          sessions * Math.floor((order.firstCall + sent) / sessions / perSession);
        if (session >= 0) writeDigits(bytes, session, SESSION_DIGITS, number);
        if (call >= 0) writeDigits(bytes, call + 1, CALL_DIGITS, order.firstCall + sent);
        sent += 1;
        socket.write(bytes);
      };
      socket.on('connect', send);
      socket.on('error', reject);
      socket.on('data', (chunk: Buffer) => {
        rest += chunk.toString('latin1');
        const head = rest.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(rest)?.[1]);
        if (Number.isNaN(length)) {
          reject(new Error(`a response without Content-Length: ${rest.slice(0, head)}`));
          return;
        }
        if (rest.length < head + 4 + length) return;
        const { replyBytes } = script[step] as Step;
        if (!rest.startsWith('HTTP/1.1 200') || (replyBytes !== undefined && replyBytes !== length))
          if (wrong.length < 5) wrong.push(rest);
        if (started >= warmUntil) times.push(performance.now() - started);
        perStep[step] = (perStep[step] ?? 0) + 1;
        rest = '';
        send();
      });
    }
  });
}

console.log(JSON.stringify(await generate(JSON.parse(process.argv[2] ?? '') as Order)));
