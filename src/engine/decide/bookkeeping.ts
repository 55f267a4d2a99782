import { carriesWaiting, forgetSpent, waitingId } from '../advice/attention.ts';
import { concernsCareful } from '../careful/careful.ts';
import { expectId, judgeExpectations, judgesExpectations } from '../advice/expect.ts';
import type { Place } from '../engine.ts';
import { stopUnable } from './unable.ts';
import type { Underway } from './unable.ts';
import { agentKey } from '../session/scope.ts';
import { spell } from '../../text/spell.ts';
import { stamp } from '../../text/stamp.ts';
import { pausedId, pauseOf } from '../session/pause.ts';
import type { Paused } from '../session/pause.ts';
import { isCanary } from '../session/canary.ts';
import { mayRelease, ownLeasesId } from '../session/leases.ts';
import { keepAttended } from '../session/attended.ts';
import { openTurn, opensTurn } from '../session/turn.ts';
import { concernsWeakened } from './weakened.ts';
import { cellId, STATE_NOTICE, parseValue } from '../../state/cells.ts';
import type { Draft } from '../../state/draft.ts';
import type { Store } from '../../state/store.ts';
import type { Seal } from '../limits/exceptions.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Event, EventName } from '../../event/event.ts';
import type { FollowUp } from '../../event/follow-up.ts';
import type { KeptAnswer } from '../../event/ledger-row.ts';
import { NEUTRAL } from '../../event/verdict.ts';
import type { Decision, Verdict } from '../../event/verdict.ts';

export function projectId(session: string): string {
  return cellId('session', session, 'project');
}

/** The root the session was started in; it stays, wherever the agent goes. */
export function projectOf(store: Store, event: Event): string | undefined {
  const value = store.get(projectId(event.session), event.receivedAt);
  const project = parseValue(value);
  return typeof project === 'string' ? project : undefined;
}

const dirId = (session: string): string => cellId('session', session, 'dir');

/** The event where its session works, of an agent that tells that at the start alone. */
export function inSessionDir(
  event: Event,
  { call, adapter, engine }: Pick<Underway, 'call' | 'adapter' | 'engine'>,
): Event {
  if (event.start !== undefined || !event.hasSession) return event;
  const dir = parseValue(engine.store.get(dirId(event.session), event.receivedAt));
  return typeof dir === 'string' && dir !== event.cwd ? adapter.parse({ ...call, sessionDir: dir }) : event;
}

/** Events that the engine needs whatever rules listen: sessions, turns, what became of advice, and what waits to be said. */
export const OWN_EVENTS: readonly EventName[] = [
  'session.start',
  'session.end',
  'prompt.submit',
  'tool.before',
  'turn.stop',
  'subagent.stop',
];

/** Whether the engine itself has something to keep or to deliver on this event, even when no rule wants it. */
export function concerns(event: Event, place: Pick<Place, 'root' | 'policy'>, store: Store): boolean {
  if (event.name === 'session.start' || opensTurn(event) || isCanary(event, store)) return true;
  const { session, receivedAt } = event;
  if (place.policy.urgent?.some((text) => store.get(noticedId(session, text), receivedAt) === undefined)) return true;
  const agent = agentKey(event);
  if (carriesWaiting(event.name) && store.get(waitingId(session, agent), receivedAt) !== undefined) return true;
  if (judgesExpectations(event) && store.get(expectId(session, agent), receivedAt) !== undefined) return true;
  if (mayRelease(event, place.policy.index.hasLeases) && store.get(ownLeasesId(session), receivedAt) !== undefined)
    return true;
  return concernsCareful(event, store) || concernsWeakened(event, place, store);
}

export interface KeptSession {
  readonly pause: Paused | undefined;
  /** What became of advice by this event. */
  readonly heeds: readonly FollowUp[];
}

