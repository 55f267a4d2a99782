import { BUILT_IN } from '../../packs/index.generated.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { nodeFiles } from '../../platform/files.ts';
import { readReportParts } from '../../platform/page-files.ts';
import { basename, dirname, join, resolve } from '../../platform/paths.ts';
import { openReplayEngine } from '../../replay/replay-engine.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { databaseOf, sinceOf } from '../database.ts';
import { hint } from '../hint.ts';
import { findTranscripts, hasTranscripts } from '../replay/find-transcripts.ts';
import type { Found } from '../replay/find-transcripts.ts';
import { makeReport } from '../replay/make-report.ts';
import { dataOf } from '../replay/report.ts';
import type { Report } from '../replay/report.ts';
import { showReport, describeLeftOut, headline, sidelines } from '../replay/screen.ts';
import { sha256 } from '../../platform/hash.ts';
import type { Difference, Example, Tally } from '../../replay/tally.ts';
import type { ReplayedCall, ReplayReport } from '../page/shapes.ts';
import { printable } from '../table.ts';

/** How each of these pages begins, so that no other file is taken for one. */
const PAGE_BEGINS = '<!doctype html><!-- fairlead replay -->';

/** What the page is made of, beside what it shows. */
interface ReportParts {
  readonly script: string;
  readonly style: string;
}

/** One file that stands alone: the components of `fairlead page`, the data, and nothing from elsewhere. No other script can run in it. */
function pageOf(report: Report, { script, style }: ReportParts): string {
  const data = reportOf(report);
  // No text of a transcript ends the element that holds it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const policy = `default-src 'none'; script-src '${hashForPolicy(script)}'; style-src '${hashForPolicy(style)}'; base-uri 'none'; form-action 'none'`;
  return `${PAGE_BEGINS}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Fairlead replay</title><style>${style}</style></head><body class="report">
<noscript><p>${escaped(data.headline)}</p><p>The rest needs JavaScript; fairlead replay prints it too.</p></noscript>
<div id="page"></div><script type="application/json" id="report">${json}</script>
<script type="module">${script}</script></body></html>
`;
}

/** As a policy names what may run or apply. */
function hashForPolicy(text: string): string {
  return `sha256-${Buffer.from(sha256(text), 'hex').toString('base64')}`;
}

/** Also within an attribute; what would turn the text around is shown as what it is. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"'`=]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function reportOf({ tally, difference, rule, leftOut }: Report): ReplayReport {
  return {
    headline: headline(tally),
    sidelines: printable(`${sidelines(tally)} ${describeLeftOut(leftOut)}`.trim()),
    stops: difference ? [] : tally.stops.map(callOf),
    ...(difference && { difference: differenceOf(difference) }),
    rules: rulesOf(tally, rule),
    missing: [...tally.missing]
      .sort(([, a], [, b]) => b - a)
      .map(([what, count]) => ({ what: printable(what), count })),
    unknowns: tally.unknowns.map(callOf),
  };
}

function callOf({ at, action, tool, subject, rules, reason, possible, missing = [] }: Example): ReplayedCall {
  const words = possible
    ? `${possible.join(' or ')} by ${rules.join(', ') || 'no rule'}; not known: ${missing.join('; ')}`
    : reason;
  return {
    ...{ at, action, rules, reason: printable(words) },
    what: printable([tool, subject].filter(Boolean).join(' ')),
  };
}

function rulesOf({ rules }: Tally, only: string | undefined): ReplayReport['rules'] {
  return [...rules]
    .filter(([id]) => only === undefined || id === only)
    .sort(([, a], [, b]) => b.fires - a.fires)
    .map(([id, { fires, blocks, asks, saves, notes, characters, unknown }]) => ({
      rule: printable(id),
      counts: [fires, blocks, asks, saves, notes, characters, unknown],
    }));
}

function differenceOf({ events, kinds }: Difference): NonNullable<ReplayReport['difference']> {
  return {
    events,
    kinds: [...kinds].map(([kind, { count, examples }]) => ({
      ...{ kind: printable(kind), count },
      calls: examples.flatMap(({ one, other }) => [callOf(one), callOf(other)]),
    })),
  };
}

const USUAL_SPAN = '30d';

export const replay: Command = {
  summary: 'what the rules would have said to your sessions so far',
  usage: '[path…]',
  details:
    'Reads the transcripts that your agent keeps, or those at the paths, or where there is none the ledger, and puts\nevery event through the rules again: with prompts, turns, throttles and sub-agents, at the time it was recorded. Nothing needs to be installed, nothing is run, and\nnothing is written but the report. Project and person settings are those of today. What no transcript tells, as what a\nfile held or what git knew, is not guessed: such a decision is counted as unknown, with what was missing.\nExit codes: 0 when the report is complete, 1 when there is nothing to replay, 2 for a wrong call.',
  args: [0, Infinity],
  options: {
    ...JSON_OPTION,
    since: {
      type: 'string',
      value: 'SPAN',
      help: `events of the last 4h, 2d, …; ${USUAL_SPAN} unless paths are given`,
    },
    rule: { type: 'string', value: 'RULE', help: 'only what this rule says' },
    config: { type: 'string', value: 'DIR', help: 'settings directory to try instead of your own' },
    against: { type: 'string', value: 'DIR', help: 'a second one: shows where the two decide otherwise' },
    ledger: { type: 'boolean', help: 'what Fairlead itself has recorded, instead of transcripts' },
    html: { type: 'string', value: 'FILE', help: 'writes the report as a page that stands alone' },
  },
  check(input, world) {
    sinceIn(input);
    checkRule(input.text('rule'));
    checkPage(input.text('html'), world);
    for (const name of ['config', 'against']) configDir(input.text(name), name, world);
    if (input.has('ledger') && input.args.length > 0)
      throw new UsageError('--ledger replays what Fairlead has recorded, not paths: choose one');
    if (input.has('json') && input.text('html') !== undefined)
      throw new UsageError('--json and --html are two reports: choose one');
  },
  async run(input, world) {
    const ledger = ledgerFor(input, world);
    const found = ledger ? [] : findTranscripts(input.args, world, nodeFiles);
    const report = await replayOf(found, ledger, input, world);
    const page = input.text('html');
    if (page !== undefined) {
      nodeFiles.writeAtomic(resolve(world.cwd, page), pageOf(report, readReportParts()), 0o600);
      world.out(`${page}\n`);
    } else if (input.has('json')) printJson(world, dataOf(report));
    else showReport(world, report);
  },
};

function sinceIn(input: Input): number {
  const given = input.text('since') ?? (input.args.length === 0 ? USUAL_SPAN : undefined);
  return given === undefined ? 0 : sinceOf(given, systemClock.now());
}

/** Of the rules of people and projects nobody knows all before they are read. */
function checkRule(given: string | undefined): void {
  const ids = BUILT_IN.map(({ meta }) => meta.id);
  if (given === undefined || ids.includes(given) || /^(?:user|project)\/|^fairlead$/.test(given)) return;
  throw new UsageError(`no rule "${given}"${hint(given, ids) || '; `fairlead rules list --all` names them all'}`);
}

