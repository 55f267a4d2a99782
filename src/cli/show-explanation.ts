import type { Explanation, ExplainedRule, ExplainedVerdict, Fate } from '../engine/trial/explain.ts';
import type { Event } from '../event/event.ts';
import { isNeutral } from '../event/verdict.ts';
import type { Decision } from '../event/verdict.ts';
import type { CopyContents } from '../event/keeping.ts';
import { counted } from '../text/counted.ts';
import { FATE_WORDS } from '../ledger/fates.ts';
import type { FateName } from '../ledger/fates.ts';
import type { LedgerDetail, LedgerRow } from '../event/ledger-row.ts';
import type { CliWorld } from './command.ts';
import type { ReadCall } from './read-call.ts';
import { readingLines } from './show-reading.ts';
import { formatBytes, formatTime, paint, printableLine, wrap } from './table.ts';
import type { Style } from './table.ts';
import { describeHeed } from './told-heeds.ts';
import type { ToldHeed } from './told-heeds.ts';

export interface Explained extends ReadCall {
  readonly row: LedgerRow & { readonly seq?: number };
  readonly detail?: LedgerDetail;
  readonly explanation?: Explanation;
  /** Nothing of it was stored: the event came on stdin. */
  readonly dry: boolean;
  /** For a copy: the decision it repeats. */
  readonly original?: string;
  /** Verdicts for which the agent has no channel on this event. */
  readonly undelivered?: readonly string[];
  readonly reply?: string;
  /** What became of it on the agent's side. */
  readonly receipt?: FateName | 'open';
  /** What the agent made of its advice. */
  readonly heeds?: readonly ToldHeed[];
  readonly failures?: readonly string[];
  readonly off?: boolean;
  readonly answeredBefore?: boolean;
}

export const OUTCOME_STYLES: Readonly<Record<string, Style>> = {
  deny: 'red',
  ask: 'yellow',
  note: 'cyan',
  warn: 'cyan',
  save: 'green',
  rewrite: 'yellow',
  allow: 'green',
  pass: 'dim',
};

const LABEL_WIDTH = 11;

type Screen = Pick<CliWorld, 'colour' | 'columns'>;

export function showExplanation(explained: Explained, world: Screen): string {
  const { row, detail, explanation, dry } = explained;
  const labelled = (label: string, text: string) => paint(world, 'dim', label.padEnd(LABEL_WIDTH)) + text;
  const lines = [
    `${paint(world, 'bold', dry ? 'Dry run' : `Decision ${row.id}`)}  ${row.event}${row.tool === '' ? '' : ` ${printableLine(row.tool)}`}`,
    labelled(
      'when',
      `${formatTime(row.at)}, session ${printableLine(row.session)}${row.seq === undefined ? '' : `, event ${row.seq}`}`,
    ),
    labelled('project', printableLine(row.root)),
    ...(detail
      ? aboutOf(detail.event as Event).map(([label, text]) =>
          labelled(label, wrap(text, world.columns, ' '.repeat(LABEL_WIDTH)).trimStart()),
        )
      : []),
  ];
  for (const warning of warningsOf(explained)) lines.push(paint(world, 'yellow', wrap(`! ${warning}`, world.columns)));
  if (!detail || !explanation) return `${lines.join('\n')}\n`;
  lines.push(...readingLines(explained, detail.event as Event, world));
  lines.push('', ...decisionLines(detail.decision as Decision, explained, world));
  lines.push('', ...ruleLines(explanation, row, world), '', ...costLines(explained, detail, world));
  return `${lines.join('\n')}\n`;
}

/** What the event was about, in a line or two. */
export function aboutOf({ tool, prompt, subagent }: Event): [string, string][] {
  const about: [string, string][] = [];
  if (subagent) about.push(['sub-agent', `${subagent.type} ${subagent.id}`]);
  if (tool?.command !== undefined) about.push(['command', shortened(tool.command)]);
  else if (tool && tool.paths.length > 0)
    about.push([
      'path',
      tool.paths.slice(0, 3).join(', ') + (tool.paths.length > 3 ? `, and ${tool.paths.length - 3} more` : ''),
    ]);
  if (prompt) about.push(['prompt', shortened(prompt.text)]);
  return about;
}

function shortened(text: string): string {
  return printableLine(text.length > 300 ? `${text.slice(0, 300)}…` : text);
}

