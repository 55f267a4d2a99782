import { shorten } from '../../text/shorten.ts';
import type { Calls, Doubt, Mention, Site, SymbolInfo } from './answer.ts';
import type { Direction } from './calls.ts';

/** How the one who reads the text asks for more: as a command, or as a call of a tool. */
export interface Wording {
  how(action: Action, subject: string, options: Readonly<Record<string, string | number | boolean>>): string;
}

export type Action = 'search' | 'callers' | 'callees' | 'impact' | 'context' | 'files' | 'index';

/** Stands behind what is below this confidence. */
export const UNSURE = '~';
const SURE_FROM = 0.9;
export const siteMark = /:?\d~(,|$| )/;

const MOST_SITES = 8;
const MOST_OTHERS = 4;

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from the code on one line, with nothing in it that a terminal would obey. */
export function clean(text: string): string {
  return text.replaceAll(CONTROLS, '\ufffd');
}

export function headOf(symbol: SymbolInfo, others: readonly Mention[]): string[] {
  const { name, kind, path, line, lastLine, signature } = symbol;
  const head = [`${name}  ${kind}  ${path}:${line}${lastLine > line ? `-${lastLine}` : ''}`];
  if (signature !== '' && signature !== name) head.push(`  ${signature}`);
  if (others.length > 0) {
    const named = others.slice(0, MOST_OTHERS).map((other) => `${other.name} ${other.path}:${other.line}`);
    const rest = others.length - named.length;
    head.push(`also of that name: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  return head.map(clean);
}

export function mentionText({ name, kind, path, line }: Mention): string {
  return clean(`  ${name}  ${kind}  ${path}:${line}`);
}

/** One line for each symbol: who calls from where, or what is called and at which lines. */
export function callLines(
  calls: readonly Calls[],
  direction: Direction,
  { withKind = false }: { readonly withKind?: boolean } = {},
): string[] {
  return calls.map(({ symbol, sites, test }) => {
    const kinds = withKind ? `  ${[...new Set(sites.map(({ kind }) => kind))].join(', ')}` : '';
    const places =
      direction === 'callers' ? placesOf(sites) : `${symbol.path}:${symbol.line}  at ${placesOf(sites, false)}`;
    return clean(`  ${symbol.name}${kinds}  ${places}${test ? '  test' : ''}`);
  });
}

/** `src/a.ts:3, 9~`: the path once, then lines. */
function placesOf(sites: readonly Site[], withPath = true): string {
  const shown: string[] = [];
  let path = withPath ? '' : sites[0]?.path;
  let last = '';
  for (const site of sites) {
    const line = `${site.line}${site.confidence < SURE_FROM ? UNSURE : ''}`;
    if (site.path === path && line === last) continue;
    if (shown.length < MOST_SITES) shown.push(site.path === path ? line : `${site.path}:${line}`);
    path = site.path;
    last = line;
  }
  const rest = new Set(sites.map((site) => `${site.path}:${site.line}`)).size - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** What an answer leaves open; said with every count, so that none is taken for the last word. */
export function doubtText({ possible, unresolved }: Doubt, direction: Direction): string {
  const where = direction === 'callers' ? 'of this name' : 'in this file';
  return `${possible} possible, ${counted(unresolved, 'unresolved reference')} ${where}`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

export function brief(text: string, most: number): string {
  return shorten(clean(text), most);
}
