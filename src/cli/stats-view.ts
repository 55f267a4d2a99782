import { PACK_STATS } from '../packs/cli.generated.ts';
import { cellId, parseCellId, parseValue, SEPARATOR } from '../state/cells.ts';
import { percentile, samplesIn } from '../telemetry/histogram.ts';
import { readTelemetry, resetTelemetry } from '../telemetry/read.ts';
import type { TelemetryOf } from '../telemetry/read.ts';
import { printJson, UsageError } from './command.ts';
import type { CliWorld, Input } from './command.ts';
import { sinceOf } from './database.ts';
import { rootAt } from './known-rules.ts';
import type { StatsView, ViewData } from './pack-parts.ts';
import { counted } from './table.ts';

/** By pack; packs that are not here have the table of their rules. */
export const STATS_VIEWS = new Map(PACK_STATS.map(({ pack, load }) => [pack, load]));

export function showPack(pack: string, view: StatsView, input: Input, world: CliWorld): void {
  for (const option of ['session', 'rule'])
    if (input.text(option) !== undefined)
      throw new UsageError(`what ${pack} counts is kept per project and hour, so --${option} does not go with it`);
  const data = dataOf(pack, view, input, world);
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

function dataOf(pack: string, view: StatsView, input: Input, world: CliWorld): ViewData {
  const { store, clock } = world.engine();
  const now = clock.now();
  const span = input.text('since') ?? '24h';
  const since = sinceOf(span, now);
  const root = rootsOf(view, input, world);
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

function rootsOf(view: StatsView | undefined, input: Input, world: CliWorld): Pick<TelemetryOf, 'root' | 'below'> {
  if (input.has('all')) return {};
  return { root: view?.rootAt?.(world) ?? rootAt(world), ...(view?.rootAt && { below: true }) };
}

/** Returns the exit code. Counters decide nothing, so whoever may ask may also start them afresh. */
export async function resetPack(pack: string, input: Input, world: CliWorld): Promise<number> {
  const { store, clock } = world.engine();
  const of = { pack, ...rootsOf(await STATS_VIEWS.get(pack)?.(), input, world) };
  const place = input.has('all') ? 'all projects' : 'this project';
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
