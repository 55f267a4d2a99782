import { sha256 } from '../../platform/hash.ts';
import type { Difference, Example, Tally } from '../../replay/tally.ts';
import type { ReplayedCall, ReplayReport } from '../page/shapes.ts';
import { printable } from '../table.ts';
import type { Report } from './report.ts';
import { describeLeftOut, headline, sidelines } from './screen.ts';

/** How each of these pages begins, so that no other file is taken for one. */
export const PAGE_BEGINS = '<!doctype html><!-- fairlead replay -->';

/** What the page is made of, beside what it shows. */
export interface ReportParts {
  readonly script: string;
  readonly style: string;
}

/** One file that stands alone: the components of `fairlead page`, the data, and nothing from elsewhere. No other script can run in it. */
export function pageOf(report: Report, { script, style }: ReportParts): string {
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
