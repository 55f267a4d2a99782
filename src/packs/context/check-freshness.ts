import { relative, resolve } from 'node:path';
import { defineRule, marker, own } from '../../engine/rule.ts';
import type { RuleContext, RuleFiles } from '../../engine/rule.ts';
import { REVIEWS } from './command-cells.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { CONTEXT_DIR } from './files.ts';
import { nudge } from './nudge.ts';
import { oneOf, readGroup, isMap } from './options.ts';
import { contextKey, contextRoot } from './place.ts';
import { escapedPath, quoted } from '../../text/quoted.ts';
import { shorten } from '../../text/shorten.ts';

/** A file whose facts age, as the settings list it. */
interface AgingFile {
  /** From the directory that holds `.context`, links followed. */
  readonly path: string;
  readonly full: string;
  readonly desc: string;
  /** Where its facts can be compared; empty when nobody said. */
  readonly url: string;
  readonly mtimeMs: number;
}

interface StaleFile extends Pick<AgingFile, 'path' | 'desc' | 'url'> {
  readonly days: number;
}

const MAX_LINES = 6;
/** Leaves room for the rest of the message. */
const MAX_CHARS = 440;
const MAX_DESC = 60;

/** Those that are there and lie in the project, each once. */
function agingFiles(
  files: Pick<RuleFiles, 'realpath' | 'stat'>,
  root: string,
  listed: readonly unknown[],
): readonly AgingFile[] {
  const top = files.realpath(root) ?? root;
  const found = new Map<string, AgingFile>();
  for (const each of listed) {
    if (!isMap(each) || typeof each['path'] !== 'string') continue;
    const full = files.realpath(resolve(root, each['path']));
    const stat = full?.startsWith(`${top}/`) === true ? files.stat(full) : undefined;
    if (full === undefined || stat?.kind !== 'file') continue;
    const path = relative(top, full);
    const desc = lineOf(each['desc']);
    found.set(path, { path, full, desc, url: lineOf(each['review_url']), mtimeMs: stat.mtimeMs });
  }
  return [...found.values()];
}

/** One line for each, those with a review page together below it; what there is no room for is counted. */
export function staleLines(stale: readonly StaleFile[]): string {
  const pages = [...new Set(stale.map(({ url }) => url))];
  const entries = pages.flatMap((page) =>
    stale
      .filter(({ url }) => url === page)
      .map((file, at) =>
        page !== '' && at === 0 ? [`${escapedPath(page, undefined)}:`, lineFor(file)] : [lineFor(file)],
      ),
  );
  const lines: string[] = [];
  for (const [at, entry] of entries.entries()) {
    const isLast = at === entries.length - 1;
    const all = [...lines, ...entry];
    if (at > 0 && (all.length + (isLast ? 0 : 1) > MAX_LINES || all.join('\n').length > MAX_CHARS))
      return [...lines, `and ${entries.length - at} more`].join('\n');
    lines.push(...entry);
  }
  return lines.join('\n');
}

function lineFor({ path, days, desc, url }: StaleFile): string {
  const about = shorten(desc, MAX_DESC);
  return `${url === '' ? '' : '  '}${escapedPath(path, undefined)}, ${days} days${about === '' ? '' : `: ${quoted(about, undefined)}`}`;
}

/** A path as a word of a command. */
function asWord(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : '';
}

const DEFAULTS = { files: [] as readonly unknown[], max_age_days: 182, age_source: 'mtime' };
const DAY_MS = 86_400_000;

export default defineRule({
  id: 'context/check-freshness',
  pack: 'context',
  summary: 'Once a day, lists files whose facts age and that nobody has looked at for long.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 20,
  // Facts keep a limit of their own.
  budgetMs: 1_000,
  state: { today: marker('context.day.freshness', { scope: 'day' }), reviews: REVIEWS, looked: LOOKED },
  options: { freshness: DEFAULTS },
  messages: {
    stale:
      'Files whose facts age were last looked at more than {maxAgeDays} days ago:\n{staleFiles}\nA look that changes nothing counts too, once it is recorded.\nNext: fairlead context reviewed {firstFile}',
  },
  expect: { tool: 'shell', words: ['context reviewed'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const { files: listed, max_age_days: maxAgeDays, age_source } = readGroup(context.options.freshness, DEFAULTS);
    if (listed.length === 0 || maxAgeDays <= 0) return context.pass('no files are listed');
    const { state, now } = context;
    const key = contextKey(context.workspace, root);
    if (state.today.isSet(key)) return context.pass('said today');
    const aging = agingFiles(context.files, root, listed);
    const look = lookAgain(
      context,
      'freshness',
      aging.map(({ full }) => full),
    );
    if (!look.isDue) return context.pass('nothing has changed since the last look');

    const isStale = (at: number) => now - at > maxAgeDays * DAY_MS;
    const unseen = aging.filter(({ path }) => isStale(state.reviews.get(path)?.at ?? 0));
    const judge = (changes: readonly (number | undefined)[]) => {
      if (changes.includes(undefined)) return context.pass('not found out yet');
      const stale = unseen.flatMap((file, at) => {
        const seenAt = Math.max(changes[at] ?? 0, state.reviews.get(file.path)?.at ?? 0);
        return isStale(seenAt) ? [{ ...file, days: Math.floor((now - seenAt) / DAY_MS) }] : [];
      });
      const [first] = stale;
      if (!first) {
        look.foundNothing();
        return context.pass('all were looked at');
      }
      state.today.first(key);
      return nudge(context, root, {
        variant: 'stale',
        values: { maxAgeDays, staleFiles: own(staleLines(stale)), firstFile: own(asWord(first.path)) },
        relayed: { files: stale.length },
      });
    };
    if (oneOf(age_source, ['mtime', 'git']) === 'mtime') return judge(unseen.map(({ mtimeMs }) => mtimeMs));
    return Promise.all(unseen.map((file) => committed(context, root, file))).then(judge);
  },
});

/** What was never committed is as old as it looks. */
async function committed(
  { facts }: Pick<RuleContext, 'facts'>,
  root: string,
  { path, mtimeMs }: AgingFile,
): Promise<number | undefined> {
  const at = (await facts.lastCommit(root, path))?.at;
  return at === 0 ? mtimeMs : at;
}