export function warningsOf({
  row,
  detail,
  explanation,
  dry,
  original,
  undelivered,
  failures,
  off,
  answeredBefore,
}: Explained): string[] {
  const warnings: string[] = [];
  if (!detail)
    warnings.push(
      `The details of this event were not written: its engine ended right after the reply. What is known: ${row.action}${row.rules === '' ? '' : ` by ${row.rules}`}, stopped at tier ${row.tier}.`,
    );
  if (detail?.unread === true)
    warnings.push(
      'The payload was too big to read, so no rule looked at it. A guard that listens to such events makes the engine ask.',
    );
  if (off === true)
    warnings.push(
      'The engine is switched off, so today this event gets an empty answer at once. What follows is what would happen after `fairlead on`.',
    );
  if (answeredBefore === true)
    warnings.push(
      'This very event was answered a short while ago. Delivered again it would get that decision once more, without what was said beside it; here the rules looked at it afresh.',
    );
  if (row.copy)
    warnings.push(
      original === undefined
        ? 'This is a copy of an event that was answered before; it got the same decision and no rule ran again. The original is not in the ledger any more.'
        : `This is a copy of ${original}, delivered again; it got the same decision and no rule ran again. The rules below are those of ${original}.`,
    );
  if (explanation?.rulesChanged === true)
    warnings.push(
      dry
        ? 'The rules changed while this ran.'
        : 'The rules or their settings have changed since this decision. Tiers 2 and 3 are as recorded; tiers 0 and 1 are what today’s rules make of the recorded event.',
    );
  for (const verdict of undelivered ?? [])
    warnings.push(
      `The agent has no channel for "${verdict}" on ${row.event}: it was decided and not delivered. \`fairlead doctor\` lists such rules.`,
    );
  for (const failure of failures ?? []) warnings.push(`Failed on the way: ${failure}`);
  return warnings;
}

export function decisionLines(
  decision: Decision,
  { explanation, reply, dry, receipt, heeds = [] }: Explained,
  world: Screen,
): string[] {
  const { action, by, reason, notes } = decision;
  // Of a call that nobody made the person gets no line that tells of it.
  const warns = dry ? decision.warns.filter(({ variant }) => variant !== action) : decision.warns;
  const indent = ' '.repeat(LABEL_WIDTH);
  const label = (text: string) => paint(world, 'dim', text.padEnd(LABEL_WIDTH));
  const quoted = (text: string) => wrap(text, world.columns, indent);
  const lines = [
    label('decided') +
      paint(world, OUTCOME_STYLES[action], action) +
      (by.length > 0 ? `, by ${by.join(', ')}` : isNeutral(decision) ? ': no opinion, an empty reply' : ''),
  ];
  if (receipt !== undefined)
    lines.push(
      label('fate') + (receipt === 'open' ? 'not known yet: the transcript has nothing of it' : FATE_WORDS[receipt]),
    );
  for (const heed of heeds) lines.push(`${label('then')}${printableLine(`${heed.rule}: ${describeHeed(heed)}`)}`);
  if (reason !== undefined) lines.push(quoted(reason));
  if (decision.kept) lines.push(quoted(`kept as undo ${decision.kept.number}: ${describe(decision.kept)}`));
  if (decision.uncopied !== undefined) lines.push(quoted(`no copy was made: ${decision.uncopied}`));
  if (decision.keepable) lines.push(quoted(`would be kept for undo: ${describe(decision.keepable)}`));
  if (decision.input !== undefined) lines.push(quoted(`new input: ${JSON.stringify(decision.input)}`));
  for (const { rule, text } of notes) lines.push(`${label('said')}${rule}, ${text.length} characters`, quoted(text));
  for (const { rule, text } of warns) lines.push(`${label('to person')}${rule}`, quoted(text));
  for (const { rule, text, fate } of explanation?.unsaid ?? [])
    lines.push(`${label(FATE_LABELS[fate.kind])}${rule}: ${describeFate(fate)}`, quoted(text));
  if (reply !== undefined && reply !== '') lines.push(`${label('reply')}${reply.length} characters`, quoted(reply));
  return lines;
}

function describe({ names, files, bytes }: CopyContents): string {
  const what = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return `${counted(files, 'file')}${what}, ${formatBytes(bytes)}`;
}

export const FATE_LABELS: Readonly<Record<Fate['kind'], string>> = {
  waits: 'waits',
  dropped: 'dropped',
  'said-later': 'said later',
  'same-text': 'said once',
};

export function describeFate(fate: Fate): string {
  if (fate.kind === 'waits') return 'kept for the session’s next event that carries advice';
  if (fate.kind === 'said-later') return `went with decision ${fate.decision}`;
  if (fate.kind === 'same-text') return `${fate.rule} says the same`;
  return 'not said: the session’s characters are used up, or the session ended before there was room';
}

