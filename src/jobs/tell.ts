import type { Job, JobResult, Saying } from './job.ts';
import { jobKey } from '../state/due-work.ts';
import type { Dirty } from '../state/due-work.ts';
import type { JobName } from './queue.ts';
import { keepWaiting, readWaiting, waitingId } from '../engine/advice/attention.ts';
import type { Policy } from '../engine/engine.ts';
import { textOf } from '../engine/advice/messages.ts';
import type { ActiveRule } from '../engine/match/rule-index.ts';
import { MAIN_AGENT } from '../engine/session/scope.ts';
import { stamp } from '../text/stamp.ts';
import { cellId } from '../state/cells.ts';
import type { Draft } from '../state/draft.ts';
import { tagged } from '../event/verdict.ts';
import type { Note } from '../event/verdict.ts';

type Told = Dirty['told'][number];

/** The rule that a job speaks for, as it is in force where the job ran. */
export interface Speaker {
  readonly rule: ActiveRule;
  readonly policy: Policy;
}

/** The rule of a job where it is in force and may act; one that only watches has no jobs. */
export function speakerOf(job: Job, policy: Policy): Speaker | undefined {
  const rule = policy.index.rules.find(({ meta }) => meta.id === job.rule);
  return rule && rule.mode !== 'shadow' ? { rule, policy } : undefined;
}

/** Keeps what a job says for the next events of those whose edits marked it; warnings go to the person at the session. */
export function tellOf(result: JobResult, name: JobName, told: readonly Told[], speaker: Speaker, draft: Draft): void {
  for (const saying of result.notes ?? []) say(saying, name, told, speaker, draft);
  for (const saying of result.warns ?? []) say(saying, name, persons(told), speaker, draft, 'person');
}

export function warnOf(text: string, variant: string, told: readonly Told[], { rule }: Speaker, draft: Draft): void {
  const note: Note = { rule: rule.meta.id, variant, text: tagged(rule.meta.id, text), priority: 100, to: 'person' };
  for (const who of persons(told)) keep(note, who, draft);
}

/** Each session hears of a matter once, however it is worded. */
export function warnOnce(
  { text, variant, matter }: { readonly text: string; readonly variant: string; readonly matter: string },
  name: JobName,
  told: readonly Told[],
  speaker: Speaker,
  draft: Draft,
): void {
  const { pack } = speaker.rule.meta;
  const news = persons(told).filter((who) => isNews(pack, name, variant, matter, who, draft));
  warnOf(text, variant, news, speaker, draft);
}

function say(
  { variant, values = {}, topic }: Saying,
  name: JobName,
  told: readonly Told[],
  { rule: { meta }, policy }: Speaker,
  draft: Draft,
  to?: 'person',
): void {
  const { id, messages, priority = 50, pack } = meta;
  const text = textOf({ rule: id, messages, overrides: policy.overrides }, variant, values);
  if (text === undefined || text === '') return;
  const note: Note = { rule: id, variant, text: tagged(id, text), priority, ...(to && { to }) };
  for (const who of told.toReversed()) {
    if (topic === undefined || isNews(pack, name, topic, text, who, draft)) keep(note, who, draft);
  }
}

function isNews(pack: string, name: JobName, topic: string, text: string, { session }: Told, draft: Draft): boolean {
  const id = cellId('session', session, `${pack}.said`, `${jobKey(name.subject, name.kind)} ${topic}`);
  const said = JSON.stringify(stamp([text]));
  if (draft.read(id) === said) return false;
  draft.set(id, said, 0);
  return true;
}

function keep(note: Note, { session, agent }: Told, draft: Draft): void {
  const id = waitingId(session, agent);
  keepWaiting(draft, id, [...readWaiting(draft, id), note]);
}

/** One per session: a sub-agent may have ended, its session's main agent is still there. */
function persons(told: readonly Told[]): Told[] {
  return [...new Set(told.map(({ session }) => session))].map((session) => ({ session, agent: MAIN_AGENT }));
}
