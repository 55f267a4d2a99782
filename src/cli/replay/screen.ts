import type { LeftOut } from '../../replay/replay.ts';
import type { Difference, Example, Tally } from '../../replay/tally.ts';
import type { CliWorld } from '../command.ts';
import { counted, cut, formatCount, formatTime, paint, printableLine, printTable, wrap } from '../table.ts';
import type { Column, Style } from '../table.ts';
import type { Report } from './report.ts';

const STYLES: Readonly<Record<string, Style>> = { deny: 'red', ask: 'yellow', unknown: 'dim' };
const SHOWN_STOPS = 20;
const SHOWN_UNKNOWN = 5;
const DAY_MS = 86_400_000;

/** The one line that says it all. */
export function headline(tally: Tally): string {
  const { calls, stopped, asked, saved, perhapsSaved, searchesAnswered, advised } = tally;
  const days = Math.max(1, Math.ceil((tally.to - tally.from) / DAY_MS));
  const copies = saved + perhapsSaved;
  const parts = [
    `${stopped.toLocaleString('en')} would have been stopped`,
    `${asked.toLocaleString('en')} asked about`,
    `${perhapsSaved > 0 ? 'up to ' : ''}${copies.toLocaleString('en')} kept for undo`,
    ...(searchesAnswered > 0 ? [`${many(searchesAnswered, 'search')} answered`] : []),
    ...(advised > 0 ? [`${advised.toLocaleString('en')} answered with advice`] : []),
  ];
  return `${many(calls, 'call')} of your agent in ${counted(days, 'day')}: ${parts.join(', ')}.`;
}

function many(count: number, noun: string): string {
  return counted(count, noun).replace(/^\d+/, count.toLocaleString('en'));
}

export function showReport(world: CliWorld, { tally, difference, leftOut, failures, rule }: Report): void {
  if (tally.events === 0) world.out('There is no event of this time to replay.\n');
  else world.out(`${paint(world, 'bold', headline(tally))}\n`);
  world.out(`${paint(world, 'dim', sidelines(tally))}\n`);
  if (difference) showDifference(world, difference);
  else showStops(world, tally);
  showRules(world, tally, rule);
  showUnknown(world, tally);
  const lacks = describeLeftOut(leftOut);
  if (lacks !== '') world.out(`\n${printableLine(lacks)}\n`);
  if (failures.length > 0) world.out(`\nWhat failed meanwhile: ${failures.map(printableLine).join('; ')}\n`);
}

/** Empty when all was read. */
export function describeLeftOut({ longLines, brokenLines, unread }: LeftOut): string {
  const [first, ...others] = unread;
  const parts = [
    longLines > 0 ? `${many(longLines, 'line')} too long to read` : '',
    brokenLines > 0 ? many(brokenLines, 'broken line') : '',
    first === undefined
      ? ''
      : `${first}${others.length > 0 ? ` and ${many(others.length, 'transcript')} more` : ''}, which cannot be read`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Left out: ${parts.join('; ')}.`;
}

export function sidelines({ events, sessions, commands, characters, unknown }: Tally): string {
  const share = events === 0 ? 0 : (100 * unknown) / events;
  return (
    `${many(sessions.size, 'session')}, ${many(events, 'event')}, ${many(commands, 'shell command')}; ` +
    `${many(characters, 'character')} for the agent to read; ${many(unknown, 'decision')} unknown (${share.toFixed(1)} %).`
  );
}

function showStops(world: CliWorld, { stops, stopped, asked }: Tally): void {
  if (stops.length === 0) return;
  world.out('\n');
  for (const stop of stops.slice(0, SHOWN_STOPS)) showExample(world, stop);
  const more = stopped + asked - Math.min(stops.length, SHOWN_STOPS);
  if (more > 0)
    world.out(`${paint(world, 'dim', `and ${more.toLocaleString('en')} more; --json and --html have up to 200`)}\n`);
}

function showExample(world: CliWorld, { at, action, tool, subject, rules, reason, possible, missing }: Example): void {
  const width = Math.min(world.columns, 110);
  const about = printableLine([tool, subject].filter(Boolean).join(' '));
  world.out(
    `${paint(world, 'dim', formatTime(at))} ${paint(world, STYLES[action], action)} ${cut(about, Math.max(30, width - 30))}\n`,
  );
  if (reason !== '') world.out(`${wrap(reason, width, '    ')}\n`);
  if (possible && missing)
    world.out(
      `${wrap(`${possible.join(' or ')} by ${rules.join(', ') || 'no rule'}; not known: ${missing.slice(0, 3).join('; ')}`, width, '    ')}\n`,
    );
}

const RULE_COLUMNS: readonly Column[] = [
  { title: 'rule' },
  ...['fires', 'blocks', 'asks', 'saves', 'notes', 'characters', 'unknown'].map((title) => ({
    title,
    align: 'right' as const,
  })),
];

function showRules(world: CliWorld, { rules }: Tally, only: string | undefined): void {
  const rows = [...rules]
    .filter(([id]) => only === undefined || id === only)
    .sort(([, a], [, b]) => b.fires - a.fires)
    .map(([id, { fires, blocks, asks, saves, notes, characters, unknown }]) => [
      id,
      ...[fires, blocks, asks, saves, notes, characters, unknown].map(formatCount),
    ]);
  if (rows.length > 0) {
    world.out('\n');
    printTable(world, RULE_COLUMNS, rows);
  } else if (only !== undefined) world.out(`\n${only} had nothing to say.\n`);
}

function showUnknown(world: CliWorld, { unknown, missing, unknowns }: Tally): void {
  if (unknown === 0) return;
  const parts = [...missing]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `${what} (${count.toLocaleString('en')})`);
  world.out(`\nUnknown, because no transcript tells: ${parts.join(', ')}.\n`);
  for (const each of unknowns.filter(({ possible = [] }) => possible.join() !== 'pass').slice(0, SHOWN_UNKNOWN))
    showExample(world, each);
}

function showDifference(world: CliWorld, { events, kinds }: Difference): void {
  world.out(`\n${paint(world, 'bold', `${counted(events, 'event')} decided otherwise by the other settings`)}\n`);
  for (const [kind, { count, examples }] of [...kinds].sort(([, a], [, b]) => b.count - a.count)) {
    world.out(`${count.toLocaleString('en')} × ${kind}\n`);
    for (const { one, other } of examples.slice(0, 2)) {
      const about = printableLine([one.tool, one.subject].filter(Boolean).join(' '));
      world.out(`    ${paint(world, 'dim', formatTime(one.at))} ${cut(about, 76)}\n`);
      const words = other.reason || one.reason;
      if (words !== '') world.out(`${wrap(words.split('\n', 1)[0] ?? '', Math.min(world.columns, 110), '      ')}\n`);
    }
  }
}
