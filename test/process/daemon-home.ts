import { spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect } from 'vitest';
import { isLimited, isLong } from '../cases.ts';
import { lacks } from '../lacking.ts';
import { PATIENCE_MS, until } from '../patience.ts';
import { fnv1a64 } from '../../src/transport/fnv.ts';
import { openMeetingPlace, shortDir } from '../../src/transport/meeting-place.ts';
import { daemonProcess, startingMark } from '../../src/transport/start-daemon.ts';
import { spawnDetached } from '../../src/platform/processes.ts';
import { makePrivate } from '../../src/platform/private-dir.ts';
import { askStatus } from '../../src/transport/ask-daemon.ts';
import { decodeReply, encodeRequest } from '../../src/transport/frame.ts';
import type { FrameReply } from '../../src/transport/frame.ts';
import type { DaemonStatus } from '../../src/transport/status.ts';
import { acceptConfig } from '../../src/workspace/config/accepted.fixture.ts';
import { recorded } from '../fixtures/claude-code.ts';
import { afterEachFile, afterEachTest } from './endings.ts';
import { isDaemon, processesOf } from './proc.ts';
import type { Process } from './proc.ts';
import { copyProductTo, plantCode, sharedProduct } from './product.ts';
import type { CopyOptions, Product } from './product.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';

/** A short name, so that sockets find room below it; open to other users, because some tests run a client as one. */
const base = realpathSync(mkdtempSync(join(tmpdir(), 'fl-')));
chmodSync(base, 0o755);
let made = 0;

/** A product that the test may change; with `builtAt`, one that says it was built at another time and of other sources. */
export function copyProduct(options: CopyOptions = {}): Product {
  made += 1;
  return copyProductTo(join(base, `p${made}`), product, options);
}

export const product = sharedProduct();
const hasNative = existsSync(product.client);

/** They look at their processes through /proc. */
export const isLinux = process.platform === 'linux';

export const CLIENTS = ['native', 'node'] as const;
export type Client = (typeof CLIENTS)[number];
/** Those that this machine can run. */
export const clients: readonly Client[] = hasNative ? CLIENTS : ['node'];
export const isMissing = (client: Client): boolean => !clients.includes(client);

/** The same tests for each client; those of one that is not built are skipped. */
export function describeClients(title: string, tests: (client: Client) => void): void {
  for (const client of CLIENTS)
    describe.skipIf(lacks('linux') || isMissing(client))(title.replace('%s', client), () => {
      tests(client);
    });
}

/** The same for what is hardly up to the client: by the usual one, and by each in a long run that has no budget. */
export function describeUsual(title: string, tests: (client: Client) => void): void {
  for (const client of isLong && !isLimited ? clients : [usual])
    describe.skipIf(lacks('linux'))(title.replace('%s', client), () => {
      tests(client);
    });
}
/** The client that an installation would choose. */
export const usual: Client = hasNative ? 'native' : 'node';

export interface Home {
  readonly dir: string;
  readonly config: string;
  readonly state: string;
  readonly run: string;
  readonly project: string;
  /** Where the socket is. */
  readonly meeting: string;
  /** The last part of the short directory's name. */
  readonly shortName: string;
  processes(): Process[];
  daemons(): number[];
  status(): Promise<DaemonStatus | undefined>;
  /** Resolves once a daemon answers; fails when none does. */
  daemon(): Promise<DaemonStatus>;
  rule(name: string, text: string): void;
  ledger(): LedgerRow[];
  cell(end: string): string | undefined;
}

export interface LedgerRow {
  readonly seq: number;
  readonly session: string;
  readonly event: string;
  readonly tool: string;
  readonly action: string;
  readonly copy: number;
  readonly changed: number;
  /** The tool call's id, on rows that were committed with their event. */
  readonly call: string | undefined;
}

/** An engine that was stopped in its tracks holds up whoever asks about it for as long. */
const STATUS_MS = 30_000;
/** The usual time of a client is for a person who waits; on a loaded machine an engine may take longer to start. */
const WITHIN_MS = 120_000;
const homes: Home[] = [];
/** Those that stay for all tests of a file. */
const lasting: Home[] = [];
const running = new Set<Promise<unknown>>();

interface HomeOptions {
  readonly config?: string;
  readonly prefix?: string;
  /** How long it stays; a test's, when absent. */
  readonly lasts?: 'file';
  /** Nothing has been here, not even a one-shot that has left the code that it compiled. */
  readonly isNew?: true;
}

