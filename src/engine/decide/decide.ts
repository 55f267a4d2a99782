import type { FollowUp } from '../../event/follow-up.ts';
import { carriesWaiting, fitNotes, keepWaiting, readWaiting, waitingId } from '../advice/attention.ts';
import { recordFailure, recordSuccess } from '../limits/breaker.ts';
import type { BreakerLimits } from '../limits/breaker.ts';
import { keepCareful } from '../careful/careful.ts';
import { leaveGrant } from '../careful/grant.ts';
import type { ContextParts } from './context.ts';
import { applyExceptions, describeException, UNABLE } from '../limits/exceptions.ts';
import type { Seal, Judged } from '../limits/exceptions.ts';
import { openExpectations } from '../advice/expect.ts';
import { guard } from '../limits/guards.ts';
import type { Guarded } from '../limits/guards.ts';
import { applyMode, raised } from '../limits/mode.ts';
import { takeLeases, TOLD } from './take-leases.ts';
import type { LeaseDesk } from './take-leases.ts';
import { isPromise, runRule } from './run.ts';
import type { Ran } from './run.ts';
import { shortCause, stopUnable } from './unable.ts';
import { agentKey } from '../session/scope.ts';
import { failsClosed, memoryName } from '../match/rule-index.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Gate } from '../limits/throttle.ts';
import { merge } from './merge.ts';
import type { RuleTrace, TracedVerdict } from '../../event/ledger-row.ts';
import type { Event } from '../../event/event.ts';
import type { Decision, Verdict } from '../../event/verdict.ts';
import type { Mutable } from '../../event/mutable.ts';
import { briefly } from '../../text/brief-span.ts';
import { durationMs } from '../../text/duration.ts';

/** Nudges that one prompt may bring; the setting of the pack decides. */
const MAX_NUDGES = 3;

interface Spoke {
  readonly rule: ActiveRule;
  readonly ran: Ran;
}

/**
 * The rules whose nudges are too many for this prompt, the least important first. They are treated as if they had not
 * run: what they would have kept stays as it was, so they speak at the next prompt.
 */
function heldBack(all: readonly Spoke[], event: Event): ReadonlySet<ActiveRule> {
  if (event.name !== 'prompt.submit') return NOBODY;
  const nudges = all.filter(({ rule, ran }) => rule.meta.nudge !== undefined && speaks(rule, ran, event));
  const deferrable = nudges.filter(({ rule }) => rule.meta.nudge === 'deferrable').sort(byImportance);
  if (deferrable.length === 0) return NOBODY;
  const limit = limitOf(deferrable[0]?.rule);
  const room = Math.max(0, limit - (nudges.length - deferrable.length));
  return deferrable.length <= room ? NOBODY : new Set(deferrable.slice(room).map(({ rule }) => rule));
}

const NOBODY: ReadonlySet<ActiveRule> = new Set();

function speaks(rule: ActiveRule, { verdicts }: Ran, { asksPerson }: Event): boolean {
  // What the person silenced takes no place.
  return verdicts.some(
    (verdict) => verdict.text !== undefined && applyMode(verdict, rule.mode, asksPerson) !== undefined,
  );
}

function byImportance(a: Spoke, b: Spoke): number {
  return (b.rule.meta.priority ?? 50) - (a.rule.meta.priority ?? 50);
}

function limitOf(rule: ActiveRule | undefined): number {
  const given = (rule?.options['attention'] as { readonly max_nudges?: unknown } | null | undefined)?.max_nudges;
  return typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : MAX_NUDGES;
}

/**
 * What a rule's answer comes to where it stands on a copy of the team's state that is older than its bound. One that did
 * not look at that state is not concerned.
 */
