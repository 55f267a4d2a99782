import { defineRule, marker, own } from '../../engine/rule.ts';
import type { RuleContext } from '../../engine/rule.ts';
import { agingFiles, asWord, staleLines } from './aging-files.ts';
import type { AgingFile } from './aging-files.ts';
import { REVIEWS } from './command-cells.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { CONTEXT_DIR } from './files.ts';
import { nudge } from './nudge.ts';
import { oneOf, readGroup } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

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