export function newHome({ config, prefix = 'h', lasts, isNew }: HomeOptions = {}): Home {
  made += 1;
  const dir = join(base, `${prefix}${made}`);
  const paths = { config: join(dir, 'config'), state: join(dir, 'state') };
  const run = join(paths.state, 'run');
  const project = join(dir, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(dir, 'person'));
  if (!isNew) plantCode(product, paths.state);
  const isTooLong = Buffer.byteLength(join(run, 'daemon.sock')) + 12 > 100;
  const meeting = isTooLong ? shortDir(paths.state) : run;
  const status = () => askStatus(join(meeting, 'daemon.sock'), paths.state, STATUS_MS);
  const home: Home = {
    dir,
    ...paths,
    run,
    project,
    meeting,
    shortName: fnv1a64(paths.state),
    status,
    processes: () => processesOf(`${dir}/`),
    daemons: () =>
      home
        .processes()
        .filter(isDaemon)
        .map(({ pid }) => pid),
    daemon: () => until('a daemon answers', status),
    rule: (name, text) => put(join(paths.config, 'rules', `${name}.md`), text),
    ledger() {
      const rows = query(
        paths.state,
        'SELECT seq, session, event, tool, action, copy, changed, delivery FROM events ORDER BY n',
      ) as unknown as (Omit<LedgerRow, 'call'> & { delivery: string | null })[];
      return rows.map(({ delivery, ...row }) => ({ ...row, call: delivery?.split(' ').at(-1) }));
    },
    cell(end) {
      const [cell] = query(paths.state, `SELECT value FROM cells WHERE id LIKE '%${end}%'`) as { value: string }[];
      return cell?.value;
    },
  };
  if (config !== undefined) {
    put(join(paths.config, 'config.yaml'), config);
    acceptConfig(config, paths);
  }
  (lasts === 'file' ? lasting : homes).push(home);
  return home;
}

export function query(state: string, sql: string): unknown[] {
  const db = new DatabaseSync(join(state, 'state.db'), { readOnly: true });
  try {
    return db.prepare(sql).all();
  } finally {
    db.close();
  }
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}

export type Payload = Readonly<Record<string, unknown>>;

/** A recorded payload, as if it came from a session in this home's project. */
export function eventIn(home: Home, file: string, changes: Payload = {}): Payload {
  made += 1;
  const payload = { ...recorded(file), cwd: home.project };
  return { ...payload, ...('tool_use_id' in payload ? { tool_use_id: `call-${made}` } : {}), ...changes };
}

export const bash = (home: Home, command: string, changes: Payload = {}): Payload =>
  eventIn(home, 'PreToolUse/bash.json', { tool_input: { command }, ...changes });

export const NO_TOUCH = '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n';

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly unread?: string;
}

export interface Send {
  readonly agent?: string;
  readonly client?: Client;
  readonly product?: Product;
  readonly withinMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the payload as JSON. */
  readonly input?: string | Uint8Array;
  readonly user?: number;
  readonly stdio?: StdioOptions;
  /** Words before the client's own. */
  readonly before?: readonly string[];
  /** Words behind them. */
  readonly after?: readonly string[];
  readonly closeOutput?: boolean;
  readonly onSpawn?: (child: ChildProcess) => void;
}

/** What a one-shot has to decide, whatever the entry allows; on a machine that is busy enough it has not even started by then. */
const ONE_SHOT_MS = 8_000;
const MOST_SENT = 5;

/**
 * One event as an agent sends it. What nobody decided for want of time is sent again, unless the test says how much time
 * there is: it has left no row and started no daemon.
 */
export async function send(home: Home, payload: Payload, options: Send = {}): Promise<Ran> {
  for (let times = 1; ; times += 1) {
    const before = turnedAway(home, options.user);
    const ran = await sendOnce(home, payload, options);
    const isDecided = ran.ms < ONE_SHOT_MS || turnedAway(home, options.user) === before;
    if (isDecided || options.withinMs !== undefined || times === MOST_SENT) return ran;
  }
}

/** How much is noted of events that nobody decided. */
function turnedAway({ run, state, shortName }: Home, user?: number): number {
  const short = user === undefined ? shortDir(state) : `/tmp/fairlead-${user}-${shortName}`;
  const sizes = [run, short].map((dir) => statSync(join(dir, 'turned-away'), { throwIfNoEntry: false })?.size);
  return sizes.reduce<number>((sum, size = 0) => sum + size, 0);
}

/** A process with the argv of an installed entry, and next to nothing in its environment. */
function sendOnce(home: Home, payload: Payload, options: Send): Promise<Ran> {
  if (![...homes, ...lasting].includes(home)) throw new Error('the test of this home is over');
  const { client = usual, product: from = product, agent = 'claude-code', withinMs = WITHIN_MS, user } = options;
  const { launcher } = from;
  const program = client === 'native' ? [from.client] : [process.execPath, launcher];
  const node = client === 'native' ? ['--node', process.execPath, '--launcher', launcher] : [];
  const words = [
    ...(options.before ?? []),
    ...program,
    ...['hook', '--agent', agent, '--event', String(payload['hook_event_name'])],
    ...['--config', home.config, '--state', home.state, ...node],
    ...['--within', String(withinMs)],
    ...(options.after ?? []),
  ];
  const env = { PATH: process.env['PATH'], HOME: join(home.dir, 'person'), ...options.env };
  return runEntry(words, options.input ?? JSON.stringify(payload), {
    ...options,
    cwd: home.project,
    env,
    ...(user === undefined ? {} : { user }),
  });
}

