import { randomBytes } from 'node:crypto';
import type { AgentEvent } from '../../adapters/adapter.ts';
import { INSTALLERS } from '../../adapters/installers.generated.ts';
import type { OwnEntry } from '../../adapters/installer.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import { canarySession, forgetCanary, releaseCanary } from '../../engine/session/canary.ts';
import { forgetSession } from '../../ledger/rows.ts';
import { join } from '../../platform/paths.ts';
import { pause } from '../../platform/timers.ts';
import { askStatus } from '../../transport/ask-daemon.ts';
import { socketOf } from '../../transport/meeting-place.ts';
import type { CliWorld } from '../command.ts';
import { inspectInstall } from '../install/inspect.ts';
import type { Wiring } from '../install/inspect.ts';
import { postEntry, startEntry } from './call-entry.ts';
import { environmentIn, judge, whyNotCalled } from './prove-causes.ts';
import type { Proved, Sent } from './prove-causes.ts';

export interface ProveOptions {
  /** For all of it. */
  readonly limitMs: number;
  /** The longest text that the settings let rules say on an event. */
  readonly longest: number;
  onStep(done: number, total: number, event: string): void;
}

/** Long enough that what cuts texts is found, and within what every event carries by default. */
export const LONG_TEXT = { event: 'prompt.submit', characters: 8_000 } as const;
const CALL_MS = 15_000;
/** How long the engine may take to write down an event after its reply. */
const WRITTEN_MS = 3_000;

/**
 * Calls every entry of ours as its agent would, with an event of the agent's recorded shape in a session that exists for this
 * alone, and looks what came back and what the engine has written down. Takes its rows out of the ledger when it is done.
 */
export async function proveEntries(root: string, world: CliWorld, options: ProveOptions): Promise<readonly Proved[]> {
  const { store, clock, memory } = world.engine();
  const until = clock.now() + options.limitMs;
  const all = inspectInstall(root, world).filter(({ exists }) => exists);
  const wirings = all.filter(({ own }) => own.length > 0);
  const mark = randomBytes(6).toString('hex');
  const sessions = new Map(wirings.map(({ path }) => [path, canarySession(randomBytes(6).toString('hex'))]));
  const canary = {
    text: `Canary ${mark} of \`fairlead doctor --prove\`: nothing to do on`,
    long: LONG_TEXT,
  };
  for (const session of sessions.values()) releaseCanary(store, session, canary, clock.now(), options.limitMs + 60_000);
  try {
    const sent: Sent[] = [];
    const planned = inOrder(wirings);
    for (const [at, { wiring, entry, event }] of planned.entries()) {
      options.onStep(at, planned.length, event.name);
      const session = sessions.get(wiring.path) ?? '';
      const before = clock.now();
      const cause = before >= until ? 'the time for all of it was up' : whyNotCalled(wiring, entry, all, world);
      const called =
        cause === undefined ? await send({ wiring, entry, event, all, session, root, until }, world) : { cause };
      sent.push({ wiring, entry, event, session, ms: clock.now() - before, ...called });
    }
    options.onStep(planned.length, planned.length, '');
    const status = await askStatus(socketOf(world.paths), world.paths.state);
    const written = await eventsWritten(sent, mark, world);
    return sent.map((each) => judge(each, { mark, written, status, all, longest: options.longest }, world));
  } finally {
    for (const session of sessions.values()) {
      forgetCanary(store, session);
      if (memory.db) forgetSession(memory.db, session);
    }
  }
}

interface Planned {
  readonly wiring: Wiring;
  readonly entry: OwnEntry;
  readonly event: AgentEvent;
}

/** What starts the program comes before what is posted, because it brings the engine up; the end of the session is last. */
function inOrder(wirings: readonly Wiring[]): Planned[] {
  const planned = wirings.flatMap((wiring) => {
    const events = adapterNamed(wiring.agent)?.events ?? [];
    return wiring.own.flatMap((entry): Planned[] => {
      const event = events.find(({ name }) => name === entry.event);
      return event ? [{ wiring, entry, event }] : [];
    });
  });
  const rank = ({ entry, event }: Planned): number =>
    event.canonical === 'session.end' ? 2 : entry.http === undefined ? 0 : 1;
  return planned.toSorted((a, b) => rank(a) - rank(b));
}

interface Sending extends Planned {
  readonly all: readonly Wiring[];
  readonly session: string;
  readonly root: string;
  readonly until: number;
}

/** As the agent would: with its environment and its shell, or over HTTP. */
async function send(sending: Sending, world: CliWorld): Promise<Pick<Sent, 'called' | 'cause'>> {
  const { wiring, entry, event, all, session, root, until } = sending;
  const canaries = INSTALLERS.find(({ agent }) => agent === wiring.agent)?.canaries;
  const place = { session, cwd: root, transcript: join(world.paths.run, `${session}.jsonl`) };
  const payload = canaries?.payload(event, place);
  if (!canaries || payload === undefined) return { cause: 'nobody knows what the agent sends on it' };
  const input = `${JSON.stringify(payload)}\n`;
  const limitMs = Math.max(1_000, Math.min(CALL_MS, until - world.engine().clock.now()));
  if (entry.http) {
    const cause = await whyNotPosted(entry.http.url, world);
    return cause === undefined ? { called: await postEntry(entry.http, input, limitMs) } : { cause };
  }
  const words = entry.words.length === 1 ? [...canaries.shell, ...entry.words] : entry.words;
  const env = { ...world.env, ...environmentIn(wiring.agent, all), ...canaries.environment(place) };
  return { called: await startEntry(words, { input, cwd: root, env, limitMs }) };
}

/** The token is shown to nobody but the engine of this home. */
async function whyNotPosted(url: string, { paths }: CliWorld): Promise<string | undefined> {
  const { port } = new URL(url);
  const status = await askStatus(socketOf(paths), paths.state);
  if (!status) return `no engine runs that listens on port ${port}`;
  if (status.http?.problem !== undefined) return `the engine cannot listen on port ${port}: ${status.http.problem}`;
  return String(status.http?.port) === port ? undefined : `the engine does not listen on port ${port}`;
}

/** Of what was sent: the events that the engine has written down, by session. */
async function eventsWritten(sent: readonly Sent[], mark: string, world: CliWorld): Promise<ReadonlySet<string>> {
  const { memory, clock } = world.engine();
  const silent = sent.filter(({ called }) => called && called.problem === undefined && !called.output.includes(mark));
  const until = clock.now() + WRITTEN_MS;
  const written = new Set<string>();
  const isMissing = ({ session, event }: Sent): boolean => !written.has(`${session} ${event.canonical}`);
  while (memory.db && silent.some(isMissing)) {
    for (const session of new Set(silent.map((each) => each.session))) {
      const rows = memory.db.prepare('SELECT DISTINCT event FROM events WHERE session = ?').all(session);
      for (const { event } of rows as { event: string }[]) written.add(`${session} ${event}`);
    }
    if (clock.now() >= until) break;
    await pause(50);
  }
  return written;
}
