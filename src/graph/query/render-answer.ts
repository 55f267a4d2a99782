import type {
  Answer,
  Answered,
  CallsAnswer,
  ChoiceAnswer,
  Doubt,
  FileRow,
  FilesAnswer,
  ImpactAnswer,
  MissingAnswer,
  SearchAnswer,
  SymbolInfo,
} from './answer.ts';
import { USES_SHARE } from './calls.ts';
import type { Direction } from './calls.ts';
import type { RoleCounts } from '../../engine/rule.ts';
import { byRole } from '../../text/by-role.ts';
import { shortenMiddle } from '../../text/shorten.ts';
import { fitText } from './fit-text.ts';
import type { Section, Sheet } from './fit-text.ts';
import { contextSheet } from './render-context.ts';
import { beyondSections, dispatchSections } from './render-dispatch.ts';
import { treeLines } from './render-tree.ts';
import {
  callersText,
  callLines,
  clean,
  counted,
  doubtText,
  headOf,
  mentionText,
  scopeText,
  siteMark,
  unreadLines,
  UNSURE,
} from './render-symbol.ts';
import type { Wording } from './render-symbol.ts';

/** The text of an answer, within so many characters; the same answer has the same text. */
export function renderAnswer(answered: Answered, maxChars: number, wording: Wording): string {
  const { answer, state, stale, scope } = answered;
  const whole = wholeCalls(answer, wording);
  const wide = whole && charsOf(whole) + STATE_CHARS <= maxChars ? whole : sheetOf(answer, wording);
  const chars = charsOf(wide);
  // What is left out for length, more lines alone would not show.
  const how: Wording['how'] = (action, subject, options) =>
    wording.how(action, subject, { ...options, 'max-chars': options['max-chars'] ?? inThousands(chars) });
  const sheet = chars > maxChars && answer.is !== 'context' ? sheetOf(answer, { ...wording, how }) : wide;
  const parts = [state === 'stale' ? `stale: ${counted(stale, 'file')}` : state];
  if (scope) parts.push(scopeText(scope));
  if (hasUnsure(sheet)) parts.push(`${UNSURE} confidence below 0.9`);
  const tail = [...sheet.tail, ...unreadLines(answered.unread), ...keptLines(answered), parts.join(' · ')];
  return fitText({ ...sheet, tail }, maxChars);
}

/** What the state and its marks may take. */
const STATE_CHARS = 100;

/** With the line of every call, where an answer is about calls. */
function wholeCalls(answer: Answer, wording: Wording): Sheet | undefined {
  return answer.is === 'callers' || answer.is === 'callees' ? callsSheet(answer, wording, Infinity) : undefined;
}

/** What was kept of the answer, and where it can be looked at. */
export function keptLines({
  evidence,
  pictures = {},
  warning,
}: Omit<Answered, 'answer' | 'state' | 'stale' | 'root' | 'scope' | 'unread'>) {
  const paths = [pictures.svg, pictures.png].filter((path) => path !== undefined);
  const kept = [evidence && `evidence ${evidence}`, paths.length > 0 && `picture ${paths.join(' and ')}`];
  const line = kept.filter((part) => part).join(' · ');
  return [...(line === '' ? [] : [line]), ...(warning === undefined ? [] : [clean(warning)])];
}

/** How long the text of everything would be, as far as the lines that are there let guess. */
function charsOf({ head, sections, tail }: Sheet): number {
  const sum = (lines: readonly string[]) => lines.reduce((chars, line) => chars + line.length + 1, 0);
  return sections.reduce(
    (chars, { title = '', lines, total = lines.length }) =>
      chars + title.length + 1 + (lines.length === 0 ? 0 : (sum(lines) * total) / lines.length),
    sum(head) + sum(tail),
  );
}

/** With some room, as the lines that are not there may be longer. */
function inThousands(chars: number): number {
  return Math.ceil((chars * 1.25) / 1_000 + 1) * 1_000;
}

function hasUnsure({ head, sections }: Sheet): boolean {
  const isMarked = (line: string) => siteMark.test(line);
  return head.some(isMarked) || sections.some(({ lines }) => lines.some(isMarked));
}

function sheetOf(answer: Answer, wording: Wording): Sheet {
  switch (answer.is) {
    case 'search':
      return searchSheet(answer, wording);
    case 'callers':
    case 'callees':
      return callsSheet(answer, wording);
    case 'impact':
      return impactSheet(answer, wording);
    case 'context':
      return contextSheet(answer, wording);
    case 'files':
      return filesSheet(answer, wording);
    case 'choice':
      return choiceSheet(answer, wording);
    case 'missing':
      return missingSheet(answer, wording);
  }
}

const MOST_QUOTED = 120;

/** What was asked for, as it is said again, however long it was. */
function quoted(text: string): string {
  return clean(shortenMiddle(text, MOST_QUOTED));
}