function underBound(rule: ActiveRule, ran: Ran, copyAge: () => number): Ran {
  const { team, throttle, id, priority = 50 } = rule.meta;
  if (!team) return ran;
  const spoke = ran.verdicts.some(({ kind }) => kind !== 'pass');
  const isConcerned = ran.usedTeam === true || (spoke && throttle !== undefined && 'shared' in throttle);
  const age = isConcerned ? copyAge() : 0;
  if (age <= durationMs(team.within)) return ran;
  const old = Number.isFinite(age) ? `${briefly(age)} old` : 'not there yet';
  const shared = `team state ${old}, bound ${briefly(durationMs(team.within))}, ${TOLD[team.else]}`;
  if (team.else === 'go on') return { ...ran, shared };
  const text = `What this machine has of the team's state is ${old}; this rule counts on it up to ${briefly(durationMs(team.within))}.
Try again in a moment; the server of the team's state may be back then.
A person decides whether to go on; \`fairlead doctor\` tells of the server.`;
  return { ...ran, verdicts: [{ kind: team.else, rule: id, priority, variant: 'old-copy', text }], shared };
}

/** Everything the rules of one event stand on. */
export interface Setting extends ContextParts {
  /** All rules in force: a note that waited may come from one that does not listen to this event. */
  readonly rules: readonly ActiveRule[];
  readonly breaker: BreakerLimits;
  /** What became of earlier advice by this event. */
  readonly heeds: readonly FollowUp[];
  /** The agent reads context on this event. */
  readonly carriesNotes: boolean;
  /** What the engine itself has to say, beside the rules. */
  readonly own: readonly Verdict[];
  readonly seal: Seal;
  /** The team that this machine shares state with. */
  readonly team?: string | undefined;
  /** Careful mode is on for the whole team. */
  readonly isTeamCareful?: boolean;
  /** Absent where no rule in force has a lease, and in a trial. */
  readonly leases?: LeaseDesk | undefined;
  /** Of what this machine has of the team's state; absent where it shares none. */
  copyAge?: (() => number) | undefined;
  micros(): number;
  /** Takes advice that comes after the reply. */
  onLate(rule: ActiveRule, late: Promise<readonly Verdict[]>): void;
}

export interface Decided {
  readonly decision: Decision;
  /** One entry for each rule that got past its filters. */
  readonly trace: readonly RuleTrace[];
  readonly followUps: readonly FollowUp[];
}

interface Answered {
  readonly rule: ActiveRule;
  readonly guarded: Extract<Guarded, { readonly gate: Gate }>;
  readonly ran: Ran;
}

/**
 * Tiers 2 and 3 for the selected rules, then merge, mode and attention. All changes land in the setting's draft.
 * Nothing is awaited unless a rule is asynchronous.
 */
export function decide(selected: readonly ActiveRule[], event: Event, setting: Setting): Decided | Promise<Decided> {
  const trace: RuleTrace[] = [];
  const own = [...setting.own, ...keepCareful(event, setting.workspace.root, setting.draft)]
    .map((verdict) => applyMode(verdict, 'enforce', event.asksPerson))
    .filter((verdict) => verdict !== undefined);
  const verdicts: Verdict[] = [];
  const answered: Answered[] = [];
  const running: Promise<Answered>[] = [];
  for (const rule of setting.careful ? selected.map(inCarefulMode) : selected) {
    const guarded = guard(rule, event, setting);
    if ('gate' in guarded) {
      const ran = runRule(rule, event, setting, setting.micros);
      if (isPromise(ran)) running.push(ran.then((result) => ({ rule, guarded, ran: result })));
      else answered.push({ rule, guarded, ran });
      continue;
    }
    const { stop: reason, by } = guarded;
    trace.push({ rule: rule.meta.id, tier: 2, reason, mode: rule.mode, ...(by && { stop: by }) });
    if (guarded.breaker === 'open' && failsClosed(rule))
      verdicts.push(...withMode(unable(rule, guarded.stop, 'ask'), rule, event));
  }
  const conclude = (every: readonly Answered[]): Decided => {
    const held = heldBack(every, event);
    const all = held.size === 0 ? every : every.filter(({ rule }) => !held.has(rule));
    for (const { meta, mode } of held)
      trace.push({ rule: meta.id, tier: 3, reason: 'held for the next prompt: this one brings enough', mode });
    for (const { rule, guarded, ran } of all) {
      verdicts.push(
        ...(ran.failure === undefined ? accept(rule, guarded, ran, event, setting) : fail(rule, ran, event, setting)),
      );
    }
    const { draft, workspace, effects } = setting;
    const isHeld = (id: string) => selected.some((rule) => rule.held === true && rule.meta.id === id);
    const judged = applyExceptions(verdicts, event, {
      ...{ draft, root: workspace.root, team: setting.team, effects, seal: setting.seal, isHeld },
    });
    for (const { rule, ran } of all) trace.push(traceOf(rule, ran, judged));
    const decision = attend(merge([...own, ...judged.verdicts]), event, setting);
    if (decision.action === 'ask') leaveGrant(judged.verdicts, event, workspace.root, draft);
    const said = { id: setting.decision, decision, event };
    const followUps = [...setting.heeds, ...openExpectations(said, setting.rules, draft, setting.ownerOf)];
    for (const { ran } of all) followUps.push(...ran.followUps);
    return { decision, trace, followUps };
  };
  /** Leases come last: nothing is taken for a call that something else stops. */
  const settleShared = (every: readonly Answered[]): Decided | Promise<Decided> => {
    const { copyAge } = setting;
    const bound = copyAge ? every.map((one) => ({ ...one, ran: underBound(one.rule, one.ran, copyAge) })) : every;
    const taken = takeLeases(bound, event, setting.leases, setting.standingOf);
    return taken && isPromise(taken) ? taken.then(conclude) : conclude(taken ?? bound);
  };
  return running.length === 0
    ? settleShared(answered)
    : Promise.all(running).then((late) => settleShared([...answered, ...late]));
}

