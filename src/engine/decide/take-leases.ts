import type { Event } from '../../event/event.ts';
import type { LeaseLink, RuleLease, Taken } from '../../event/lease.ts';
import type { Verdict } from '../../event/verdict.ts';
import { durationMs } from '../../text/duration.ts';
import { briefly } from '../../text/brief-span.ts';
import { flat } from '../../text/quoted.ts';
import { applyMode } from '../limits/mode.ts';
import type { Standing } from '../limits/guards.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import { holderOf, keepTaken, ownLeases, ownLeasesId, takeHere } from '../session/leases.ts';
import type { Sharing } from '../session/scope.ts';
import { isPromise, startTimer } from './run.ts';
import type { Ran } from './run.ts';

/** Where leases are taken for the rules of an event; absent in a trial, where others hold them all. */
export interface LeaseDesk {
  readonly sharing: Sharing | undefined;
  /** To the server of the team. */
  readonly link: LeaseLink | undefined;
}

interface Answer {
  readonly rule: ActiveRule;
  readonly ran: Ran;
}

/** How long a call waits for the server, if its rule does not say. */
const WITHIN = '150ms';

/**
 * For each rule that would stop the call and has a lease: takes it, and lets the call pass. Nothing is taken for a call
 * that another rule stops. Undefined where no rule needs one.
 */
export function takeLeases<A extends Answer>(
  every: readonly A[],
  event: Event,
  desk: LeaseDesk | undefined,
  standingOf: (rule: ActiveRule) => Standing,
): readonly A[] | Promise<readonly A[]> | undefined {
  if (!desk || event.name !== 'tool.before' || !event.hasSession) return undefined;
  const needing = every.filter(({ rule, ran }) => rule.meta.lease && rule.mode !== 'shadow' && stops(rule, ran, event));
  if (needing.length === 0) return undefined;
  if (every.some((one) => !needing.includes(one) && denies(one, event))) return undefined;
  const taken = every.map((one): A | Promise<A> => {
    const { lease } = one.rule.meta;
    if (!lease || !needing.includes(one)) return one;
    const told = take(lease, one.ran, event, desk);
    const done = (answer: Taken | string): A => ({
      ...one,
      ran: heard(lease, answer, one, { event, desk, standing: standingOf(one.rule) }),
    });
    return isPromise(told) ? told.then(done) : done(told);
  });
  return taken.some(isPromise) ? Promise.all(taken.map((one) => Promise.resolve(one))) : (taken as readonly A[]);
}

function stops(rule: ActiveRule, { verdicts }: Ran, { asksPerson }: Event): boolean {
  return verdicts.some((verdict) => {
    const kind = applyMode(verdict, rule.mode, asksPerson)?.kind;
    return kind === 'deny' || kind === 'ask' || (kind === 'note' && verdict.kind !== 'note');
  });
}

function denies({ rule, ran }: Answer, { asksPerson }: Event): boolean {
  return ran.verdicts.some((verdict) => applyMode(verdict, rule.mode, asksPerson)?.kind === 'deny');
}

/** Or why nobody knows whether it is free. */
function take(
  lease: RuleLease,
  { branch }: Ran,
  { session }: Event,
  { sharing, link }: LeaseDesk,
): Taken | string | Promise<Taken | string> {
  const holder = holderOf(session, sharing);
  const ttlMs = durationMs(lease.for);
  if (!sharing) return takeHere(branch, lease.name, holder, ttlMs);
  const isHeld = ownLeases(branch.read(ownLeasesId(session))).some(({ name }) => name === lease.name);
  const asked = link?.take(lease.name, holder, ttlMs);
  if (!asked) return 'no link to the server';
  const within = lease.within ?? WITHIN;
  return new Promise((resolve) => {
    let isLate = false;
    const stop = startTimer(durationMs(within), () => {
      isLate = true;
      resolve(`no answer within ${within}`);
    });
    const told = (answer: Taken | string) => {
      stop();
      // Nobody runs under it, so nobody else is to wait for it.
      if (isLate && typeof answer !== 'string' && answer.taken && !isHeld) link?.release(lease.name, holder);
      resolve(answer);
    };
    asked.then(told, () => told('the server is away'));
  });
}

interface Around {
  readonly event: Event;
  readonly desk: LeaseDesk;
  readonly standing: Standing;
}

function heard(lease: RuleLease, answer: Taken | string, { rule, ran }: Answer, around: Around): Ran {
  const { event, desk, standing } = around;
  if (typeof answer === 'string') return unanswered(lease, answer, rule, ran);
  if (!answer.taken) return withHolder(lease, answer, ran);
  const { fence, until } = answer;
  const holder = holderOf(event.session, desk.sharing);
  const isKnown = keepTaken(ran.branch, event, standing.ownerOf, { name: lease.name, holder, fence, until });
  const shared = `lease ${lease.name} ${isKnown ? 'renewed' : 'taken'}, number ${fence}`;
  const { id, priority = 50 } = rule.meta;
  const pass: Verdict = { kind: 'pass', rule: id, priority, reason: shared };
  const text = `This session holds the lease ${lease.name}, number ${fence}, until the call has ended, and for ${briefly(until - ran.branch.now)} at most.
\`fairlead lease number ${lease.name}\` prints the number, for a script whose target refuses lower ones.`;
  const note: Verdict = { kind: 'note', rule: id, priority, variant: 'lease', text };
  return { ...ran, verdicts: isKnown ? [pass] : [note], shared };
}

function withHolder(lease: RuleLease, { holder, until }: Taken & { taken: false }, ran: Ran): Ran {
  const left = briefly(until - ran.branch.now);
  const who = whoIs(holder);
  const line = `${who} holds the lease ${lease.name} for ${left} more, until ${new Date(until).toISOString()}, or until its call has ended.`;
  const shared = `lease ${lease.name} is held by ${who} for ${left} more`;
  return { ...ran, verdicts: ran.verdicts.map((verdict) => withLine(verdict, line)), shared };
}

function withLine(verdict: Verdict, line: string): Verdict {
  if (verdict.text === undefined || verdict.kind === 'pass') return verdict;
  const { person } = verdict;
  return {
    ...verdict,
    text: `${verdict.text}\n${line}`,
    ...(person !== undefined && { person: `${person}\n${line}` }),
  };
}

const SHORT_ID = 8;

/** `alice@laptop, session 3f2a91bc`; what another machine calls itself is not taken at its word. */
export function whoIs(holder: string): string {
  const at = holder.lastIndexOf(' ');
  const session = `session ${flat(holder.slice(at + 1)).slice(0, SHORT_ID)}`;
  return at < 0 ? session : `${flat(holder.slice(0, at)).slice(0, 80)}, ${session}`;
}

function unanswered(lease: RuleLease, why: string, rule: ActiveRule, ran: Ran): Ran {
  const { else: answer = 'ask' } = lease;
  const { id, priority = 50 } = rule.meta;
  const shared = `lease ${lease.name}: ${why}, ${TOLD[answer]}`;
  if (answer === 'go on') return { ...ran, verdicts: [{ kind: 'pass', rule: id, priority, reason: shared }], shared };
  const text = `Nobody knows whether another session holds the lease ${lease.name}: ${why}.
Try again in a moment; the server of the team's state may be back then.
A person decides whether to go on without it; \`fairlead doctor\` tells of the server.`;
  return { ...ran, verdicts: [{ kind: answer, rule: id, priority, variant: 'lease-unknown', text }], shared };
}

/** What a rule did where it could not know. */
export const TOLD = { 'go on': 'went on', ask: 'asked', deny: 'denied' } as const;