/** Keeps the session's own cells: its project, who attends it, its turn, its pause, the advice whose effect is awaited. */
export function keepSession(event: Event, project: string, draft: Draft): KeptSession {
  // Events without a session share a name, not a project.
  if (event.name === 'session.start' && event.hasSession) {
    if (draft.read(projectId(event.session)) === undefined)
      draft.set(projectId(event.session), JSON.stringify(project), 0);
    if (event.start?.dir !== undefined) draft.set(dirId(event.session), JSON.stringify(event.start.dir), 0);
  }
  if (event.name === 'session.start' || opensTurn(event)) keepAttended(event, draft);
  forgetSpent(event, draft);
  const heeds = judgesExpectations(event) ? judgeExpectations(event, project, draft) : [];
  return { heeds, pause: keepTurn(event, draft) };
}

function keepTurn(event: Event, draft: Draft): Paused | undefined {
  const before = pauseOf(event.session, (id) => draft.read(id));
  if (!opensTurn(event)) return before;
  openTurn(draft, event);
  if (!before) return undefined;
  const paused = { ...before, turns: before.turns + 1 };
  draft.set(pausedId(event.session), JSON.stringify(paused), before.until ?? 0);
  return paused;
}

const NO_TEXTS: readonly string[] = [];

function noticedId(session: string, text: string): string {
  return cellId('session', session, 'noticed', stamp([text]));
}

/** What the person hears once per session. */
export function noticesFor(
  event: Event,
  { notices, urgent = NO_TEXTS }: Pick<Place['policy'], 'notices' | 'urgent'>,
  draft: Draft,
): Verdict[] {
  const isBeginning = event.name === 'session.start' || opensTurn(event);
  if (!isBeginning && urgent.length === 0) return [];
  const ofState = isBeginning ? parseValue(draft.read(STATE_NOTICE)) : undefined;
  const texts = [...(isBeginning ? notices : []), ...urgent, ...(typeof ofState === 'string' ? [ofState] : [])];
  return texts.flatMap((text): Verdict[] => {
    const id = noticedId(event.session, text);
    if (draft.read(id) !== undefined) return [];
    draft.mark(id, '1', 0);
    return [{ kind: 'warn', rule: 'fairlead', priority: 100, variant: 'notice', text }];
  });
}

/** The longest that the system takes. */
const LONGEST_PATH = 4_096;
/** No tool that people use names more; each has to be looked at, and so has each directory on its way. */
const MOST_PATHS = 1_000;
const MOST_IN_ALL = 65_536;

/** Why a call is not looked at: what it is about cannot be told, or would take too long to look at. */
export function whyUnread(event: Event): string | undefined {
  const isAhead = event.name === 'tool.before' || event.name === 'permission.request';
  return tooManyPaths(event) ?? (isAhead ? event.tool?.unread : undefined);
}

/** Each path costs time, and one that is longer than any is made to cost more. */
function tooManyPaths({ tool, batch, place, cwd, projectDir = '' }: Event): string | undefined {
  const own = tool?.paths ?? [];
  const paths = batch ? [...own, ...batch.flatMap((call) => call.paths)] : own;
  if (paths.length > MOST_PATHS) return `it names ${paths.length} paths`;
  const isLong = [...paths, place?.path ?? '', cwd, projectDir].some(({ length }) => length > LONGEST_PATH);
  if (isLong) return `it names a path of more than ${LONGEST_PATH} characters`;
  const inAll = paths.reduce((sum, { length }) => sum + length, 0);
  return inAll > MOST_IN_ALL ? `its paths have more than ${MOST_IN_ALL} characters in all` : undefined;
}

/** What is left of an event whose call nobody reads. */
export function withoutInput(event: Event): Event {
  const { place: _, tool, batch: __, cwd, projectDir, ...others } = event;
  // Who looks for the project would look at each of its directories.
  const rest = {
    ...others,
    cwd: cwd.length > LONGEST_PATH ? '/' : cwd,
    ...(projectDir !== undefined && projectDir.length <= LONGEST_PATH && { projectDir }),
  };
  if (!tool) return rest;
  const { kind, name, id } = tool;
  const bare = { kind, name, input: {}, hasInput: false, paths: [], edits: [] };
  return { ...rest, tool: id === undefined ? bare : { ...bare, id } };
}