function searchSheet({ query, kinds, symbols, similar }: SearchAnswer, { how }: Wording): Sheet {
  const { total, items } = symbols;
  if (total === 0)
    return {
      head: [`no ${kinds?.join(' or ') ?? 'symbol'} fits "${quoted(query)}"`],
      sections:
        similar.length === 0
          ? []
          : [{ name: 'similar names', title: 'similar names', lines: similar.map(mentionText) }],
      tail: [],
    };
  return {
    head: [],
    sections: [
      {
        name: 'symbols',
        title: `${counted(total, 'symbol')} for "${quoted(query)}"`,
        lines: items.map(searchLine),
        total,
        more: (left) =>
          `  … ${left} more: ${how('search', query, { ...(kinds && { kind: kinds.join(',') }), limit: total })}`,
      },
    ],
    tail: [],
  };
}

function searchLine({ name, kind, path, line, callers, callerRoles, test, signature }: SymbolInfo): string {
  const place = kind === 'module' ? [] : [`${path}:${line}`];
  const words = [name, kind, ...place, `${callersText(callers, callerRoles)}${test ? '; a test' : ''}`, signature];
  return clean(`  ${words.join('  ')}`).trimEnd();
}

function callsSheet(answer: CallsAnswer, { how }: Wording, mostSites?: number): Sheet {
  const { is, symbol, others, calls, sites, uses, maybe } = answer;
  const noun = is === 'callers' ? 'caller' : 'callee';
  const title =
    calls.total === 0
      ? `no ${noun}s found; ${doubtText(answer, is)}`
      : `${is === 'callers' ? `${callersText(calls.total, calls.roles)};` : `${counted(calls.total, noun)},`} ${counted(sites, 'call')}${doubtAfter(answer, is)}`;
  const rest = (total: number) => (left: number) => `  … ${left} more: ${how(is, symbol.key, { limit: total })}`;
  const sections: Section[] = [
    {
      name: `${noun}s`,
      title,
      lines: callLines(calls.items, is, { mostSites }),
      total: calls.total,
      more: rest(calls.total),
    },
  ];
  const all = callLines(calls.items, is, { mostSites: Infinity }).join('\n');
  if (all !== sections[0]?.lines.join('\n'))
    sections.push({
      name: 'the lines of all calls',
      title: `the lines of all calls: ${how(is, symbol.key, { limit: calls.total, 'max-chars': inThousands(all.length) })}`,
      lines: [],
    });
  sections.push(...dispatchSections(answer, is, how));
  if (maybe && maybe.total > 0)
    sections.push({
      name: `possible ${noun}s`,
      title: `${counted(maybe.total, `possible ${noun}`)}, not counted above`,
      lines: callLines(maybe.items, is, { mostSites }),
      total: maybe.total,
      more: (left) => `  … ${left} more: ${how(is, symbol.key, { possible: true, limit: maybe.total })}`,
    });
  if (uses.total > 0) sections.push(usesSection(answer, rest(USES_SHARE * uses.total)));
  return { head: headOf(symbol, others), sections, tail: [] };
}

/** With a count, what is in doubt is said where anything is. */
function doubtAfter(doubt: Doubt, direction: Direction): string {
  return doubt.possible + doubt.unresolved === 0 ? '' : `; ${doubtText(doubt, direction)}`;
}

function usesSection(
  { is, uses }: { readonly is: Answer['is']; readonly uses: CallsAnswer['uses'] },
  more: (left: number) => string,
): Section {
  const way = is === 'callees' ? 'callees' : 'callers';
  return {
    name: 'other uses',
    title: way === 'callers' ? `used without a call by ${uses.total}` : `uses without a call ${uses.total}`,
    lines: callLines(uses.items, way, { withKind: true }),
    total: uses.total,
    more,
  };
}