function inCarefulMode(rule: ActiveRule): ActiveRule {
  const mode = raised(rule.mode, rule.meta.careful);
  return mode === rule.mode ? rule : { ...rule, mode };
}

function accept(
  rule: ActiveRule,
  { gate, breaker }: Answered['guarded'],
  ran: Ran,
  event: Event,
  setting: Setting,
): Verdict[] {
  const spoke = ran.verdicts.some((verdict) => verdict.kind !== 'pass');
  // What a guard remembers is what was tried, whoever heard of it.
  setting.draft.adopt(ran.branch, spoke && rule.meta.guard !== true);
  if (breaker === 'half-open') recordSuccess(setting.draft, memoryName(rule));
  if (spoke) gate.charge();
  const verdicts: Verdict[] = [];
  for (const verdict of ran.verdicts) verdicts.push(...withMode(verdict, rule, event));
  if (!setting.careful || rule.meta.careful === undefined) return verdicts;
  const where = setting.isTeamCareful === true ? ' --team' : '';
  return verdicts.map((verdict) => nameCareful(verdict, where));
}

/** Why it is held harder than usual, and how that ends. */
function nameCareful(verdict: Verdict, where: string): Verdict {
  if (verdict.text === undefined || (verdict.kind !== 'deny' && verdict.kind !== 'ask')) return verdict;
  return {
    ...verdict,
    text: `${verdict.text}\nCareful mode is on here; a person ends it with \`fairlead careful off${where}\`.`,
  };
}

function fail(rule: ActiveRule, ran: Ran, event: Event, setting: Setting): Verdict[] {
  const failure = ran.failure ?? '';
  const opened = recordFailure(setting.draft, memoryName(rule), failure, setting.breaker);
  if (ran.late)
    setting.onLate(
      rule,
      ran.late.then((verdicts) => verdicts.flatMap((verdict) => withMode(verdict, rule, event))),
    );
  const verdicts = failsClosed(rule)
    ? withMode(unable(rule, failure, stopUnable(memoryName(rule), event, setting.draft)), rule, event)
    : [];
  if (!opened) return verdicts;
  const seconds = Math.round(setting.breaker.recoveryMs / 1000);
  const text = `This rule failed repeatedly (${shortCause(failure)}) and ${failsClosed(rule) ? 'asks before all that it would check' : 'is skipped'} for ${seconds} s. \`fairlead doctor\` has the details.`;
  return [...verdicts, { kind: 'warn', rule: rule.meta.id, priority: 100, variant: 'breaker-opened', text }];
}

