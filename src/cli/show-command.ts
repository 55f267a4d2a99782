import type { ExplainedRule } from '../engine/trial/explain.ts';
import type { Event } from '../event/event.ts';
import type { Decision } from '../event/verdict.ts';
import type { CliWorld } from './command.ts';
import { decisionLines, ruleLine, TIERS, verdictLines, warningsOf } from './show-explanation.ts';
import type { Explained } from './show-explanation.ts';
import { readingLines } from './show-reading.ts';
import { counted, cut, paint, printableLine, wrap } from './table.ts';

/** Of a long command its beginning is shown; `--json` has all of it. */
const SHOWN_CHARACTERS = 2_000;

type Screen = Pick<CliWorld, 'colour' | 'columns'>;

/** A command that somebody asks about: how it is read, what it would do, who has something to say, and what comes of it. */
export function showCommand(explained: Explained, world: Screen): string {
  const { row, detail, explanation } = explained;
  const event = detail?.event as Event;
  const decision = detail?.decision as Decision;
  const lines = [
    `${paint(world, 'bold', 'Command')}  ${cut(printableLine(event.tool?.command ?? ''), SHOWN_CHARACTERS)}`,
    paint(world, 'dim', `in ${printableLine(event.cwd)}, project ${printableLine(row.root)}`),
    ...warningsOf(explained).map((warning) => paint(world, 'yellow', wrap(`! ${warning}`, world.columns))),
    ...readingLines(explained, event, world),
    '',
    ...ruleLines(explanation?.rules ?? [], decision, world),
    '',
    ...decisionLines(decision, { ...explained, reply: '' }, world),
  ];
  return `${lines.join('\n')}\n`;
}

/** What is said once below, with the decision, is not said here too. */
function ruleLines(rules: readonly ExplainedRule[], decision: Decision, world: Screen): string[] {
  const speaking = rules.filter(({ verdicts, failed }) => verdicts.length > 0 || failed === true);
  const silent = rules.filter((rule) => !speaking.includes(rule));
  const width = speaking.reduce((most, { rule }) => Math.max(most, rule.length), 0);
  const said = [decision.reason ?? '', ...[...decision.notes, ...decision.warns].map(({ text }) => text)];
  const tiers = TIERS.map((name, tier) => ({ name, count: silent.filter((rule) => rule.tier === tier).length }));
  const stops = tiers.flatMap(({ name, count }, tier) => (count === 0 ? [] : [`${count} at tier ${tier} (${name})`]));
  return [
    paint(world, 'bold', speaking.length === 0 ? 'No rule has a verdict.' : 'Rules with a verdict:'),
    ...speaking.flatMap((rule) => [
      ruleLine(rule, width, world),
      ...rule.verdicts.flatMap((verdict) => {
        const [head = '', ...text] = verdictLines(verdict, rule, world);
        return said.some((each) => each.includes(verdict.text ?? '')) ? [head] : [head, ...text];
      }),
    ]),
    ...(silent.length > 0
      ? [`${counted(silent.length, speaking.length === 0 ? 'rule' : 'other rule')} stopped: ${stops.join(', ')}.`]
      : []),
  ];
}
