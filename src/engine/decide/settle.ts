import { address } from './address.ts';
import { answeredBefore, createCopies } from './keep-first.ts';
import type { Secured } from './keep-first.ts';
import { decide } from './decide.ts';
import type { Decided } from './decide.ts';
import { keepWaiting, readWaiting, waitingId } from '../advice/attention.ts';
import { isCareful } from '../careful/careful.ts';
import { teamCareful } from '../careful/team-careful.ts';
import { answerOf, contentOf, findOriginal, keepSession, noticesFor, verdictUnread } from './bookkeeping.ts';
import { recordsFor } from './records.ts';
import { isPromise } from './run.ts';
import { shareLooks } from './shared-looks.ts';
import { agentKey, ownersFor } from '../session/scope.ts';
import { mayRelease, releaseEnded } from '../session/leases.ts';
import type { OwnLease } from '../session/leases.ts';
import { NO_EFFECTS } from '../match/effect-filter.ts';
import type { Standing } from '../limits/guards.ts';
import type { CallEffects } from '../match/effect-filter.ts';
import type { Engine, Place } from '../engine.ts';
import { memoryName } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { RuleWorkspace } from '../rule.ts';
import { chargeLate } from '../limits/throttle.ts';
import { keepTally } from './tally.ts';
import { tellTurn } from '../session/turn.ts';
import { sayWeakened } from './weakened.ts';
import type { Turn } from '../session/turn.ts';
import { canaryVerdicts, isCanary } from '../session/canary.ts';
import { keepFloor } from '../session/usage.ts';
import { effectsHeard } from '../match/why-filtered.ts';
import { merge } from './merge.ts';
import { Draft } from '../../state/draft.ts';
import { copyAge, seenId } from '../../state/team-queue.ts';
import type { Said } from '../../state/draft.ts';
import { EMPTY_REPLY } from '../../adapters/adapter.ts';
import type { Adapter, Reply } from '../../adapters/adapter.ts';
import { isNeutral, NEUTRAL } from '../../event/verdict.ts';
import type { Event } from '../../event/event.ts';
import type { Decision, Verdict } from '../../event/verdict.ts';
import { rowOf } from '../../ledger/record.ts';
import type { Watch } from '../../ledger/record.ts';
import type { LedgerRow, RuleTrace } from '../../event/ledger-row.ts';

/** Another process may change what an event read while its rules ran; then they run again, this often at most. */
const MAX_ATTEMPTS = 40;

export interface Settled extends Decided {
  readonly reply: Reply;
  readonly row: LedgerRow;
  readonly attempts: number;
  /** The row is in the store, together with the state it describes. */
  readonly committed: boolean;
  readonly said: readonly Said[];
}

export interface Settling {
  readonly event: Event;
  readonly selected: readonly ActiveRule[];
  /** Why nobody reads the call. */
  readonly unread: string | undefined;
  /** Empty when no rule wants to know. */
  readonly effects: CallEffects;
  readonly place: Place;
  readonly adapter: Adapter;
  readonly engine: Engine;
  readonly watch: Watch;
}

const REUSED: RuleTrace = {
  rule: 'fairlead',
  tier: 2,
  reason: 'an earlier call had the same id and another content, so this one was decided anew',
  mode: 'enforce',
  remark: true,
};

/** Tiers 2 and 3, then one commit: either all changes of the event and its record are stored, or the rules look again. */
export async function settle(settling: Settling): Promise<Settled> {
  const { event, engine, adapter, watch } = settling;
  const copies = createCopies(settling);
  for (let attempts = 1; ; attempts += 1) {
    const draft = new Draft(engine.store, event.receivedAt);
    const { name: delivery, before, isReused } = findOriginal(event, engine.store, engine.seal);
    const id = engine.ledger.nextId(event.receivedAt);
    const over = before ? NONE_OVER : endLeases(settling, draft);
    const deciding = before ? { decision: before, trace: [], followUps: [] } : decideOn(settling, id, draft);
    const { decision: wanted, trace: looked, followUps } = isPromise(deciding) ? await deciding : deciding;
    const keeping = before ? answeredBefore(before) : copies.keepFirst(wanted);
    const decided = holdNotes(isPromise(keeping) ? await keeping : keeping, settling, draft);
    const isLiftable = looked.some((entry) => 'call' in entry);
    const decision: Secured = before ? decided : address(decided, event, draft, { id, isLiftable });
    const { index } = settling.place.policy;
    if (index.keepsTally && before === undefined)
      keepTally(decision, event, draft, { rules: index.rules, reach: adapter.capabilities(event.name) });
    const trace = isReused ? [...looked, REUSED] : looked;
    watch.lap('rules');
    const neutral = isNeutral(decision);
    const reply = neutral ? EMPTY_REPLY : adapter.render(asRun(decision), event);
    watch.lap('render');
    const changed = draft.changes.length > 0;
    const tier = trace.reduce((most, entry) => Math.max(most, entry.tier), 1);
    const kept = before === undefined && !(neutral && !changed) ? delivery : undefined;
    const row = describe(settling, { id, decision, tier, reply, changed, copy: before !== undefined, delivery: kept });
    const { said } = draft;
    // A canary tries out the way and must leave no mark: what a rule says once a day is not said to it.
    if ((neutral && !changed) || isCanary(event, engine.store))
      return { decision, trace, followUps, reply, row, attempts, committed: false, said };
    const outcome = commit(engine, draft, row, attempts === MAX_ATTEMPTS);
    if (outcome === 'moved') continue;
    for (const { name, holder } of over) engine.leases?.release(name, holder);
    const committed = outcome === 'stored' && (await isStored(engine));
    watch.lap('commit');
    return { decision, trace, followUps, reply, row, attempts, committed, said };
  }
}