function impactSheet(answer: ImpactAnswer, { how }: Wording): Sheet {
  const { symbol, others, levels, callees, calleeDoubt, uses, files, tests, depth, complete } = answer;
  const least = complete ? '' : 'at least ';
  const more = (total: number) => (left: number) =>
    `  … ${left} more: ${how('impact', symbol.key, { depth, 'max-nodes': total })}`;
  const all = levels.reduce((sum, { callers }) => sum + callers.total, 0);
  const roles = summed(levels.map(({ callers }) => callers.roles));
  const cut = levels.find(({ callers }) => callers.items.length < callers.total);
  const sections: Section[] = levels.map(({ distance, callers }) => ({
    name: `callers at distance ${distance}`,
    title: `distance ${distance}: ${least}${callersText(callers.total, callers.roles)}`,
    lines: callLines(callers.items, 'callers', { mostSites: 3 }),
    total: callers.total,
    // One way leads to all of them, and is told once.
    more: cut === undefined || cut.distance === distance ? more(all) : (left) => `  … ${left} more`,
  }));
  const head = [...headOf(symbol, others)];
  head.push(
    all === 0
      ? `no callers found; ${doubtText(answer, 'callers')}`
      : `${least}${counted(all, 'caller')} up to distance ${depth}: ${byRole(roles)}${doubtAfter(answer, 'callers')}`,
  );
  sections.push(...dispatchSections(answer, 'callers', how));
  sections.push({
    name: 'tests',
    title: tests.total === 0 ? 'no tests among them' : `${counted(tests.total, 'test')} among them`,
    lines: tests.items.map(mentionText),
    total: tests.total,
    more: more(tests.total),
  });
  sections.push(...beyondSections(answer, more));
  sections.push({
    name: 'callees',
    title:
      callees.total === 0 ? `no callees found; ${doubtText(calleeDoubt, 'callees')}` : counted(callees.total, 'callee'),
    lines: callLines(callees.items, 'callees'),
    total: callees.total,
    more: more(callees.total),
  });
  if (uses.total > 0) sections.push(usesSection(answer, more(USES_SHARE * uses.total)));
  if (files.total > 1)
    sections.push({
      name: 'files',
      title: `${counted(files.total, 'file')} touched`,
      lines: files.items.map(({ path, symbols }) => clean(`  ${path}  ${symbols}`)),
      total: files.total,
      more: more(files.total),
    });
  return { head, sections, tail: [] };
}

function summed(all: readonly RoleCounts[]): RoleCounts {
  const sum: Partial<Record<keyof RoleCounts, number>> = {};
  for (const roles of all)
    for (const [role, count] of Object.entries(roles) as [keyof RoleCounts, number][])
      sum[role] = (sum[role] ?? 0) + count;
  return sum;
}

function filesSheet(
  { path, format, rows, files, symbols, pattern, language, languages, depth }: FilesAnswer,
  { how }: Wording,
): Sheet {
  const limits = [
    pattern && `matching ${quoted(pattern)}`,
    language && `in ${quoted(language)}`,
    path && `below ${quoted(path)}`,
  ];
  const what = limits.filter((limit) => limit).join(' ');
  if (files === 0)
    return {
      head: [
        `no indexed files${what && ` ${what}`}${language ? `; there is ${languages.join(', ') || 'none in any language'}` : ''}`,
      ],
      sections: [],
      tail: [],
    };
  const options = { ...(pattern && { pattern }), ...(language && { language }), ...(format === 'flat' && { format }) };
  return {
    head: [],
    sections: [
      {
        name: 'files',
        title: `${counted(files, 'file')}${what && ` ${what}`}, ${counted(symbols, 'symbol')}`,
        lines: format === 'tree' ? treeLines(rows.items) : rows.items.map(flatLine),
        total: rows.total,
        more: (left) => `  … ${left} more: ${how('files', path, { ...options, limit: rows.total })}`,
      },
    ],
    tail: depth === undefined ? [] : [`what is in a directory: ${how('files', largestOf(rows.items), options)}`],
  };
}

function largestOf(rows: readonly FileRow[]): string {
  return rows.reduce((best, row) => (row.files > best.files ? row : best)).path.replace(/\/$/, '');
}

function flatLine({ path, files, symbols, flags = [] }: FilesAnswer['rows']['items'][number]): string {
  const inside = path.endsWith('/') ? `${counted(files, 'file')}, ` : '';
  return clean(`  ${path}  ${inside}${symbols}${flags.length > 0 ? ` (${flags.join(', ')})` : ''}`);
}

export function choiceSheet({ wanted, candidates: { total, items } }: ChoiceAnswer, { how }: Wording): Sheet {
  return {
    head: [],
    sections: [
      {
        name: 'candidates',
        title: `"${quoted(wanted)}" is the name of ${total} symbols; ask for one by its key`,
        lines: items.map(({ key, kind, line, callers, callerRoles }) =>
          clean(`  ${key}  ${kind}, line ${line}, ${callersText(callers, callerRoles)}`),
        ),
        total,
        more: (left) => `  … ${left} more: ${how('search', wanted, { limit: total })}`,
      },
    ],
    tail: [],
  };
}

export function missingSheet({ wanted, file, similar, unresolved }: MissingAnswer, { how }: Wording): Sheet {
  const place = file === undefined ? '' : ` in ${quoted(file)}`;
  const used = unresolved === 0 ? '' : `; ${counted(unresolved, 'reference')} of that name could not be resolved`;
  return {
    head: [`no symbol "${quoted(wanted)}"${place}${used}`],
    sections:
      similar.length > 0
        ? [{ name: 'similar names', title: 'similar names', lines: similar.map(mentionText) }]
        : wanted.length > MOST_QUOTED
          ? []
          : [
              {
                name: 'another way',
                title: `by parts of the name: ${how('search', wanted.slice(wanted.indexOf('#') + 1), {})}`,
                lines: [],
              },
            ],
    tail: [],
  };
}
