import type { Adapter } from '../adapters/adapter.ts';
import type { Place, Policy } from '../engine/engine.ts';
import type { Event } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import { NEUTRAL } from '../event/verdict.ts';
import type { Files } from '../platform/files.ts';
import { contains, join } from '../platform/paths.ts';
import { fnv1a64 } from './fnv.ts';
import type { MeetingPlace } from './meeting-place.ts';

/**
 * What a client answers when no engine can be reached, below a root with a rule that must not be skipped: one file per
 * root, the root on its first line, then per event the agent, its name of the event, and the reply. Both clients
 * read it, without an engine and without knowing any agent's words.
 */
const DIR = 'closed';
/** The root that every directory is below. */
const EVERYWHERE = '/';

const TEXT =
  'Fairlead could not look at this in time, and a rule is active that must not be skipped, so it was stopped. A person finds out why with `fairlead doctor`; until then the same call meets the same answer.';

const STOPPED: Decision = {
  ...NEUTRAL,
  action: 'deny',
  reason: TEXT,
};

export interface UnansweredEvent {
  readonly agent: string;
  readonly event: string;
  /** Directories that the event belongs to. */
  readonly places: readonly string[];
}

/** The reply to an event that no engine has seen; undefined where an empty one is right. */
export function failClosedReply(
  files: Files,
  { run, marks }: Pick<MeetingPlace, 'run' | 'marks'>,
  { agent, event, places }: UnansweredEvent,
): string | undefined {
  const real = places.map((place) => files.realpath(place) ?? place);
  const left = [...new Set([run, marks])].flatMap((dir) => files.list(join(dir, DIR)).map((name) => ({ dir, name })));
  for (const { dir, name } of left.filter((each) => !each.name.startsWith('.'))) {
    // A line without its end was cut off.
    const [root = '', ...lines] = (files.readText(join(dir, DIR, name)) ?? '').split('\n').slice(0, -1);
    const fits = root === EVERYWHERE || (root !== '' && real.some((place) => contains(root, place)));
    if (!fits) continue;
    const start = `${agent} ${event} `;
    const line = lines.find((each) => each.startsWith(start));
    if (line !== undefined) return line.slice(start.length);
  }
  return undefined;
}

export interface FailClosedKeeper {
  /** Rules are in force somewhere; looked at later. */
  saw(place: Pick<Place, 'project' | 'policy'>): void;
  /** Writes what has changed. */
  keep(): Promise<void>;
}

/** `marks`: where it is kept; a read-only home has it in the short directory. */
export function createFailClosedKeeper(
  files: Files,
  run: string,
  marks: () => string,
  adapters: readonly Adapter[],
  policyAt: (root: string) => Promise<Policy>,
): FailClosedKeeper {
  const known = new WeakSet<Policy>();
  const fresh = new Map<string, Policy>();
  return {
    saw({ project, policy }) {
      if (known.has(policy)) return;
      known.add(policy);
      fresh.set(project, policy);
    },
    async keep() {
      if (fresh.size === 0) return;
      const changed = [...fresh];
      // What holds everywhere holds in each project too, so most homes are done here.
      const none = changed.every(([, { index }]) => !index.rules.some(({ meta }) => meta.onError === 'block'));
      if (!none || files.exists(join(run, DIR))) {
        const dir = marks();
        writeFailClosed(files, dir, EVERYWHERE, await policyAt(EVERYWHERE), adapters);
        for (const [root, policy] of changed) writeFailClosed(files, dir, root, policy, adapters);
      }
      // Only now: what could not be written is tried again.
      for (const [root, policy] of changed) if (fresh.get(root) === policy) fresh.delete(root);
    },
  };
}

/** Brings the file of a root in line with the rules in force there. */
function writeFailClosed(files: Files, run: string, root: string, policy: Policy, adapters: readonly Adapter[]): void {
  const path = join(run, DIR, fnv1a64(root));
  const lines = adapters.flatMap((adapter) => linesFor(adapter, policy));
  if (lines.length === 0) {
    if (files.exists(path)) files.remove(path);
    return;
  }
  const text = `${[root, ...lines].join('\n')}\n`;
  if (files.readText(path) === text) return;
  files.makeDir(join(run, DIR), 0o700);
  files.writeAtomic(path, text, 0o600);
}

function linesFor(adapter: Adapter, { index }: Policy): string[] {
  return adapter.events.flatMap(({ name: agentEvent, canonical: name, wiring }) => {
    if (wiring === 'never' || !index.failsClosed(name) || adapter.capabilities(name).deny !== 'enforced') return [];
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
    return [`${adapter.name} ${agentEvent} ${adapter.render(STOPPED, event).stdout.trim()}`];
  });
}
