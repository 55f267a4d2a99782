import type { Difference, Example, Tally } from '../../replay/tally.ts';
import { formatTime, printable } from '../table.ts';
import type { Report } from './report.ts';
import { describeLeftOut, headline, sidelines } from './screen.ts';

const STYLE = `
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.3rem;line-height:1.35}h2{font-size:1.05rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;text-align:right;border-bottom:1px solid #8884}
td:first-child,th:first-child{text-align:left}
article{border-left:3px solid #8886;padding:.1rem .8rem;margin:.8rem 0}article.deny{border-color:#c33}article.ask{border-color:#c90}
code,pre{font:13px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}pre{margin:.3rem 0}
small{opacity:.75}`;

/** How each of these pages begins, so that no other file is taken for one. */
export const PAGE_BEGINS = '<!doctype html><!-- fairlead replay -->';

/** A page that stands alone: no script, nothing from elsewhere, and every text of a transcript is text. */
export function pageOf({ tally, difference, rule, leftOut }: Report): string {
  return `${PAGE_BEGINS}
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Fairlead replay</title><style>${STYLE}</style></head><body>
<h1>${escaped(headline(tally))}</h1>
<p><small>${escaped(sidelines(tally))} ${escaped(describeLeftOut(leftOut))}</small></p>
${difference ? differenceIn(difference) : section('Stopped or asked about', tally.stops.map(articleOf).join('\n'))}
${rulesIn(tally, rule)}
${section('Unknown', unknownIn(tally))}
</body></html>
`;
}

/** Also within an attribute; what would turn the text around is shown as what it is. */
export function escaped(text: string): string {
  return printable(text).replace(/[&<>"'`=]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function section(title: string, body: string): string {
  return body === '' ? '' : `<h2>${escaped(title)}</h2>\n${body}`;
}

function articleOf({ at, action, tool, subject, rules, reason, possible, missing = [] }: Example): string {
  const words = possible
    ? `${possible.join(' or ')} by ${rules.join(', ') || 'no rule'}; not known: ${missing.join('; ')}`
    : reason;
  const kind = action === 'deny' || action === 'ask' ? action : 'other';
  return `<article class="${kind}"><small>${escaped(formatTime(at))} ${escaped(action)} ${escaped(rules.join(', '))}</small>
<pre>${escaped([tool, subject].filter(Boolean).join(' '))}</pre><p>${escaped(words)}</p></article>`;
}

function rulesIn({ rules }: Tally, only: string | undefined): string {
  const rows = [...rules]
    .filter(([id]) => only === undefined || id === only)
    .sort(([, a], [, b]) => b.fires - a.fires)
    .map(([id, { fires, blocks, asks, saves, notes, characters, unknown }]) => {
      const cells = [fires, blocks, asks, saves, notes, characters, unknown].map((each) => `<td>${each}</td>`).join('');
      return `<tr><td>${escaped(id)}</td>${cells}</tr>`;
    });
  const head = ['rule', 'fires', 'blocks', 'asks', 'saves', 'notes', 'characters', 'unknown'].map(
    (each) => `<th>${each}</th>`,
  );
  return rows.length === 0 ? '' : section('Rules', `<table><tr>${head.join('')}</tr>\n${rows.join('\n')}</table>`);
}

function unknownIn({ unknown, missing, unknowns }: Tally): string {
  if (unknown === 0) return '';
  const parts = [...missing]
    .sort(([, a], [, b]) => b - a)
    .map(([what, count]) => `<li>${escaped(what)}: ${count}</li>`);
  return `<p>No transcript tells:</p><ul>${parts.join('')}</ul>\n${unknowns.map(articleOf).join('\n')}`;
}

function differenceIn({ events, kinds }: Difference): string {
  const parts = [...kinds].map(
    ([kind, { count, examples }]) =>
      `<h3>${count} × ${escaped(kind)}</h3>${examples.map(({ one, other }) => articleOf(one) + articleOf(other)).join('\n')}`,
  );
  return section(`${events} events decided otherwise by the other settings`, parts.join('\n') || '<p>None.</p>');
}