/** Before the work is done. Whatever else lies there stays: an agent may use this verb too. */
function checkPage(given: string | undefined, { cwd }: CliWorld): void {
  if (given === undefined) return;
  const path = resolve(cwd, given);
  if (nodeFiles.stat(dirname(path))?.kind !== 'dir')
    throw new UsageError(`--html wants a file, and there is no directory ${dirname(path)} for "${given}"`);
  const kind = nodeFiles.stat(path)?.kind ?? nodeFiles.lstat(path)?.kind;
  const isFree = kind === undefined || (kind === 'file' && beginsAs(path, PAGE_BEGINS));
  if (!isFree)
    throw new UsageError(`--html writes over nothing but an earlier report, and "${given}" is none: name another file`);
}

function beginsAs(path: string, text: string): boolean {
  return new TextDecoder().decode(nodeFiles.readRange(path, 0, text.length) ?? new Uint8Array()) === text;
}

/** A directory of settings, also by the name of the file in it. */
function configDir(given: string | undefined, option: string, { cwd, paths }: CliWorld): string {
  if (given === undefined) return paths.config;
  const path = resolve(cwd, given);
  const kind = nodeFiles.stat(path)?.kind;
  if (kind === 'dir') return path;
  if (kind === 'file' && basename(path) === 'config.yaml') return dirname(path);
  throw new UsageError(`--${option} wants a directory with a config.yaml or rules in it, not "${given}"`);
}

/** The ledger where it is asked for, or where it is all that is left of your sessions. */
function ledgerFor(input: Input, world: CliWorld): Database | undefined {
  const isAsked = input.has('ledger');
  if (!isAsked && (input.args.length > 0 || hasTranscripts(world, nodeFiles))) return undefined;
  if (nodeFiles.exists(join(world.paths.state, 'state.db'))) return databaseOf(world);
  if (!isAsked) return undefined;
  throw new CommandError(`no ledger in ${world.paths.state}: Fairlead has heard of no event yet`);
}

function replayOf(
  found: readonly Found[],
  ledger: Database | undefined,
  input: Input,
  world: CliWorld,
): Promise<Report> {
  const open = (option: string) =>
    openReplayEngine({
      paths: { ...world.paths, config: configDir(input.text(option), option, world) },
      userHome: world.userHome,
      files: nodeFiles,
    });
  const engines = [open('config'), ...(input.text('against') !== undefined ? [open('against')] : [])];
  const counted = { since: sinceIn(input), rule: input.text('rule'), ledger };
  return makeReport(found, engines, counted, world, !input.has('json'));
}

export default { order: 145, verbs: { replay } } satisfies VerbFile;