/**
 * What cannot be read passes, unless a guard listens: then a person decides, or, where a rule must not be skipped, it is
 * stopped like every other call that could not be checked.
 */
export function verdictUnread(
  why: string | undefined,
  event: Event,
  { policy: { index } }: Pick<Place, 'policy'>,
  adapter: Pick<Adapter, 'capabilities'>,
  draft: Draft,
): Verdict[] {
  const { name } = event;
  const { ask, deny } = adapter.capabilities(name);
  // A person's own words are never held back for being unreadable.
  if (why === undefined || !index.isGuarded(name) || (ask !== 'enforced' && name !== 'tool.before')) return [];
  const isHeld = deny === 'enforced' && (ask !== 'enforced' || index.failsClosed(name));
  const kind = isHeld ? stopUnable('unread', event, draft) : 'ask';
  const text =
    `This call cannot be read: ${why}. A rule that guards such calls is active.\n` +
    'The same work in smaller, plainer calls is checked as usual.\n' +
    'Or a person decides whether this one may run.';
  return [{ kind, rule: 'fairlead', priority: 100, variant: 'unread', text }];
}

/**
 * Names an event that settings of several scopes, or a fallback process, may deliver twice; undefined when the event
 * carries nothing that would tell a copy from a repetition.
 */
export function deliveryOf(event: Event, at = event.receivedAt): string | undefined {
  const own = event.name.startsWith('tool.')
    ? event.tool?.id
    : event.name.startsWith('prompt.')
      ? promptKey(event)
      : event.name === 'session.start'
        ? startKey(event, at)
        : undefined;
  if (own === undefined) return undefined;
  return `${event.session} ${event.name} ${agentKey(event)} ${own}`;
}

/** Notifications come under the id of the prompt they follow, so the text belongs to the name. */
function promptKey({ promptId, prompt }: Event): string | undefined {
  return promptId === undefined ? undefined : `${promptId} ${stamp([prompt?.text ?? ''])}`;
}

/** What a copy of a start may lag behind. A session may begin again, as after a summary, but not so soon in one process. */
const START_LAG_MS = 20_000;

function startKey({ agentPid, start }: Event, at: number): string | undefined {
  return agentPid === undefined ? undefined : `${agentPid} ${start?.source} ${Math.floor(at / START_LAG_MS)}`;
}

/** A copy is decided like its original, so that a denied call stays denied, but says nothing twice. */
export function answerOf(decision: Decision, content: string): string {
  const kept = decision.action === 'pass' ? NEUTRAL : { ...decision, notes: [], warns: [] };
  return JSON.stringify({ content, decision: kept } satisfies KeptAnswer);
}

/** What an event was answered before, and under which name its own answer is kept. */
export interface Delivery {
  readonly name: string | undefined;
  readonly before?: Decision;
  /** An event of the same name had another content: no copy, whoever made it look like one. */
  readonly isReused?: true;
}

/** Looks for the original of a copy. A damaged answer counts as none. */
export function findOriginal(event: Event, store: Store, seal: Seal): Delivery {
  const name = deliveryOf(event);
  const earlier = event.name === 'session.start' ? deliveryOf(event, event.receivedAt - START_LAG_MS) : undefined;
  const before = answered(store, name) ?? answered(store, earlier);
  if (name === undefined || before === undefined) return { name };
  const content = contentOf(event, seal);
  if (before.content === content) return { name, before: before.decision };
  const own = `${name} ${content}`;
  const same = answered(store, own);
  return { name: own, isReused: true, ...(same?.content === content && { before: same.decision }) };
}

function answered(store: Store, name: string | undefined): KeptAnswer | undefined {
  const value = name === undefined ? undefined : parseValue(store.answered(name));
  return typeof value === 'object' && value !== null ? (value as KeptAnswer) : undefined;
}

/** Tells a copy from another event under the same name. Looked at only where there is an answer to keep or to compare. */
export function contentOf({ name, tool, prompt, cwd }: Event, seal: Seal): string {
  const { input, output, error } = tool ?? {};
  return seal(spell([name, cwd, tool?.name, input, output, error, prompt?.text]));
}
