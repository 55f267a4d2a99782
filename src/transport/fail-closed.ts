import type { Adapter } from '../adapters/adapter.ts';
import { ADAPTERS } from '../adapters/registry.ts';
import type { Place, Policy } from '../engine/engine.ts';
import type { Event, EventName } from '../event/event.ts';
import { NEUTRAL } from '../event/verdict.ts';
import type { Files } from '../platform/files.ts';
import { contains, join } from '../platform/paths.ts';
import { fnv1a64 } from './fnv.ts';
import type { MeetingPlace } from './meeting-place.ts';

/**
 * What a client answers when no engine can be reached, below a root with a rule that must not be skipped: one file per
 * root, the root on its first line, then per event the agent, its name of the event, and the reply; behind a question
 * mark, the reply to a session that was denied often enough. Both clients
 * read it, without an engine and without knowing any agent's words.
 */
const DIR = 'closed';
/** The root that every directory is below. */
const EVERYWHERE = '/';

const TEXT =
  '[fairlead] This could not be looked at in time, and a rule is active that must not be skipped, so it was stopped.\n' +
  'The same call may pass in a moment.\n' +
  'A person finds the cause with `fairlead doctor`; `fairlead off --for 10m` switches all rules off for a while.';

export interface UnansweredEvent {
  readonly agent: string;
  readonly event: string;
  /** Directories that the event belongs to. */
  readonly places: readonly string[];
  /** Its session was denied often enough. */
  readonly asks: boolean;
}

/**
 * The reply to an event that no engine has seen; undefined where an empty one is right. Where no engine has said yet which
 * rules are in force, tool calls count as guarded.
 */
export function failClosedReply(
  files: Files,
  { run, marks }: Pick<MeetingPlace, 'run' | 'marks'>,
  { agent, event, places, asks }: UnansweredEvent,
): string | undefined {
  let isKnown = false;
  const real = places.map((place) => files.realpath(place) ?? place);
  const left = [...new Set([run, marks])].flatMap((dir) => files.list(join(dir, DIR)).map((name) => ({ dir, name })));
  for (const { dir, name } of left.filter((each) => !each.name.startsWith('.'))) {
    // A line without its end was cut off.
    const [root = '', ...lines] = (files.readText(join(dir, DIR, name)) ?? '').split('\n').slice(0, -1);
    isKnown ||= root === EVERYWHERE;
    const fits = root === EVERYWHERE || (root !== '' && real.some((place) => contains(root, place)));
    if (!fits) continue;
    const reply = replyIn(lines, agent, event, asks);
    if (reply !== undefined) return reply;
  }
  return isKnown ? undefined : replyIn(linesUnknown(), agent, event, asks);
}

function replyIn(lines: readonly string[], agent: string, event: string, asks: boolean): string | undefined {
  const after = (start: string) => lines.find((each) => each.startsWith(start))?.slice(start.length);
  // One that an older engine wrote has denials alone.
  return (asks ? after(`${agent} ${event}? `) : undefined) ?? after(`${agent} ${event} `);
}

/** What clients reply where no engine has said which rules are in force. The native client has them built in. */
export function linesUnknown(text = TEXT): string[] {
  return ADAPTERS.flatMap((adapter) => linesFor(adapter, (name) => name === 'tool.before', text));
}

export interface FailClosedKeeper {
  /** Rules are in force somewhere; looked at later. */
  saw<P extends Pick<Place, 'project' | 'policy'>>(place: P): P;
  /** Writes what has changed. */
  keep(): Promise<void>;
}

/** `marks`: where it is kept; a read-only home has it in the short directory. */
export function createFailClosedKeeper(
  files: Files,
  marks: () => string,
  policyAt: (root: string) => Promise<Policy>,
): FailClosedKeeper {
  const known = new WeakSet<Policy>();
  const fresh = new Map<string, Policy>();
  return {
    saw(place) {
      if (!known.has(place.policy)) fresh.set(place.project, place.policy);
      known.add(place.policy);
      return place;
    },
    async keep() {
      if (fresh.size === 0) return;
      const changed = [...fresh];
      const dir = marks();
      writeFailClosed(files, dir, EVERYWHERE, await policyAt(EVERYWHERE));
      for (const [root, policy] of changed) if (root !== EVERYWHERE) writeFailClosed(files, dir, root, policy);
      // Only now: what could not be written is tried again.
      for (const [root, policy] of changed) if (fresh.get(root) === policy) fresh.delete(root);
    },
  };
}

/** Brings the file of a root in line with the rules in force there. */
function writeFailClosed(files: Files, run: string, root: string, { index }: Policy): void {
  const path = join(run, DIR, fnv1a64(root));
  const lines = ADAPTERS.flatMap((adapter) => linesFor(adapter, index.failsClosed));
  // That nothing fails closed is said once, for everywhere.
  if (lines.length === 0 && root !== EVERYWHERE) {
    if (files.exists(path)) files.remove(path);
    return;
  }
  const text = `${[root, ...lines].join('\n')}\n`;
  if (files.readText(path) === text) return;
  files.makeDir(join(run, DIR), 0o700);
  files.writeAtomic(path, text, 0o600);
}

/** For each event that fails closed a line with the denial, and one with the question that follows a few of them. */
function linesFor(adapter: Adapter, failsClosed: (event: EventName) => boolean, text = TEXT): string[] {
  return adapter.events.flatMap(({ name: agentEvent, canonical: name, wiring }) => {
    const { deny, ask } = adapter.capabilities(name);
    // A person's own words are held back by a rule alone, never by a failure.
    if (wiring === 'never' || deny !== 'enforced' || name === 'prompt.submit' || !failsClosed(name)) return [];
    const event: Event = {
      name,
      agentEvent,
      agent: adapter.name,
      session: '',
      hasSession: false,
      cwd: '',
      depth: 0,
      receivedAt: 0,
    };
    const replyTo = (action: 'deny' | 'ask') =>
      adapter.render({ ...NEUTRAL, action, reason: text }, event).stdout.trim();
    const denial = replyTo('deny');
    const question = ask === 'enforced' ? replyTo('ask') : denial;
    return [`${adapter.name} ${agentEvent} ${denial}`, `${adapter.name} ${agentEvent}? ${question}`];
  });
}
