import { cellId, parseCellId, parseValue, SEPARATOR } from '../state/cells.ts';
import { percentile, samplesIn } from '../telemetry/histogram.ts';
import type { Numbers } from '../telemetry/numbers.ts';
import { readTelemetry, resetTelemetry } from '../telemetry/read.ts';
import type { TelemetryOf } from '../telemetry/read.ts';
import { printJson, UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { sinceOf } from './database.ts';
import { DIAGRAMS_STATS } from './diagrams-stats.ts';
import { INCREMENTS_STATS } from './increments-view.ts';
import { rootAt } from './known-rules.ts';
import { counted } from './table.ts';

/** What `fairlead stats <pack>` knows of a pack. */
export interface ViewData {
  readonly pack: string;
  /** As the person gave it: `24h`. */
  readonly span: string;
  readonly since: number;
  readonly now: number;
  /** One workspace; absent when all of them are summed. */
  readonly root?: string;
  readonly numbers: Numbers;
  /** Cells of this name: those of the person, or of the workspace that is shown; several may have the same key. */
  cells(scope: 'user' | 'workspace', name: string): readonly { readonly key: string; readonly value: unknown }[];
  readonly screen: Pick<CliWorld, 'colour' | 'columns'>;
}

/** How a pack shows what it counted. */
export interface StatsView {
  /** Numbers are kept where such entries are: those of the project at hand and below it are shown together. */
  readonly rootAt?: (world: CliWorld) => string | undefined;
  /** Ends with a line break. */
  show(data: ViewData): string;
  /** For `--json`, what the numbers alone do not tell. */
  facts?(data: ViewData): Readonly<Record<string, unknown>>;
}

/** By pack; packs that are not here have the table of their rules. */
export const STATS_VIEWS = new Map<string, StatsView>([
  ['diagrams', DIAGRAMS_STATS],
  ['increments', INCREMENTS_STATS],
]);

export function showPack(pack: string, view: StatsView, input: Input, world: CliWorld): void {
  for (const option of ['session', 'rule'])
    if (input.text(option) !== undefined)
      throw new UsageError(`what ${pack} counts is kept per workspace and hour, so --${option} does not go with it`);
  const data = dataOf(pack, input, world);
  if (!input.has('json')) return world.out(view.show(data));
  const { since, root, numbers } = data;
  printJson(world, {
    pack,
    since,
    ...(root === undefined ? {} : { root }),
    counts: numbers.counts,
    peaks: numbers.peaks,
    times: Object.fromEntries(
      Object.entries(numbers.times).map(([name, histogram]) => [
        name,
        {
          count: samplesIn(histogram),
          p50: percentile(histogram, 0.5),
          p95: percentile(histogram, 0.95),
          p99: percentile(histogram, 0.99),
          buckets: histogram,
        },
      ]),
    ),
    ...view.facts?.(data),
  });
}

function dataOf(pack: string, input: Input, world: CliWorld): ViewData {
  const { store, clock } = world.engine();
  const now = clock.now();
  const span = input.text('since') ?? '24h';
  const since = sinceOf(span, now);
  const root = placeOf(pack, input, world);
  return {
    pack,
    span,
    since,
    now,
    ...root,
    numbers: readTelemetry(store, { pack, since, now, ...root }),
    cells(scope, name) {
      if (scope === 'workspace' && root.root === undefined) return [];
      const owner = scope === 'user' ? '' : (root.root ?? '');
      const found = store.list(cellId(scope, owner, name), now);
      const below = scope === 'workspace' && root.below ? store.list(`${scope}${SEPARATOR}${owner}/`, now) : [];
      return [...found, ...below.filter(({ id }) => parseCellId(id).name === name)].map(({ id, value }) => ({
        key: parseCellId(id).key,
        value: parseValue(value),
      }));
    },
    screen: world,
  };
}

function placeOf(pack: string, input: Input, world: CliWorld): Pick<TelemetryOf, 'root' | 'below'> {
  if (input.has('all')) return {};
  const view = STATS_VIEWS.get(pack);
  return { root: view?.rootAt?.(world) ?? rootAt(world), ...(view?.rootAt && { below: true }) };
}

/** Returns the exit code. Counters decide nothing, so whoever may ask may also start them afresh. */
export async function resetPack(pack: string, input: Input, world: CliWorld): Promise<number> {
  const { store, clock } = world.engine();
  const of = { pack, ...placeOf(pack, input, world) };
  const place = input.has('all') ? 'all workspaces' : 'this workspace';
  if (!input.has('yes')) {
    if (!world.interactive)
      throw new UsageError(
        `the counters of ${pack} would be reset and there is nobody to ask; --yes resets without asking`,
      );
    if (!(await world.ask(`Reset the counters of ${pack} in ${place}?`))) {
      world.out('Nothing was reset.\n');
      return 1;
    }
  }
  const hours = resetTelemetry(store, of, clock.now());
  if (input.has('json')) printJson(world, { reset: hours });
  else
    world.out(
      hours === 0
        ? `${pack} has counted nothing in ${place}.\n`
        : `Reset ${counted(hours, 'hour')} of counters of ${pack} in ${place}.\n`,
    );
  return 0;
}