/** The answer of a rule that must not be passed by when it cannot look. */
function unable(rule: ActiveRule, why: string, kind: 'ask' | 'deny'): Verdict {
  const { id, priority = 50 } = rule.meta;
  const text = `This rule could not check the call (${shortCause(why)}), and stops what it cannot check.
A smaller or plainer call may pass.
A person finds the cause with \`fairlead doctor\`; \`fairlead rules mode ${id} advise\` lifts it.`;
  return { kind, rule: id, priority, variant: UNABLE, text };
}

function withMode(verdict: Verdict, rule: ActiveRule, { asksPerson }: Event): Verdict[] {
  const applied = applyMode(verdict, rule.mode, asksPerson);
  return applied ? [applied] : [];
}

function traceOf(rule: ActiveRule, ran: Ran, { silenced, stopping, call }: Judged): RuleTrace {
  const { id } = rule.meta;
  const exception = silenced.get(id);
  const [only, ...more] = ran.verdicts;
  // Most rules pass, and there are many of them.
  if (only?.kind === 'pass' && more.length === 0 && !exception && only.remark !== true && !ran.shared)
    return { rule: id, tier: 3, reason: only.reason ?? 'nothing to say', mode: rule.mode, micros: ran.micros };
  const spoken = ran.verdicts.filter((verdict) => verdict.kind !== 'pass');
  const passed = ran.verdicts.find((verdict) => verdict.kind === 'pass');
  const reason = exception
    ? describeException(exception)
    : (ran.failure ??
      (spoken.length > 0 ? spoken.map(({ kind }) => kind).join(', ') : (passed?.reason ?? 'nothing to say')));
  // Filled in, not spread together, which takes longer than most rules.
  const entry: Mutable<RuleTrace> = { rule: id, tier: 3, reason, mode: rule.mode, micros: ran.micros };
  if (passed?.remark === true && spoken.length === 0) entry.remark = true;
  if (spoken.length > 0) entry.verdicts = spoken.map(traceVerdict);
  if (ran.failure !== undefined) entry.failed = true;
  if (ran.shared !== undefined) entry.shared = ran.shared;
  if (rule.policy !== undefined) entry.policy = rule.policy;
  if (rule.lowered !== undefined) entry.lowered = rule.lowered;
  if (exception !== undefined) entry.exception = exception.id;
  // The record is written after the reply, and the call gets its name there.
  if (stopping.has(id)) Object.defineProperty(entry, 'call', { enumerable: true, get: call });
  return entry;
}

function traceVerdict({ kind, variant, text, about, keeps }: Verdict): TracedVerdict {
  const traced: Mutable<TracedVerdict> = { kind };
  if (variant !== undefined) traced.variant = variant;
  if (text !== undefined) traced.text = text;
  if (about !== undefined) traced.about = about;
  if (keeps !== undefined) traced.mendable = true;
  return traced;
}

/** Puts waiting notes beside the new ones and lets through what attention allows. */
function attend(decision: Decision, event: Event, setting: Setting): Decision {
  const { draft, ownerOf } = setting;
  const id = waitingId(event.session, agentKey(event));
  const delivers = setting.carriesNotes && carriesWaiting(event.name);
  const waiting = delivers || decision.notes.length > 0 ? readWaiting(draft, id) : [];
  if (decision.notes.length === 0 && (waiting.length === 0 || !delivers)) return decision;
  if (!setting.carriesNotes) {
    keepWaiting(draft, id, [...waiting, ...decision.notes]);
    return { ...decision, notes: [] };
  }
  const told = new Set([...decision.notes, ...decision.warns].map(({ text }) => text));
  const due = delivers ? waiting.filter(({ text }) => !told.has(text)) : [];
  const forAgent = due.filter(({ to }) => to === undefined);
  const notes = [...decision.notes, ...forAgent].sort((a, b) => b.priority - a.priority);
  const fitted = fitNotes(notes, setting.attention, draft, ownerOf);
  const kept = [...(delivers ? [] : waiting), ...fitted.waits];
  if (kept.length > 0 || waiting.length > 0) keepWaiting(draft, id, kept);
  const forPerson = due.filter(({ to }) => to === 'person');
  return { ...decision, notes: fitted.said, warns: [...decision.warns, ...forPerson] };
}
