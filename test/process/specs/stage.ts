import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMemory } from '../../../src/ledger/open.ts';
import type { Memory } from '../../../src/ledger/open.ts';
import { readRelays } from '../../../src/ledger/relays.ts';
import { nodeFiles } from '../../../src/platform/files.ts';
import { exchange } from '../../../src/platform/unix-socket.ts';
import { cellId, parseCellId, parseValue } from '../../../src/state/cells.ts';
import type { Scope } from '../../../src/state/cell.ts';
import { decodeReply, encodeRequest } from '../../../src/transport/frame.ts';
import { acceptProject, listProject } from '../../../src/workspace/config/trust.ts';
import { PATIENCE_MS, until } from '../../patience.ts';
import { fairlead, newHome, product, send, signal } from '../daemon-home.ts';
import type { Home, Payload } from '../daemon-home.ts';

export type Texts = Readonly<Record<string, string>>;
/** Files of a project by path; one that is `null` is not there after all. */
export type Plan = Readonly<Record<string, string | null>>;

/** What came back, and nothing else did. */
export interface Reply {
  readonly verdict: 'pass' | 'note' | 'warn' | 'ask' | 'deny';
  /** Context for the model, or the reason of a question or a denial. */
  readonly said: string;
  /** What the person sees. */
  readonly shown: string;
}

/** One session in one project of a home with a daemon. */
export interface Stage {
  readonly home: Home;
  readonly person: string;
  readonly root: string;
  readonly session: string;
  readonly transcript: string;
  /** Sends an event as it stands: the session, the directory and an id for the call are added where they are missing. */
  send(event: Payload): Promise<Reply>;
  /** By the client that an agent starts; resolves to what it prints. */
  byClient(event: Payload, env: Texts): Promise<string>;
  /** Writes a file of the project, as old as said. */
  put(path: string, text: string, age?: number): string;
  read(path: string): string;
  exists(path: string): boolean;
  append(...lines: readonly object[]): void;
  /** Values of cells of this session or project by their keys. */
  cells(name: string): Readonly<Record<string, unknown>>;
  /** As if an earlier event had left it. */
  setCell(scope: Scope, name: string, value: unknown, key?: string): Promise<void>;
  /** Looks into what the engine remembers, or changes it as a verb would. */
  memory<T>(use: (memory: Memory) => T): T;
  /** The daemon has had time to hear of a change. */
  settled(): Promise<void>;
  /** What was relayed in this project, as `rule/variant`. */
  relays(): readonly string[];
  fairlead(...words: readonly string[]): ReturnType<typeof fairlead>;
}

export interface StageOptions {
  readonly files?: Plan;
  /** The project's own settings, which are trusted unless it says otherwise. */
  readonly settings?: unknown;
  readonly isTrusted?: boolean;
  /** What the agent's environment has besides. */
  readonly env?: Texts;
}

/** A home with one daemon, for all rows of a file. */
export interface Seed {
  readonly home: Home;
  stage(options?: StageOptions): Stage;
  restart(): Promise<void>;
  /** Whether a rule was late since then; the engine goes on without it, and notes that. */
  wasLate(since: number): boolean;
}

/** How long a running daemon may believe what it has in memory before it looks for commits of others. */
const SETTLE_MS = 60;

export async function openSeed(config: object): Promise<Seed> {
  const home = newHome({
    config: `${JSON.stringify({ breaker: { failures: 1_000 }, ...config })}\n`,
    prefix: 's',
    lasts: 'file',
  });
  await fairlead(home, 'daemon', 'start');
  await home.daemon();
  let made = 0;
  return {
    home,
    stage: (options = {}) => newStage(home, `row${(made += 1)}`, options),
    wasLate: (since) =>
      withMemory(home, ({ db }) => failuresIn(db?.prepare('SELECT id, value FROM cells').all() ?? [])).some(
        ({ failedAt, error }) => /no answer within/.test(error) && failedAt.some((at) => at >= since),
      ),
    async restart() {
      const { pid } = await home.daemon();
      signal(pid, 'SIGKILL');
      await until('the daemon is gone', () => !home.daemons().includes(pid));
      await fairlead(home, 'daemon', 'start');
      await home.daemon();
    },
  };
}

