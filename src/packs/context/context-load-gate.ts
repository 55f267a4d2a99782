import { defineRule, flag, own, record } from '../../engine/rule.ts';
import type { Cells, OwnWords, RuleContext, RuleFiles, Verdict } from '../../engine/rule.ts';
import { MADE_HERE } from './command-cells.ts';
import { CONTEXT_DIR, contextFileTimes, contextPath, LOAD_ORDER } from './files.ts';
import type { FileTime } from './files.ts';
import { oneOf, readGroup, textsIn } from './options.ts';
import { OVERSIZE } from './oversize.ts';
import { isOwn } from './own.ts';
import { buildPacket, isGivenWhole } from './packet.ts';
import type { Changes, Packet } from './packet.ts';
import { contextKey, contextRoot, isInside } from './place.ts';
import { readEntries } from './entries.ts';
import { STARTERS } from './starters.ts';

const COMMENTS = /<!--[^]*?(?:-->|$)/g;
const FRONT_MATTER = /^\ufeff?---\r?\n[^]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const HEADING = /^#{1,6}(?:[ \t]|$)|^(?:={3,}|-{3,}|\*{3,}|_{3,})$/;
const RULE_OF_TABLE = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*\|?$/;
const BULLET = /^(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]?\](?:[ \t]+|$))?/;
/** `**Context**:`, `Owner:` with nothing behind it. */
const EMPTY_FIELD = /^(?:\*\*[^*]+\*\*:?|[\p{L}][\p{L} ]{0,30}:)$/u;
/** What asks to be replaced: `[name of the project]`, `<why>`, `{{owner}}`, `TODO`, `...`. */
const PLACEHOLDER =
  /^(?:\*\*[^*]+\*\*:?[ \t]*)?(?:[_*]*(?:\[[^\]]*\]|<[^<>]+>|\{+[^{}]*\}+)[_*.:]*|(?:TODO|TBD|FIXME|XXX|N\/A|none yet|\(none(?: yet)?\)|to be (?:written|filled|done|decided))\b.{0,60}|\.{3}|…)$/i;

/**
 * Whether nobody has written anything into a context file: there is nothing in it but what its starter has, headings,
 * comments, empty tables and fields, and placeholders. The title of an entry says something.
 */
export function isUnfilled(name: string, text: string): boolean {
  if (readEntries(text).length > 0) return false;
  const starter = Object.hasOwn(STARTERS, name) ? STARTERS[name as keyof typeof STARTERS] : '';
  const known = new Set(linesOf(starter));
  const lines = linesOf(text.replace(FRONT_MATTER, '').replaceAll(COMMENTS, ''));
  return lines.every((line, at) => known.has(line) || isEmptyLine(line, lines[at + 1] ?? ''));
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.trim() || []);
}

function isEmptyLine(line: string, next: string): boolean {
  if (HEADING.test(line) || RULE_OF_TABLE.test(line)) return true;
  if (line.startsWith('|')) return (next.startsWith('|') && RULE_OF_TABLE.test(next)) || isEmptyRow(line);
  const said = line.replace(/^>[ \t]?/, '').replace(BULLET, '');
  return said === '' || EMPTY_FIELD.test(said) || PLACEHOLDER.test(said);
}

/** A row that names what is to be filled in, and nothing of it. */
function isEmptyRow(line: string): boolean {
  const [, ...cells] = line
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
  return cells.length > 0 && cells.every((cell) => cell === '' || PLACEHOLDER.test(cell));
}

interface Started {
  readonly session: string;
  readonly at: number;
}

/** The sessions that began in a project, the newest last; keyed by the context they began in. */
const SESSION_LOG = record<readonly Started[]>('context.session_log', { scope: 'workspace' });

const KEPT = 10;

interface Start {
  readonly at: number;
  /** When the session before it began; absent when none is known. */
  readonly previous?: number;
}

interface Keeper {
  readonly now: number;
  readonly state: Cells<{ readonly log: typeof SESSION_LOG }>;
}

/** Notes that a session began, the first time it is heard of. */
function keepStart({ now, state: { log } }: Keeper, key: string, session: string): Start {
  const kept = log.get(key);
  const before = Array.isArray(kept) ? kept.filter(isStarted) : [];
  const known = before.findLast((each) => each.session === session);
  const at = known?.at ?? now;
  if (!known) log.set([...before, { session, at }].slice(-KEPT), key);
  const previous = before.findLast((each) => each.session !== session && each.at <= at)?.at;
  return previous === undefined ? { at } : { at, previous };
}

/** What a cell holds is only as sound as the file it is kept in. */
function isStarted(value: unknown): value is Started {
  const { session, at } = (value ?? {}) as Partial<Started>;
  return typeof session === 'string' && typeof at === 'number';
}

const DEFAULTS = {
  when: 'first_tool',
  profile: 'full',
  max_chars: 9_000,
  injection_token_warn: 15_000,
  rearm_on: ['compact'],
  order: LOAD_ORDER,
};
const MAX_BYTES = 1 << 20;
/** What is left of a turn may be too little to be worth shortening for; the packet then waits for the next one. */
const LEAST_CHARS = 2_000;
const DAY_MS = 86_400_000;

const state = {
  loaded: flag('context.loaded'),
  /** Nobody here stands behind the context, and the session was told. */
  refused: flag('context.refused'),
  log: SESSION_LOG,
  oversize: OVERSIZE,
  made: MADE_HERE,
};
type Context = Pick<RuleContext, 'facts' | 'files' | 'later' | 'now' | 'options' | 'room' | 'workspace'> & {
  readonly state: Cells<typeof state>;
  note(variant: 'packet', values: { readonly packet: OwnWords }): Verdict;
  pass(reason: string): Verdict;
};