/** A connection of the test's own, which says what a client would say, piece by piece. */
export function call(home: Home, payload: Payload, stamp: string) {
  const frame = encodeRequest({
    verb: 'hook',
    stamp,
    state: home.state,
    args: ['--agent', 'claude-code', '--event', String(payload['hook_event_name'])],
    cwd: home.project,
    env: {},
    body: Buffer.from(JSON.stringify(payload)),
    size: JSON.stringify(payload).length,
  });
  const socket = connect(join(home.meeting, 'daemon.sock'));
  const chunks: Uint8Array[] = [];
  const reply = new Promise<FrameReply | undefined>((resolve) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(decodeReply(Buffer.concat(chunks))));
  });
  return { socket, frame, reply };
}

/**
 * The daemon of this home, which is started if none answers, with the words that a one-shot would use: for tests that are
 * not about a first event, which costs a process of its own.
 */
export async function ensureDaemon(home: Home, { dist }: Product = product): Promise<DaemonStatus> {
  const there = await home.status();
  if (there !== undefined) return there;
  const { config, state, run } = home;
  const paths = { config, state, run };
  makePrivate(dirname(openMeetingPlace(paths).socket));
  const { args, env } = daemonProcess({
    ...{ paths, userHome: join(home.dir, 'person') },
    ...{ node: process.execPath, program: join(dist, 'daemon.js') },
  });
  spawnDetached(process.execPath, args, { env, log: join(run, 'daemon.log') });
  return home.daemon();
}

/** Until the returned function is called, one-shots answer and no daemon comes up: there is no place for its words. */
export function withoutDaemon(home: Home): () => void {
  const place = openMeetingPlace(home);
  const log = join(place.run, 'daemon.log');
  mkdirSync(log);
  return () => {
    rmdirSync(log);
    // Of a start that came to nothing: while it is there, nobody tries again.
    rmSync(startingMark(place), { force: true });
  };
}

/** A verb of the command line, in this home. */
export function fairlead(home: Home, ...args: readonly string[]): Promise<Ran> {
  const env = { PATH: process.env['PATH'], HOME: join(home.dir, 'person'), FAIRLEAD_HOME: home.dir };
  return runEntry([process.execPath, product.launcher, ...args], '', { cwd: home.project, env });
}

interface Start extends Pick<Send, 'stdio' | 'closeOutput' | 'onSpawn' | 'user'> {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The words of an entry, or of any other program. */
export function runEntry(
  [program = '', ...args]: readonly string[],
  input: string | Uint8Array,
  how: Start,
): Promise<Ran> {
  const began = performance.now();
  const { cwd, env, stdio = 'pipe', user } = how;
  const ran = new Promise<Ran>((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio, ...(user === undefined ? {} : { uid: user, gid: user }) });
    let out = '';
    let err = '';
    let unread: string | undefined;
    how.onSpawn?.(child);
    child.on('error', reject);
    if (how.closeOutput) child.stdout?.destroy();
    else child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdin?.on('error', (error) => (unread = error.message));
    child.stdin?.end(input);
    child.on('close', (code) =>
      resolve({ code, out, err, ms: performance.now() - began, ...(unread === undefined ? {} : { unread }) }),
    );
  });
  running.add(ran);
  const done = () => running.delete(ran);
  ran.then(done, done);
  return ran;
}

export interface Finding {
  readonly level: string;
  readonly what: string;
  readonly why: string;
}

export async function findings(home: Home): Promise<Finding[]> {
  const { out } = await fairlead(home, 'doctor', '--json');
  const { sections } = JSON.parse(out) as { sections: { findings: Finding[] }[] };
  return sections.flatMap((section) => section.findings);
}

/** What was decided, and that nothing else is wrong with the answer. */
export function decisionOf({ code, out, err, unread }: Ran): string {
  expect({ code, err, unread }).toEqual({ code: 0, err: '', unread: undefined });
  if (out === '') return 'none';
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput?: { permissionDecision?: string } };
  return hookSpecificOutput?.permissionDecision ?? 'told';
}

export function reasonOf({ out }: Ran): string {
  const { hookSpecificOutput } = JSON.parse(out) as { hookSpecificOutput?: { permissionDecisionReason?: string } };
  return hookSpecificOutput?.permissionDecisionReason ?? '';
}

// From here on nothing is sent, even by a test that was given up and does not know it.
afterEachTest.push(() => endHomes(homes.splice(0)));
afterEachFile.push(() => endHomes(lasting.splice(0)));

async function endHomes(ending: readonly Home[]): Promise<void> {
  await Promise.race([Promise.allSettled(running), sleep(PATIENCE_MS / 5, undefined, { ref: false })]);
  const left = (await Promise.all(ending.map(endAll))).flat();
  await Promise.allSettled(running);
  for (const { dir, state } of ending) await removeTree(shortDir(state), dir);
  if (left.length > 0) throw new Error(`these did not end when asked: ${left.join(', ')}`);
}

/** Daemons end when asked to; whatever else is still there had no reason to be. */
async function endAll({ processes, daemons }: Home): Promise<string[]> {
  for (const pid of daemons()) signal(pid, 'SIGTERM');
  await until('no process is left', () => processes().length === 0).catch(() => {});
  const left = processes();
  for (const { pid } of left) signal(pid, 'SIGKILL');
  return left.map(({ args }) => args.join(' '));
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // Gone in the meantime.
    return false;
  }
}
