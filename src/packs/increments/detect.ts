import { asPath, callName, defineRule, record } from '../../engine/rule.ts';
import type { Event } from '../../engine/rule.ts';
import { completionFacts, describeOpen } from './completion.ts';
import { readTexts } from './increments.ts';
import { changedWithin, isForeign, watchedIn } from './ladder.ts';
import type { Found, Look, Method } from './ladder.ts';
import { JOBS_OF, SPECWEAVE, WATCHED } from './layout.ts';
import { placesNamed } from './named-places.ts';
import { DEFAULTS, readOptions } from './options.ts';
import { readSight } from './sight.ts';
import type { Sight } from './sight.ts';
import type { KnownStatus } from './standing.ts';

/** What the jobs say. The rule that queues them carries these, so that people can reword them like its own. */
export const JOB_MESSAGES = {
  synced:
    'Fairlead ticked {criteria} in {spec}; the tasks behind that are all complete. The file has changed, so read it again before editing it.',
  conflict:
    '{increment}: ticked in spec.md while tasks behind it are open: {criteria}. Fairlead unticks nothing; the next step is to complete these tasks or to take the tick back.',
} as const;

/** What a call said it would edit, kept until the call has ended. */
interface Pending {
  readonly at: number;
  readonly paths: readonly string[];
}

/** One call may bring many such files, as a change of branches does. */
const MOST_NOTES = 3;