/** What is said of a copy goes with the session's next event where the agent gives its model nothing to read on this one. */
function holdNotes(decision: Secured, { event, adapter }: Settling, draft: Draft): Secured {
  if (decision.notes.length === 0 || carriesNotes(event, adapter)) return decision;
  const id = waitingId(event.session, agentKey(event));
  keepWaiting(draft, id, [...readWaiting(draft, id), ...decision.notes]);
  return { ...decision, notes: [] };
}

function carriesNotes({ name }: Event, adapter: Adapter): boolean {
  const { note } = adapter.capabilities(name);
  return note === 'enforced' || note === 'advised';
}

/** What was copied first runs, changed or not. */
function asRun(decision: Secured): Decision {
  if (decision.action !== 'save') return decision;
  return { ...decision, action: decision.input === undefined ? 'pass' : 'rewrite' };
}

/** For an event that neither a rule nor the engine wants: nothing is read, nothing changes. */
export function settleNeutral(settling: Settling): Settled {
  const id = settling.engine.ledger.nextId(settling.event.receivedAt);
  const about = {
    id,
    decision: NEUTRAL,
    tier: 1,
    reply: EMPTY_REPLY,
    changed: false,
    copy: false,
    delivery: undefined,
  };
  const row = describe(settling, about);
  return {
    decision: NEUTRAL,
    trace: [],
    followUps: [],
    reply: EMPTY_REPLY,
    row,
    attempts: 0,
    committed: false,
    said: [],
  };
}

interface Outcome {
  readonly id: string;
  readonly decision: Decision;
  readonly tier: number;
  readonly reply: Reply;
  readonly changed: boolean;
  readonly copy: boolean;
  /** Set when a second delivery of the event is to get the same answer. */
  readonly delivery: string | undefined;
}

function describe({ event, place, engine, watch }: Settling, about: Outcome): LedgerRow {
  const { id, decision, tier, reply, changed, copy, delivery } = about;
  return rowOf({
    id,
    event,
    root: place.root,
    digest: place.policy.index.digest,
    tier,
    decision,
    replyBytes: byteLength(reply.stdout),
    micros: watch.total(),
    changed,
    copy,
    delivery,
    answer: delivery === undefined ? undefined : answerOf(decision, contentOf(event, engine.seal)),
  });
}

/** As UTF-8, without making it: every half of a pair stands for two of its four bytes. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/**
 * The last attempt writes over whatever moved, and claims no delivery, so that nothing can refuse it: counters are sums
 * and stay exact, and the agent does not wait for ever.
 * A store that cannot write must not cost the agent its answer: the decision stands, the failure is recorded.
 */
function commit(engine: Engine, draft: Draft, row: LedgerRow, last: boolean): 'stored' | 'moved' | 'failed' {
  try {
    const { changes, now } = draft;
    const wanted = last
      ? { reads: new Map(), changes, row: { ...row, delivery: undefined, answer: undefined }, now }
      : { reads: draft.reads, changes, row, now };
    return engine.store.commit(wanted) ? 'stored' : 'moved';
  } catch (error) {
    engine.onFailure('storing an event', error);
    return 'failed';
  }
}

/** A resident store writes the commits of several events at once; none of them is answered before. */
async function isStored(engine: Engine): Promise<boolean> {
  try {
    await engine.store.stored();
    return true;
  } catch (error) {
    engine.onFailure('storing an event', error);
    return false;
  }
}

