import type { Env, Reply } from '../adapters/adapter.ts';
import type { Engine, Place } from '../engine/engine.ts';
import type { Memory } from '../ledger/open.ts';
import type { HomePaths } from '../platform/paths.ts';
import { afterThis } from '../platform/timers.ts';
import { isPromise } from '../engine/decide/run.ts';
import { answer } from './answer.ts';
import type { HookRequest } from './answer.ts';
import { adoptedIn, valueOf } from './call.ts';
import type { Batching } from './batching.ts';
import type { FrameReply, Request } from './frame.ts';
import type { HttpEvent } from './http-server.ts';
import { isNewer } from './newer-build.ts';
import { carried } from './start-daemon.ts';
import type { DaemonStatus } from './status.ts';
import { createTurns } from './turns.ts';
import type { Mutable } from '../event/mutable.ts';
import type { Event } from '../event/event.ts';

/** A session that is not heard of any more, and whose agent cannot be looked for, counts as over after this long. */
const FORGOTTEN_MS = 12 * 3_600_000;
/** More sessions than any person has open; the longest silent is dropped first. */
const MAX_SESSIONS = 5_000;

interface Seen {
  pid: number | undefined;
  at: number;
}

interface Presence {
  saw(event: Pick<Event, 'session' | 'hasSession' | 'name' | 'agentPid' | 'receivedAt'>): void;
  /** Sessions that have not ended, as far as can be told. */
  open(now: number): number;
}

/** Who is there: the daemon stays as long as a session may come back to it. */
export function createPresence(isAlive: (pid: number) => boolean): Presence {
  const sessions = new Map<string, Seen>();

  function longestSilent(): string {
    let [found, since] = ['', Number.POSITIVE_INFINITY];
    for (const [session, { at }] of sessions) if (at < since) [found, since] = [session, at];
    return found;
  }

  return {
    saw({ session, hasSession, name, agentPid, receivedAt }) {
      if (!hasSession) return;
      const known = sessions.get(session);
      if (name === 'session.end') sessions.delete(session);
      else if (known) {
        known.pid = agentPid ?? known.pid;
        known.at = receivedAt;
      } else {
        if (sessions.size >= MAX_SESSIONS) sessions.delete(longestSilent());
        sessions.set(session, { pid: agentPid, at: receivedAt });
      }
    },
    open(now) {
      for (const [session, { pid, at }] of sessions) {
        const gone = pid === undefined ? now - at > FORGOTTEN_MS : !isAlive(pid);
        if (gone) sessions.delete(session);
      }
      return sessions.size;
    },
  };
}

/** The engine that it keeps running. */
interface Resident extends Engine {
  readonly paths: HomePaths;
  readonly memory: Memory;
  readonly workspaces: { recheck(): Promise<void> };
  /** At what others may have changed meanwhile. */
  look(): void;
}

export interface DaemonOptions {
  readonly engine: Resident;
  readonly stamp: string;
  readonly pid: number;
  readonly userHome: string;
  readonly batching: Batching;
  isAlive(pid: number): boolean;
  memoryBytes(): number;
  /** Somebody asked it to end. */
  onStop(): void;
  /** Somebody asked it to look at its settings now; resolves when what follows from them holds. */
  onRecheck?(): Promise<void>;
  /** The environment it was started in: what switches a pack off there holds for events that bring none. */
  readonly env?: Env;
}

export interface Daemon {
  /** What came over the socket. */
  reply(request: Request, gone?: AbortSignal): FrameReply | Promise<FrameReply>;
  /** What came over HTTP. */
  answerHttp(event: HttpEvent): Reply | Promise<Reply>;
  refusedHttp(): void;
  /** The state of the HTTP transport; a problem is told at each session's next prompt. */
  setHttp(http: DaemonStatus['http']): void;
  status(): DaemonStatus;
  /** From now on nothing is answered; resolves when what is under way has its reply. */
  finish(): Promise<void>;
  /** Milliseconds without a request. */
  quietMs(): number;
  /** The same, but 0 while a session is open. */
  idleMs(): number;
}

/** The agent gives up after 10 s; a client turns to another engine before that. */
const WITHIN_MS = 8_000;

const ASIDE: FrameReply = { outcome: 'aside', exitCode: 0, stdout: new Uint8Array() };

/**
 * The resident engine behind its transports: who asked, how often, and whether it is still the one to answer. Events that
 * arrive together are read first and then decided some at a time: between two system calls an event takes four times as long.
 */
