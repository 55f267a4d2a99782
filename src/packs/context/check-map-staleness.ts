import { isAbsolute, join, normalize } from 'node:path';
import { asPath, defineRule, joined, marker, own } from '../../engine/rule.ts';
import type { RuleFiles } from '../../engine/rule.ts';
import { LOOKED, lookAgain } from './daily.ts';
import { dateOf } from './dates.ts';
import { CONTEXT_DIR, contextPath, MAP_FILE } from './files.ts';
import { parseMapTracking } from './map-tracking.ts';
import { nudge } from './nudge.ts';
import { readGroup, textsIn } from './options.ts';
import { contextKey, contextRoot } from './place.ts';

const DEFAULTS = { max_age_days: 30, paths: [] as readonly unknown[] };
/** Where code usually lies; those that exist count when no paths are set. */
const USUAL_PATHS = ['internal', 'src', 'lib', 'packages', 'app', 'cmd'];
const MAX_BYTES = 64 * 1024;
const DAY_MS = 86_400_000;

export default defineRule({
  id: 'context/check-map-staleness',
  pack: 'context',
  summary: 'Once a day, says when the architecture map is older than the changes of the code it describes.',
  on: [{ event: 'prompt.submit' }],
  at: 'cwd',
  needs: { entry: CONTEXT_DIR, human: true, main: true },
  nudge: 'deferrable',
  priority: 25,
  // Facts keep a limit of their own.
  budgetMs: 1_000,
  state: { today: marker('context.day.map', { scope: 'day' }), looked: LOOKED },
  options: { map: DEFAULTS },
  messages: {
    stale:
      'The architecture map is older than changes of the code:\nLast refreshed: {lastRefreshDate}\nCommits since then: {commitCount}\nPlaces looked at: {moduleCount} ({paths})\nNext: refresh {map}, then `fairlead context map done`',
  },
  expect: { tool: 'shell', words: ['context map done'], within: 40, until: 'session' },
  examples: { pass: [{ prompt: 'Go on.' }] },
  check(_event, context) {
    const root = contextRoot(context);
    if (root === undefined) return context.pass('the context is not initialised');
    const key = contextKey(context.workspace, root);
    if (context.state.today.isSet(key)) return context.pass('said today');
    const tracked = contextPath(root, MAP_FILE);
    const look = lookAgain(context, 'map', [tracked, join(root, '.git', 'logs', 'HEAD')]);
    if (!look.isDue) return context.pass('nothing has changed since the last look');
    const nothing = (why: string) => {
      look.foundNothing();
      return context.pass(why);
    };
    const tracking = parseMapTracking(context.files.readText(tracked, MAX_BYTES));
    if (!tracking || tracking.optedOut) return nothing('the map is not tracked');
    const { max_age_days: days, paths: chosen } = readGroup(context.options.map, DEFAULTS);
    if (context.now - tracking.lastRun < days * DAY_MS) return nothing('the map is young enough');
    const paths = pathsIn(root, chosen, context.files);
    if (paths.length === 0) return nothing('there are no places to look at');
    const { lastRun } = tracking;
    const judge = async () => {
      const commits = await context.facts.commits(root, lastRun, paths);
      if (!commits) return context.pass('the history is not known yet');
      if (commits.count === 0) return nothing('no commit has touched the code since');
      context.state.today.first(key);
      return nudge(context, root, {
        variant: 'stale',
        values: {
          lastRefreshDate: own(dateOf(lastRun)),
          commitCount: commits.count,
          moduleCount: paths.length,
          paths: joined(paths.map(asPath), ', '),
          map: asPath(`${CONTEXT_DIR}/ARCHITECTURE.md`),
        },
        relayed: { commits: commits.count },
      });
    };
    return judge();
  },
});

/** Paths that lead out of the project are left out: git would refuse all of them. */
function pathsIn(root: string, chosen: readonly unknown[], files: RuleFiles): readonly string[] {
  const named = textsIn(chosen).filter((path) => !isAbsolute(path) && !normalize(path).startsWith('..'));
  if (named.length > 0) return named;
  return USUAL_PATHS.filter((name) => files.stat(join(root, name))?.kind === 'dir');
}
