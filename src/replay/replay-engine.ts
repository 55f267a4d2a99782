import type { Adapter } from '../adapters/adapter.ts';
import type { Event } from '../event/event.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { ToldEvent } from '../event/transcript.ts';
import type { Action, Decision } from '../event/verdict.ts';
import { handle } from '../handle.ts';
import type { Files, FileStat } from '../platform/files.ts';
import { join, dirname } from '../platform/paths.ts';
import type { HomePaths } from '../platform/paths.ts';
import { createMemoryStore, sessionOf } from '../state/memory.ts';
import type { Commit } from '../state/store.ts';
import { messageOf } from '../text/message-of.ts';
import { createPastEngine } from './past-engine.ts';
import { createPast, WORLDS } from './past.ts';
import type { Asked, Known, Missing, World } from './past.ts';
import type { StoredEvent } from './ledger-events.ts';

/**
 * Where projects lie, and their settings: the files of today, since it is today's settings that are tried. A project that is
 * gone by now lies where its transcript says.
 */
interface Layout {
  readonly files: Files;
  tell(told: Pick<ToldEvent, 'name' | 'projectDir' | 'branch'>): void;
}

const DIR: FileStat = { kind: 'dir', size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0, isExecutable: true };

/** Places that are looked at again are looked up once: a replay tries one state of the settings. */
const MOST_KEPT = 4_000;

function createLayout(files: Files): Layout {
  const gone = new Set<string>();
  const asked = new Set<string>();
  const kept: Map<string, unknown>[] = [];
  const once = <Value>(look: (path: string) => Value): ((path: string) => Value) => {
    const known = new Map<string, Value>();
    kept.push(known);
    return (path) => {
      const found = known.get(path);
      if (found !== undefined || known.has(path)) return found as Value;
      if (known.size >= MOST_KEPT) known.clear();
      const value = look(path);
      known.set(path, value);
      return value;
    };
  };
  const text = once((path) => files.readText(path));
  return {
    tell({ name, projectDir, branch }) {
      if (name !== 'session.start' || asked.has(projectDir)) return;
      asked.add(projectDir);
      if (files.stat(projectDir)?.kind === 'dir') return;
      for (let dir = projectDir; files.stat(dir) === undefined && dirname(dir) !== dir; dir = dirname(dir))
        gone.add(dir);
      if (branch !== undefined && branch !== '') gone.add(join(projectDir, '.git'));
      for (const known of kept) known.clear();
    },
    files: {
      ...readOnly(files),
      stat: once((path) => files.stat(path) ?? (gone.has(path) ? DIR : undefined)),
      lstat: once((path) => files.lstat(path) ?? (gone.has(path) ? DIR : undefined)),
      exists: once((path) => gone.has(path) || files.exists(path)),
      readText: (path, most) => (most === undefined ? text(path) : files.readText(path, most)),
      realpath: once((path) => files.realpath(path) ?? (gone.has(path) ? path : undefined)),
    },
  };
}

/** Nobody keeps what would be written to be found sooner the next time. */
function readOnly(files: Files): Files {
  const refuse = (path: string): never => {
    throw new Error(`a replay writes nothing: ${path}`);
  };
  return {
    ...files,
    writeAtomic: refuse,
    writeDerived: refuse,
    replace: refuse,
    makeDir: refuse,
    makeDirLikeParent: refuse,
    remove: refuse,
    append: refuse,
    patch: refuse,
    create: refuse,
  };
}

/** What an event would have been answered. */
export interface Outcome {
  readonly row: LedgerRow;
  readonly decision: Decision;
  readonly trace: LedgerDetail['trace'];
  readonly event: Event;
  /** Present where the decision depends on what no transcript tells. */
  readonly unknown?: Unknown;
}

export interface Unknown {
  readonly missing: readonly Missing[];
  /** What it may have been, as far as trying tells. */
  readonly possible: readonly Action[];
  /** The rules that would have made it so. */
  readonly by: readonly string[];
}

export interface ReplayEngine {
  decide(told: ToldEvent | StoredEvent, adapter: Adapter): Promise<Outcome>;
  /** Forgets what it kept of a session. */
  forget(session: string): void;
  /** What went wrong in rules or in the engine. */
  readonly failures: readonly string[];
}

export interface ReplayOptions {
  /** Whose rules: the settings as they are today. */
  readonly paths: HomePaths;
  readonly userHome: string;
  readonly files: Files;
}

const MOST_FAILURES = 20;

/**
 * The engine that answers events, with its settings and a memory of its own; whatever else it looks at is the past. Nothing
 * is written, run or sent.
 */