export function createDaemon({ engine: bare, stamp, pid, userHome, batching, ...world }: DaemonOptions): Daemon {
  const { clock, paths } = bare;
  const since = clock.now();
  const presence = createPresence(world.isAlive);
  const turns = createTurns(afterThis);
  const requests = { socket: 0, http: 0, aside: 0, refused: 0 };
  let failures = 0;
  let lastAt = since;
  let underway = 0;
  let http: DaemonStatus['http'];
  let whenFinished: (() => void) | undefined;
  const ownEnv = carried(world.env);

  const engine: Resident = {
    ...bare,
    turn: ({ session }) => (batching.moreComing() || turns.isWaiting(session) ? turns.wait(session) : undefined),
    locate(event, ...known) {
      presence.saw(event);
      const place = bare.locate(event, ...known);
      if (http?.problem === undefined) return place;
      return place instanceof Promise ? place.then(withProblem) : withProblem(place);
    },
    onFailure(what, error) {
      failures += 1;
      bare.onFailure(what, error);
    },
  };

  function withProblem(place: Place): Place {
    const notice = `${http?.problem}.`;
    return { ...place, policy: { ...place.policy, notices: [...place.policy.notices, notice] } };
  }

  const quietMs = () => (underway > 0 ? 0 : clock.now() - lastAt);

  function begin(): void {
    underway += 1;
    lastAt = clock.now();
    batching.arrived();
  }

  function end(): void {
    underway -= 1;
    if (underway === 0) whenFinished?.();
  }

  function decide(request: HookRequest): Reply | Promise<Reply> {
    begin();
    let reply: Reply | Promise<Reply> | undefined;
    try {
      reply = answer(request, engine);
      return isPromise(reply) ? reply.finally(end) : reply;
    } finally {
      if (!isPromise(reply)) end();
    }
  }

  function hook(request: Request, gone?: AbortSignal): FrameReply | Promise<FrameReply> {
    requests.socket += 1;
    const reply = decide(hookRequestOf(request, userHome, paths.state, gone));
    return isPromise(reply) ? reply.then(frameOf) : frameOf(reply);
  }

  function status(): DaemonStatus {
    bare.memory.ledger.flush();
    return {
      pid,
      stamp,
      since,
      memoryBytes: world.memoryBytes(),
      requests: { ...requests },
      failures,
      sessions: presence.open(clock.now()),
      held: bare.memory.held(),
      ...(http === undefined ? {} : { http }),
    };
  }

  /** What is no event, or not for this daemon. */
  async function serve(verb: string, isOurs: boolean): Promise<FrameReply> {
    if (isOurs && verb === 'status') return answered(JSON.stringify(status()));
    if (isOurs && verb === 'stop') world.onStop();
    else if (isOurs && verb === 'recheck') {
      bare.look();
      await Promise.all([bare.workspaces.recheck(), world.onRecheck?.()]);
    } else {
      requests.aside += 1;
      return ASIDE;
    }
    return answered('');
  }

  return {
    status,
    refusedHttp() {
      requests.refused += 1;
    },
    setHttp(value) {
      http = value;
    },
    reply(request, gone) {
      const isOurs = request.state === paths.state;
      const isHook = isOurs && request.verb === 'hook' && !whenFinished && !isNewer(request.stamp, stamp);
      return isHook ? hook(request, gone) : serve(request.verb, isOurs);
    },
    answerHttp(event) {
      requests.http += 1;
      // A body names its directory and its session; what else a process would tell comes with the session's start.
      return decide({ ...event, isPosted: true, cwd: userHome, home: userHome, env: ownEnv, withinMs: WITHIN_MS });
    },
    finish: () =>
      new Promise((resolve) => {
        whenFinished = resolve;
        if (underway === 0) resolve();
      }),
    quietMs,
    idleMs: () => (presence.open(clock.now()) > 0 ? 0 : quietMs()),
  };
}

function hookRequestOf(
  { args, cwd, env, body, size }: Request,
  home: string,
  state: string,
  gone?: AbortSignal,
): HookRequest {
  const request: Mutable<HookRequest> = { body, size, cwd: cwd ?? home, home, env, withinMs: WITHIN_MS };
  const agent = valueOf(args, '--agent');
  const eventHint = valueOf(args, '--event');
  const set = adoptedIn(args);
  if (agent !== undefined) request.agent = agent;
  if (eventHint !== undefined) request.eventHint = eventHint;
  if (set !== undefined && gone) request.adopted = { set, state, gone, later: afterThis };
  return request;
}

function frameOf({ exitCode, stdout, unheard }: Reply): FrameReply {
  const reply: FrameReply = { outcome: 'answered', exitCode, stdout: Buffer.from(stdout) };
  if (unheard) reply.unheard = unheard;
  return reply;
}

function answered(text: string): FrameReply {
  return { outcome: 'answered', exitCode: 0, stdout: Buffer.from(text) };
}