function newStage(
  home: Home,
  session: string,
  { files = {}, settings, isTrusted = true, env = {} }: StageOptions,
): Stage {
  const person = join(home.dir, 'person');
  const root = join(home.dir, 'projects', session, 'shop');
  const transcript = join(person, '.claude/projects', session, `${session}.jsonl`);
  let calls = 0;
  const put: Stage['put'] = (path, text, age) => {
    const full = isAbsolute(path) ? path : join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    const at = (Date.now() - (age ?? 0)) / 1_000;
    if (age !== undefined) utimesSync(full, at, at);
    return full;
  };
  mkdirSync(join(root, '.git'), { recursive: true });
  put('.git/HEAD', 'ref: refs/heads/main\n');
  for (const [path, text] of Object.entries(files)) if (text !== null) put(path, text);
  if (settings !== undefined) put('.fairlead/config.yaml', JSON.stringify(settings));
  if (isTrusted) {
    const deps = { files: nodeFiles, state: home.state, now: Date.now };
    acceptProject(listProject(root, deps), deps);
  }

  const isOwn = (owner: string): boolean => owner.startsWith(root) || owner.startsWith(session);
  const own = (payload: Payload): Payload => {
    const { session_id, tool_use_id, tool_input, tool_response, ...rest } = payload;
    const id = session_id === undefined ? session : session_id === '' ? undefined : `${session}-${nameOf(session_id)}`;
    const isCall = tool_input !== undefined;
    const call = `${session}-${tool_use_id === undefined ? `call${(calls += 1)}` : nameOf(tool_use_id)}`;
    return {
      ...(id === undefined ? {} : { session_id: id }),
      transcript_path: id === undefined || id === session ? transcript : join(dirname(transcript), `${id}.jsonl`),
      cwd: root,
      permission_mode: 'default',
      ...rest,
      ...(isCall || tool_use_id !== undefined ? { tool_use_id: call } : {}),
      ...(isCall && { tool_input: absolute(tool_input, root) }),
      ...(tool_response === undefined ? {} : { tool_response: absolute(tool_response, root) }),
    };
  };

  return {
    home,
    person,
    root,
    session,
    transcript,
    send: async (event) =>
      deliver(home, own(event), { PATH: process.env['PATH'] ?? '', CLAUDE_PROJECT_DIR: root, ...env }, root),
    async byClient(event, given) {
      const { code, out, err } = await send(home, own(event), { env: { CLAUDE_PROJECT_DIR: root, ...given } });
      if (code !== 0 || err !== '') throw new Error(`the client ended with ${String(code)}: ${err}`);
      return out;
    },
    put,
    read: (path) => readFileSync(join(root, path), 'utf8'),
    exists: (path) => existsSync(join(root, path)),
    append(...lines) {
      mkdirSync(dirname(transcript), { recursive: true });
      appendFileSync(transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
    cells(name) {
      const rows = withMemory(home, ({ db }) => db?.prepare('SELECT id, value FROM cells').all() ?? []) as {
        id: string;
        value: string;
      }[];
      const found = rows.flatMap(({ id, value }) => {
        const cell = parseCellId(id);
        return cell.name === name && (isOwn(cell.owner) || cell.scope === 'user')
          ? [[cell.key, parseValue(value)] as const]
          : [];
      });
      return Object.fromEntries(found);
    },
    async setCell(scope, name, value, key = '') {
      const id = cellId(scope, scope === 'session' ? session : scope === 'user' ? '' : root, name, key);
      const changes = [{ op: 'set' as const, id, value: JSON.stringify(value), expires: 0 }];
      withMemory(home, ({ store }) => store.commit({ reads: new Map(), changes, now: Date.now() }));
      await sleep(SETTLE_MS);
    },
    memory: (use) => withMemory(home, use),
    settled: () => sleep(SETTLE_MS),
    relays: () =>
      withMemory(home, ({ db }) => (db ? readRelays(db) : []))
        .filter((relay) => relay.root === root)
        .map(({ rule, variant }) => `${rule}/${variant}`),
    fairlead: (...words) => fairlead({ ...home, project: root }, ...words),
  };
}

/** What the breakers of rules remember. */
function failuresIn(
  cells: readonly unknown[],
): readonly { readonly failedAt: readonly number[]; readonly error: string }[] {
  return (cells as readonly { id: string; value: string }[]).flatMap(({ id, value }) =>
    parseCellId(id).name === 'breaker' ? [JSON.parse(value) as ReturnType<typeof failuresIn>[number]] : [],
  );
}

const nameOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function withMemory<T>(home: Home, use: (memory: Memory) => T): T {
  const memory = openMemory({
    path: join(home.state, 'state.db'),
    busyMs: PATIENCE_MS,
    resident: false,
    now: Date.now,
    random: Math.random,
    onFailure: (_, error) => {
      throw error;
    },
  });
  try {
    return use(memory);
  } finally {
    memory.close();
  }
}

/** Tools for files are given whole paths; a row writes them from the root. */
function absolute(value: unknown, root: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) =>
      ['file_path', 'notebook_path', 'filePath'].includes(name) &&
      typeof inner === 'string' &&
      !/^[/~]|^file:/.test(inner)
        ? [name, join(root, inner)]
        : [name, absolute(inner, root)],
    ),
  );
}

/** By the socket, in the frame that the native client writes. */
async function deliver(home: Home, payload: Payload, env: Texts, cwd: string): Promise<Reply> {
  const raw = payload['raw'];
  const text = typeof raw === 'string' ? raw : JSON.stringify(payload);
  const body = Buffer.from(text);
  const args = ['--agent', 'claude-code', '--event', String(payload['hook_event_name'])];
  const request = { verb: 'hook', stamp: product.stamp, state: home.state, args, cwd, env, body, size: body.length };
  const frame = await exchange(join(home.meeting, 'daemon.sock'), encodeRequest(request), PATIENCE_MS);
  const reply = frame && decodeReply(frame);
  if (reply?.outcome !== 'answered' || reply.exitCode !== 0) throw new Error(`no answer to ${text.slice(0, 200)}`);
  return readReply(Buffer.from(reply.stdout).toString('utf8'));
}

function readReply(out: string): Reply {
  if (out === '') return { verdict: 'pass', said: '', shown: '' };
  const reply = JSON.parse(out) as {
    readonly systemMessage?: string;
    readonly hookSpecificOutput?: Readonly<Record<string, string>>;
  };
  const { systemMessage: shown = '', hookSpecificOutput: own = {} } = reply;
  const { permissionDecision, permissionDecisionReason = '', additionalContext = '' } = own;
  if (permissionDecision === 'deny' || permissionDecision === 'ask')
    return { verdict: permissionDecision, said: permissionDecisionReason, shown };
  if (permissionDecision !== undefined) throw new Error(`an answer that no pack may give: ${out}`);
  if (additionalContext !== '') return { verdict: 'note', said: additionalContext, shown };
  if (shown === '') throw new Error(`an answer that says nothing: ${out}`);
  return { verdict: 'warn', said: '', shown };
}
