import type { RoleCounts } from '../../engine/rule.ts';
import { byRole } from '../../text/by-role.ts';
import { counted } from '../../text/counted.ts';
import type { PartialScope } from '../store/scope.ts';
import type { Answered, Calls, Doubt, Mention, Site, SymbolInfo, UnreadFile } from './answer.ts';
import type { Direction } from './calls.ts';

export { counted };

/** How the one who reads the text asks for more: as a command, or as a call of a tool. */
export interface Wording {
  how(action: Action, subject: string, options: Readonly<Record<string, string | number | boolean>>): string;
}

export type Action = 'search' | 'callers' | 'callees' | 'impact' | 'context' | 'files' | 'index';

/** Stands behind what is below this confidence. */
export const UNSURE = '~';
const SURE_FROM = 0.9;
export const siteMark = /:?\d~(,|$| )/;

const MOST_SITES = 6;
const MOST_OTHERS = 4;

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from the code on one line, with nothing in it that a terminal would obey. */
export function clean(text: string): string {
  return text.replaceAll(CONTROLS, '\ufffd');
}

export function headOf(symbol: SymbolInfo, others: readonly Mention[]): string[] {
  const { name, kind, path, line, lastLine, signature, variants = [] } = symbol;
  const head = [`${name}  ${kind}  ${path}:${line}${lastLine > line ? `-${lastLine}` : ''}`];
  if (signature !== '' && signature !== name) head.push(`  ${signature}`);
  if (variants.length > 0)
    head.push(`for other builds: ${someOf(variants.map((each) => `${each.path}:${each.line}`))}`);
  if (others.length > 0)
    head.push(`also of that name: ${someOf(others.map((other) => `${other.name} ${other.path}:${other.line}`))}`);
  return head.map(clean);
}

function someOf(texts: readonly string[]): string {
  const rest = texts.length - MOST_OTHERS;
  return `${texts.slice(0, MOST_OTHERS).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

export function mentionText({ name, kind, path, line }: Mention): string {
  return clean(kind === 'module' ? `  ${path}` : `  ${name}  ${kind}  ${path}:${line}`);
}

interface LineOptions {
  /** Says how a symbol is used, where it is not called. */
  readonly withKind?: boolean;
  readonly mostSites?: number | undefined;
}

/** One line for each symbol: who calls from where, or what is called and at which lines. */
export function callLines(calls: readonly Calls[], direction: Direction, options: LineOptions = {}): string[] {
  const { withKind = false, mostSites = MOST_SITES } = options;
  return calls.map(({ symbol, sites, role }) => {
    const words = [
      // The path says it already.
      ...(symbol.kind === 'module' ? [] : [symbol.name]),
      ...(withKind ? [[...new Set(sites.map(({ kind }) => kind))].join(', ')] : []),
      ...(direction === 'callers'
        ? [placesOf(sites, '', mostSites)]
        : [
            symbol.kind === 'module' ? symbol.path : `${symbol.path}:${symbol.line}`,
            `at ${placesOf(sites, sites[0]?.path, mostSites)}`,
          ]),
      ...(role === 'production' ? [] : [role]),
    ];
    return clean(`  ${words.join('  ')}`);
  });
}

/** `src/a.ts:3, 9~`: a path once, then lines. */
function placesOf(sites: readonly Site[], from: string | undefined, most: number): string {
  const shown: string[] = [];
  let path = from;
  let last = '';
  let count = 0;
  for (const site of sites) {
    const line = `${site.line}${site.confidence < SURE_FROM ? UNSURE : ''}`;
    if (site.path === path && line === last) continue;
    count += 1;
    if (shown.length < most) shown.push(site.path === path ? line : `${site.path}:${line}`);
    path = site.path;
    last = line;
  }
  return shown.join(', ') + (count > shown.length ? ` and ${count - shown.length} more` : '');
}

/** `9 callers in production, 4 in tests`. */
export function callersText(total: number, roles: RoleCounts): string {
  return total === 0 ? 'no callers' : byRole(roles, ['caller', 'callers']);
}

/** What an answer leaves open. */
export function doubtText({ possible, unresolved }: Doubt, direction: Direction): string {
  const where = direction === 'callers' ? 'of this name' : 'in this file';
  return `${possible} possible, ${counted(unresolved, 'unresolved reference')} ${where}`;
}

const REASONS: Partial<Record<UnreadFile['why'], string>> = {
  'too-large': 'too large',
  minified: 'minified',
  slow: 'took too long',
  unreadable: 'could not be opened',
  'not-utf8': 'no known encoding',
  cut: 'generated, only its beginning was read',
  damaged: 'does not parse',
};

/** `2 files were not read: a.ts (too large), b.ts (took too long)`. */
export function unreadLines(unread: Answered['unread']): string[] {
  if (unread === undefined) return [];
  const { total, items } = unread;
  const isPart = items.every(({ inPart }) => inPart);
  const named = items.map(({ path, why }) => `${path} (${REASONS[why] ?? why})`);
  const rest = total - items.length;
  const how = isPart ? 'read in part' : items.some(({ inPart }) => inPart) ? 'not read, or in part' : 'not read';
  const verb = total === 1 ? 'was' : 'were';
  return [clean(`${counted(total, 'file')} ${verb} ${how}: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)];
}

/** How much of a root is indexed that has more files than are. */
export function scopeText({ files, of, atLeast }: PartialScope): string {
  const [part, all] = [files, of].map((count) => count.toLocaleString('en-US'));
  return `partial scope: ${part} of ${atLeast ? 'at least ' : ''}${all} files`;
}