export function openReplayEngine({ paths, userHome, files }: ReplayOptions): ReplayEngine {
  const past = createPast();
  const layout = createLayout(files);
  const failures: string[] = [];
  const store = createMemoryStore();
  let waiting: Commit[] = [];
  const recorded: { readonly row: LedgerRow; readonly detail: () => LedgerDetail }[] = [];
  /** The cells of each session: looking for them among all would take as long as there are sessions. */
  const kept = new Map<string, Set<string>>();
  const keptOf = (session: string | undefined): Set<string> | undefined => {
    if (session === undefined) return undefined;
    const cells = kept.get(session) ?? new Set();
    kept.set(session, cells);
    return cells;
  };
  let now = 0;
  const engine = createPastEngine({
    paths,
    userHome,
    files: layout.files,
    past,
    store: {
      ...store,
      commit(commit) {
        waiting.push(commit);
        return true;
      },
    },
    record: (row, detail) => void recorded.push({ row, detail }),
    now: () => now,
    onFailure(what, error) {
      if (failures.length < MOST_FAILURES) failures.push(`${what}: ${messageOf(error)}`);
    },
  });

  async function tryIn(world: World, told: ToldEvent | StoredEvent, adapter: Adapter, known: Known): Promise<Tried> {
    recorded.length = 0;
    waiting = [];
    now = told.at;
    past.enter(world, known);
    const stored = 'stored' in told ? told : undefined;
    for (const what of stored?.lacks ?? []) past.miss(what);
    const { cwd, projectDir, attended, at } = told;
    const call = {
      payload: stored ? undefined : adapter.transcripts?.payloadOf(told),
      cwd,
      projectDir,
      home: userHome,
      depth: 0,
      receivedAt: at,
      ...(attended === undefined ? {} : { attended }),
    };
    await handle(call, stored ? { ...adapter, parse: () => stored.stored } : adapter, engine);
    const [made] = recorded;
    if (!made) throw new Error(failures.at(-1) ?? 'an event left no record');
    const { decision, trace, event } = made.detail();
    const { row } = made;
    return { row, decision: decision as Decision, trace, event: event as Event, asked: past.leave(), commits: waiting };
  }

  return {
    failures,
    async decide(told, adapter) {
      layout.tell(told);
      const known = knownAt(told, adapter, userHome);
      const first = await tryIn('nothing', told, adapter, known);
      const { asked, commits, ...outcome } = first;
      const unknown = asked.missing.length === 0 ? undefined : await doubt(first, told, adapter, known);
      for (const commit of commits) {
        store.commit({ ...commit, reads: new Map() });
        for (const { id } of commit.changes) keptOf(sessionOf(id))?.add(id);
      }
      return unknown ? { ...outcome, unknown } : outcome;
    },
    forget(session) {
      const ids = [...(kept.get(session) ?? [])];
      kept.delete(session);
      store.commit({ reads: new Map(), changes: ids.map((id) => ({ op: 'delete', id })), now });
    },
  };

  async function doubt(
    first: Tried,
    told: ToldEvent | StoredEvent,
    adapter: Adapter,
    known: Known,
  ): Promise<Unknown | undefined> {
    const { action } = first.decision;
    // More that a call does makes no denial milder.
    if (action === 'deny' && first.asked.isMore) return undefined;
    const tried = [first];
    // What a file held settles no world, and of an event that stops nothing nobody wants to know what it may have been.
    const isWorthIt = first.asked.isTryable || first.row.event === 'tool.before';
    for (const world of isWorthIt ? WORLDS.slice(1) : []) tried.push(await tryIn(world, told, adapter, known));
    return unknownIn(tried);
  }
}

interface Tried extends Omit<Outcome, 'unknown'> {
  readonly asked: Asked;
  readonly commits: readonly Commit[];
}

/** Undefined where every world that there may have been leads to the same decision. */
function unknownIn(tried: readonly Tried[]): Unknown | undefined {
  const isSame = new Set(tried.map(({ decision }) => sayingOf(decision))).size === 1;
  if (isSame && tried.every(({ asked }) => asked.isTryable)) return undefined;
  const missing = new Map(
    tried.flatMap(({ asked }) => asked.missing.map((each) => [`${each.what} ${each.of}`, each] as const)),
  );
  return {
    missing: [...missing.values()],
    possible: [...new Set(tried.map(({ decision }) => decision.action))],
    by: [...new Set(tried.flatMap(({ decision: { by, notes } }) => [...by, ...notes.map(({ rule }) => rule)]))],
  };
}

/** Whether two decisions come to the same: who decided what, and who spoke. */
function sayingOf({ action, by, notes, warns }: Decision): string {
  return JSON.stringify([action, by, notes.map(({ rule }) => rule), warns.map(({ rule }) => rule)]);
}

/** What the transcript tells of the disk as the event found it. */
function knownAt(told: ToldEvent, adapter: Adapter, home: string): Known {
  const { cwd, projectDir, branch, before, at } = told;
  const dirs = [cwd, projectDir];
  const texts = new Map<string, string | null>();
  if (branch !== undefined) {
    // Wherever the repository begins: whoever looks for it from here finds its branch.
    dirs.push(join(projectDir, '.git'));
    texts.set(join(projectDir, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`);
  }
  if (before !== undefined) {
    const payload = adapter.transcripts?.payloadOf(told);
    const path = adapter.parse({ payload, cwd, home, depth: 0, receivedAt: at }).tool?.paths[0];
    if (path !== undefined) texts.set(path, before);
  }
  return { dirs, texts };
}