export default defineRule({
  id: 'context/context-load-gate',
  pack: 'context',
  summary: "Gives the agent the project's context files once, at the first tool call of a session.",
  on: [{ event: ['session.start', 'prompt.submit', 'tool.before'] }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, session: true, main: true, unset: 'context.loaded' },
  priority: 95,
  // It reads up to a dozen files and may wait for the history of the repository.
  budgetMs: 250,
  state,
  options: { load: DEFAULTS },
  messages: {
    packet: '{packet}',
    untrusted:
      "This project's .context was not loaded: it came with the project, and nobody has accepted it on this machine. A person can do so with `fairlead trust`.",
  },
  examples: { pass: [{ tool: 'read', path: 'src/a.ts' }, { prompt: 'Go on.' }] },
  check(event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const { loaded, refused } = context.state;
    const isTheirs = isOwn(context, root);
    const load = readGroup(context.options.load, DEFAULTS);
    if (event.start && load.rearm_on.includes(event.start.source)) loaded.clear();
    if (isTheirs && refused.isSet()) {
      refused.clear();
      loaded.clear();
    }
    if (loaded.isSet()) return context.pass('given in this session');
    const start = keepStart(context, contextKey(context.workspace, root), event.session);
    const isMoment = event.tool !== undefined || (event.start !== undefined && load.when === 'session_start');
    if (!isMoment) {
      // Asked for now, it is known at the first tool call. At a prompt others may wait for facts of their own, behind this one.
      if (isTheirs && event.start) void context.facts.commits(root, sinceOf(start));
      return context.pass('the first tool call brings it');
    }
    loaded.set();
    const days = (context.options as Readonly<Record<string, unknown>>)['prune_days'];
    context.later.prune(typeof days === 'number' ? days : undefined);
    if (isTheirs) return give(context, root, start, event.cwd === root ? CONTEXT_DIR : contextPath(root));
    if (refused.isSet()) return context.pass('nobody here stands behind this context, and the session was told');
    refused.set();
    context.later.relay('untrusted', 'the context was not loaded');
    return [context.note('untrusted'), context.warn('untrusted')];
  },
});

/** `dir` is how the agent would name the directory. */
async function give(context: Context, root: string, start: Start, dir: string): Promise<Verdict> {
  const { files, workspace, facts, later } = context;
  const load = readGroup(context.options['load'], DEFAULTS);
  const named = textsIn(load.order);
  const order = named.length > 0 ? named : LOAD_ORDER;
  const since = sinceOf(start);
  const found = readTexts(files, workspace.root, root, new Set([...order, 'TASKS.md']));
  if (found.size === 0) return context.pass('no file of the context lies in the project');
  const unfilled = [...found].flatMap(([name, text]) => (isUnfilled(name, text) ? [name] : []));
  if (unfilled.length === found.size) return context.pass('nobody has written anything into the context yet');
  // Of the others only what they list is given.
  const texts = new Map([...found].filter(([name]) => !unfilled.includes(name) || !isGivenWhole(name)));
  const changed = changedSince(since, contextFileTimes(files, root));
  const commits = await facts.commits(root, since);
  const changes: Changes = {
    since: start.previous === undefined ? 'day' : 'session',
    files: changed.map(({ name }) => name),
    ...(commits && { commits }),
  };
  const profile = oneOf(load.profile, ['full', 'minimal']);
  const packet = buildPacket({ texts, order, profile, changes, dir, maxChars: most(load.max_chars, context.room()) });
  keepOversize(context, contextKey(workspace, root), packet, load.injection_token_warn);
  const said = context.note('packet', { packet: own(packet.text) });
  const shortened = packet.files.filter(({ shown }) => shown === 'outline' || shown === 'path').length;
  later.relay('packet', `${packet.files.length} context files, about ${packet.tokens} tokens`, {
    files: packet.files.length,
    shortened,
    tokens: packet.tokens,
    chars: said.text?.length ?? 0,
    ...(said.text === undefined && { silenced: true }),
  });
  return said;
}

/** Where nothing is known of an earlier session, a day before this one began: not now, so that the answer can be known already. */
function sinceOf({ at, previous }: Start): number {
  return previous ?? at - DAY_MS;
}

/** Files of one moment were made together, by `init`, a clone or a checkout. */
const MOMENT_MS = 5_000;

/** What was changed since then. Where all files are newer, they have come since, and only what was written later is a change. */
function changedSince(since: number, times: readonly FileTime[]): readonly FileTime[] {
  const oldest = times.at(-1)?.mtimeMs ?? 0;
  const made = times.filter(({ mtimeMs }) => mtimeMs <= oldest + MOMENT_MS);
  const isNew = oldest > since && made.length > 1;
  return times.filter((each) => each.mtimeMs > since && !(isNew && made.includes(each)));
}

function most(set: number, room: number): number {
  const wanted = set > 0 ? set : DEFAULTS.max_chars;
  return room < LEAST_CHARS ? wanted : Math.min(wanted, room);
}

/** A link that leads out of the project is not followed: what it shows is not the project's to give. */
function readTexts(
  files: RuleFiles,
  project: string,
  root: string,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const within = files.realpath(project) ?? project;
  for (const name of names) {
    const path = contextPath(root, name);
    const real = isInside(contextPath(root), path) ? files.realpath(path) : undefined;
    const text = real !== undefined && isInside(within, real) ? files.readText(real, MAX_BYTES) : undefined;
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

function keepOversize(
  { state: { oversize } }: Context,
  key: string,
  { tokens, files }: Packet,
  threshold: number,
): void {
  if (!(threshold > 0 && tokens > threshold)) return oversize.clear(key);
  const each = files.map((file) => ({ name: file.name, tokens: file.tokens }));
  oversize.set({ tokens, threshold, files: each }, key);
}