function ruleLines({ rules, notListening }: Explanation, row: LedgerRow, world: Screen): string[] {
  const heading = rules.length === 0 ? `No active rule listens to ${row.event}.` : `Rules that listen to ${row.event}:`;
  const width = rules.reduce((most, { rule }) => Math.max(most, rule.length), 0);
  return [
    paint(world, 'bold', heading),
    ...rules.flatMap((rule) => [
      ruleLine(rule, width, world),
      ...policyLine(rule, world),
      ...(rule.shared === undefined ? [] : [paint(world, 'dim', `      ${printableLine(rule.shared)}`)]),
      ...rule.verdicts.flatMap((verdict) => verdictLines(verdict, rule, world)),
    ]),
    notListening === 0
      ? 'No other rule is active.'
      : `${notListening} other active rule${notListening === 1 ? ' listens' : 's listen'} to other events.`,
  ];
}

export const TIERS = ['reject', 'filter', 'context', 'act'] as const;

function policyLine({ policy, lowered }: ExplainedRule, world: Screen): string[] {
  if (policy === undefined) return [];
  const less = lowered === undefined ? '' : `, which wants ${lowered}; this machine has it act less hard`;
  return [paint(world, 'dim', `      by the policy ${policy}${less}`)];
}

export function ruleLine({ tier, rule, reason, failed, micros }: ExplainedRule, width: number, world: Screen): string {
  const what = failed === true ? `failed: ${reason}` : reason;
  const time = micros === undefined ? '' : paint(world, 'dim', `  ${Math.round(micros)} µs`);
  const style = failed === true ? 'red' : tier === 3 ? undefined : 'dim';
  return `  ${paint(world, style, `tier ${tier} ${TIERS[tier].padEnd(7)}`)}  ${rule.padEnd(width)}  ${printableLine(what)}${time}`;
}

export function verdictLines(verdict: ExplainedVerdict, rule: ExplainedRule, world: Screen): string[] {
  const { kind, variant, text } = verdict;
  const change = changeOf(verdict, rule);
  const words = change === '' ? '' : `; ${change}`;
  return [
    `      ${paint(world, OUTCOME_STYLES[kind], kind)}${variant === undefined ? '' : ` (${variant})`}${words}`,
    ...(text === undefined ? [] : [wrap(text, world.columns, '        ')]),
    ...factsOf(verdict).map(([name, fact]) => `        ${paint(world, 'dim', `${name}:`)} ${printableLine(fact)}`),
  ];
}

/** What became of a verdict where that is not what the rule said. */
export function changeOf(
  { kind, became, unasked }: ExplainedVerdict,
  { mode, exception }: Pick<ExplainedRule, 'mode' | 'exception'>,
): string {
  if (unasked && became !== 'pass')
    return `${kind === 'ask' ? 'an ask' : `mode ${mode} makes it an ask`}, and nobody can be asked here, so it is denied`;
  if (became === kind) return '';
  if (became === 'pass') return `silenced by exception ${exception}`;
  return became === undefined ? `mode ${mode} only records it` : `mode ${mode} makes it ${became}`;
}

/** What the rule knew, by name. */
export function factsOf({ about = {} }: ExplainedVerdict): readonly (readonly [string, string])[] {
  return Object.entries(about)
    .filter(([, fact]) => fact.toString() !== '')
    .map(([name, fact]) => [name, printed(fact)]);
}

function printed(fact: string | number | readonly string[]): string {
  return typeof fact === 'object' ? fact.join(', ') : `${fact}`;
}

function costLines({ dry, row }: Explained, { times, attempts, decision }: LedgerDetail, world: Screen): string[] {
  const stages = Object.entries(times).map(([stage, micros]) => `${stage} ${Math.round(micros as number)}`);
  const label = (text: string) => paint(world, 'dim', text.padEnd(LABEL_WIDTH));
  const commits =
    attempts === 1 ? '1 attempt' : `${attempts} attempts; another process changed what the rules had read`;
  const needed = row.changed || !isNeutral(decision as Decision);
  return [
    `${label('time')}${Math.round(row.micros)} µs: ${stages.join(' · ')}`,
    `${label('cost')}${row.chars} characters of context, ${row.replyBytes} in the reply`,
    `${label('commit')}${dry ? 'none: this was a dry run' : needed ? commits : 'none needed: no state changed'}`,
  ];
}