function decideOn(settling: Settling, id: string, draft: Draft): Decided | Promise<Decided> {
  const { event, selected, unread, effects, place, adapter, engine } = settling;
  const { policy, workspace, root, project, rootOf } = place;
  const { pause, heeds } = keepSession(event, project, draft);
  keepFloor(event, draft, engine.files);
  const turn = turnIn(settling, draft);
  const look = (cell: string) => engine.store.get(cell, event.receivedAt);
  const isTeamCareful = teamCareful(policy.sharing, look, event.receivedAt) !== undefined;
  const standingIn = (where: RuleWorkspace): Standing => ({
    workspace: where,
    ownerOf: ownersFor(event, where, engine.clock.dayOf, turn, policy.sharing),
  });
  const here = standingIn(workspace);
  let atCwd: { readonly entry: string | undefined; readonly standing: Standing } | undefined;
  const standingAtCwd = (entry: string | undefined): Standing => {
    // The rules of a pack need the same entry, so that one answer serves them all.
    if (!atCwd || atCwd.entry !== entry) atCwd = { entry, standing: standingIn(place.atCwd(entry)) };
    return atCwd.standing;
  };
  return decide(selected, event, {
    // Not spread: to make an object of this size that way takes 30 µs, more than most events.
    ownerOf: here.ownerOf,
    workspace: here.workspace,
    draft,
    decision: id,
    heeds,
    standingOf: ({ meta }) => (meta.at === 'cwd' ? standingAtCwd(meta.needs?.entry) : here),
    files: engine.files,
    overrides: policy.overrides,
    effects: effects instanceof Error ? NO_EFFECTS : effects,
    effectsFor: (rule) => effectsHeard(rule, event, rootOf, effects),
    careful: isTeamCareful || isCareful(draft, root, project),
    isTeamCareful,
    machine: policy.sharing?.machine,
    team: policy.sharing?.team,
    turn,
    setup: () => engine.setupOf(event, root),
    records: recordsFor({ event, place, adapter, engine, draft }),
    isOwnWrite: (path, mtimeMs) => engine.isOwnWrite(path, mtimeMs),
    who: event.hasSession ? { session: event.session, agent: agentKey(event) } : undefined,
    rules: policy.index.rules,
    attention: policy.attention,
    breaker: policy.breaker,
    pause,
    today: () => engine.clock.dayOf(event.receivedAt),
    facts: shareLooks(engine.facts),
    carriesNotes: carriesNotes(event, adapter),
    own: [
      ...verdictUnread(unread, event, place, adapter, draft),
      ...noticesFor(event, policy, draft),
      ...sayWeakened(event, place, draft),
      ...canaryVerdicts(event, engine.store, adapter),
    ],
    seal: engine.seal,
    leases: policy.index.hasLeases ? { sharing: policy.sharing, link: engine.leases } : undefined,
    copyAge: ageIn(settling),
    micros: () => engine.clock.micros(),
    onLate(rule, late) {
      const kept = late.then((verdicts) => keepLate(rule, verdicts, settling));
      kept.catch(() => {});
      engine.onLate?.(kept);
    },
  });
}

const NONE_OVER: readonly OwnLease[] = [];

/** Gives back what the event ends of its session's leases; the server hears of it when that is stored. */
function endLeases({ event, place }: Settling, draft: Draft): readonly OwnLease[] {
  const { index, sharing } = place.policy;
  if (!mayRelease(event, index.hasLeases)) return NONE_OVER;
  return releaseEnded(event, draft, () => sharing?.team ?? '');
}

/** How old the copy of the team's state is that the event is decided on. */
function ageIn({ event, place, engine }: Settling): (() => number) | undefined {
  const { sharing, index } = place.policy;
  if (!sharing || !index.hasBounds) return undefined;
  const { receivedAt: now } = event;
  return () => copyAge(engine.store.get(seenId(sharing.team), now), now);
}

function turnIn({ event, adapter, engine }: Settling, draft: Draft): () => Turn {
  const transcripts = adapter.projectTranscripts;
  return tellTurn(event, draft, transcripts && { files: engine.files, promptsIn: transcripts.promptsIn });
}

/** Advice that missed its event goes with the session's next one; its throttle counts it as said. */
function keepLate(rule: ActiveRule, verdicts: readonly Verdict[], settling: Settling): void {
  const { event, place, engine } = settling;
  const { notes } = merge(verdicts);
  if (notes.length === 0) return;
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const draft = new Draft(engine.store, engine.clock.now());
      const { workspace, policy } = place;
      const ownerOf = ownersFor(event, workspace, engine.clock.dayOf, turnIn(settling, draft), policy.sharing);
      if (!chargeLate(memoryName(rule), rule.meta.throttle, event, draft, ownerOf)) return;
      const id = waitingId(event.session, agentKey(event));
      keepWaiting(draft, id, [...readWaiting(draft, id), ...notes]);
      if (engine.store.commit({ reads: draft.reads, changes: draft.changes, now: draft.now })) return;
    }
  } catch (error) {
    engine.onFailure('keeping late advice', error);
  }
}