export default defineRule({
  id: 'increments/detect',
  pack: 'increments',
  summary:
    'Edits of the tasks, the spec or the state of an active increment bring its criteria, status line and docs up to date.',
  on: [
    { event: ['tool.before', 'tool.after', 'tool.failed'], tool: ['write', 'edit'], paths: [`**/${SPECWEAVE}/**`] },
    { event: ['tool.before', 'tool.after', 'tool.failed'], tool: ['write', 'edit'], bare: true },
    // A command that fails may have edited a file before. What a tool of another server does, its name alone tells.
    {
      event: ['tool.after', 'tool.failed'],
      tool: ['shell', 'mcp', 'other'],
      words: [SPECWEAVE, ...WATCHED],
    },
    { event: 'file.changed', paths: [`**/${SPECWEAVE}/**`] },
  ],
  needs: { entry: SPECWEAVE },
  mode: 'advise',
  options: DEFAULTS,
  state: {
    pending: record<Pending>('increments.pending', { ttl: '10m' }),
    sight: record<Sight>('increments.ring', { scope: 'user' }),
    known: record<KnownStatus>('increments.meta', { scope: 'workspace' }),
  },
  messages: {
    ...JOB_MESSAGES,
    unbacked:
      '{increment} is set to completed while this is open: {open}. Nothing was reverted; `fairlead increment show {increment}` lists it.',
  },
  examples: {
    pass: [
      { event: 'tool.before', tool: 'edit', path: '.specweave/config.json', old: 'a', new: 'b' },
      { event: 'tool.after', tool: 'shell', command: "sed -i 's/a/b/' .specweave/increments/0001-demo/tasks.md" },
      { event: 'tool.before', tool: 'edit', path: 'src/app.ts', old: 'a', new: 'b' },
    ],
  },
  check(event, context) {
    const { later, state, files, now } = context;
    const options = readOptions(context.options);
    const nearest = context.workspace.nearest(SPECWEAVE);
    const rootOf = (root: string) => (root === nearest ? root : (files.realpath(root) ?? root));
    const look: Look = {
      now,
      files,
      known: state.known,
      options,
      isOver: event.name !== 'tool.before',
      rootOf,
      isOwnWrite: (...at) => context.isOwnWrite(...at),
    };
    const paths = event.tool?.paths ?? [];
    const id = event.tool && callName(event.tool);
    /** Numbers are kept where the increments are, as those of the jobs. */
    const count = (name: string, found: readonly Found[] = []) => later.count(name, 1, found[0]?.root ?? nearest);
    const leave = (tier: 0 | 2, reason: string) => {
      count(`exit.${momentOf(event)}.${tier}`);
      return context.pass(reason);
    };
    const isBlind = () => readSight(state.sight.get(`${event.agent}/${event.agentEvent}`))?.state === 'blind';

    if (event.name === 'tool.before') {
      if (paths.length === 0) return leave(0, 'the payload names no path');
      if (isBlind()) return leave(0, 'such events of this agent mostly bring no arguments');
      const found = watchedIn(paths, look);
      if (found.length === 0) return leave(2, 'no watched file of an active increment');
      count('exit.before.3', found);
      if (id !== undefined) state.pending.set({ at: now, paths }, id);
      return context.pass(`is about to edit ${named(found)}`);
    }

    const pending = id === undefined ? undefined : state.pending.get(id);
    if (pending) state.pending.clear(id);
    const isEdit = event.tool?.kind === 'write' || event.tool?.kind === 'edit';
    if (event.name === 'tool.failed' && isEdit) return context.pass('the edit failed');

    const tried = climb();
    const hit = tried.find(({ found }) => found.length > 0);
    for (const each of tried) count(`detect.${each.method}.${each === hit ? 'hit' : 'miss'}`, hit?.found);
    if (!hit) {
      if (paths.length > 0 || !isEdit) return leave(2, 'no watched file of an active increment');
      count('detect.none');
      return leave(2, 'the payload names no path, and no watched file has just changed');
    }
    count('exit.after.3', hit.found);
    for (const { root, increment, file } of hit.found) for (const job of JOBS_OF[file]) later.run(job, increment, root);
    const told = `${hit.method}, ${(hit.ageMs / 1_000).toFixed(1)} s old: ${named(hit.found)}`;
    const notes =
      hit.method === 'mtime' || hit.method === 'watch' ? hit.found.flatMap(unbacked).slice(0, MOST_NOTES) : [];
    return [...notes, context.pass(told, 'remark')];

    /** The ways to notice an edit, up to the first that yields something. */
    function climb(): Tried[] {
      if (event.place) {
        const found = options.watch ? watchedIn([event.place.path], look).filter((each) => isForeign(each, look)) : [];
        return [{ method: 'watch', found, ageMs: 0 }];
      }
      const climbed: Tried[] = [];
      const isSighted = isEdit && !isBlind();
      if (isSighted && pending)
        climbed.push({ method: 'signal', found: watchedIn(pending.paths, look), ageMs: now - pending.at });
      if (isSighted && paths.length > 0) {
        if (!pending) climbed.push({ method: 'signal', found: [], ageMs: 0 });
        if (climbed.every(({ found }) => found.length === 0))
          climbed.push({ method: 'payload', found: watchedIn(paths, look), ageMs: 0 });
        return climbed;
      }
      const windowMs = options.scan.windowMs + (isEdit ? 0 : (event.tool?.durationMs ?? 0));
      const places = placesNamed(event, { nearest, workspace: context.workspace, rootOf });
      const found = places.flatMap((place) => changedWithin(windowMs, place, look));
      return [...climbed, { method: 'mtime', found, ageMs: Math.max(0, ...found.map(({ ageMs }) => ageMs)) }];
    }

    /** A state that was set where nobody could stop it is stated; nothing is reverted. */
    function unbacked({ root, increment, file, status }: Found) {
      if (file !== 'metadata.json' || status.now !== 'completed' || status.before === 'completed') return [];
      const facts = completionFacts(readTexts(files, root, increment), options.completeWhen);
      return facts.isComplete
        ? []
        : [context.note('unbacked', { increment: asPath(increment), open: describeOpen(facts) })];
    }
  },
});

interface Tried {
  readonly method: Method;
  readonly found: readonly Found[];
  readonly ageMs: number;
}

function momentOf({ name }: Event): 'before' | 'after' {
  return name === 'tool.before' ? 'before' : 'after';
}

function named(found: readonly Found[]): string {
  return found.map(({ increment, file }) => `${file} of ${increment}`).join(', ');
}
