import { JOB_KINDS } from '../layout.ts';
import { readSight } from '../sight.ts';
import type { SightState } from '../sight.ts';
import { BOUNDS, percentile, samplesIn } from '../../../telemetry/histogram.ts';
import type { Histogram } from '../../../telemetry/histogram.ts';
import { basename } from '../../../platform/paths.ts';
import { findIncrementsRoot } from './increments-root.ts';
import type { StatsView, ViewData } from '../../../cli/pack-parts.ts';
import { formatTime, layOut, paint } from '../../../cli/table.ts';

const METHODS = ['signal', 'payload', 'mtime', 'watch'] as const;
const TIERS = [0, 1, 2, 3] as const;
const LABEL_WIDTH = 11;

interface Source {
  /** An agent and one of its events. */
  readonly source: string;
  readonly state: SightState;
  readonly since?: number;
  readonly with: number;
  readonly without: number;
  /** The share of events without arguments, in percent; absent when there was no event. */
  readonly useless?: number;
  /** How many of the last events the state stands on. */
  readonly ring: number;
}

/** What the pack made of the edits: whether they were noticed and how, what it cost, and what its jobs did. */
export const stats: StatsView = {
  rootAt: ({ cwd, userHome }) => findIncrementsRoot(cwd, userHome),
  show(data) {
    const { span, root, numbers, screen } = data;
    const place = root === undefined ? 'all workspaces' : `workspace ${basename(root)}`;
    if (Object.keys(numbers.counts).length === 0)
      return `No edit was seen in the last ${span}, ${place}. The pack works where a project has .specweave/.\n`;
    const line = (label: string, parts: readonly string[]) =>
      `${paint(screen, 'dim', label.padEnd(LABEL_WIDTH))}${parts.join('   ')}\n`;
    return [
      `${paint(screen, 'bold', `increments · last ${span} · ${place}`)}\n`,
      ...showSources(data).map((text, at) => line(at === 0 ? 'sources' : '', [text])),
      line('time ms', showTimes(data)),
      line(
        'exits',
        TIERS.map((tier) => `tier${tier} ${exitsAt(data, 'before', tier) + exitsAt(data, 'after', tier)}`),
      ),
      line('detected', showDetected(data)),
      line('jobs', showJobs(data)),
      line('breakers', showBreakers(data)),
    ].join('');
  },
  facts: (data) => ({
    sources: sourcesIn(data),
    exits: Object.fromEntries(
      (['before', 'after'] as const).map((moment) => [moment, TIERS.map((tier) => exitsAt(data, moment, tier))]),
    ),
    ...(data.root === undefined ? {} : { breakers: breakersIn(data) }),
  }),
};

function sourcesIn({ numbers: { counts }, cells }: ViewData): Source[] {
  const sights = new Map(cells('user', 'increments.ring').map(({ key, value }) => [key, readSight(value)]));
  const counted = Object.keys(counts).flatMap((name) => /^args\.(.+)\.with(?:out)?$/.exec(name)?.[1] ?? []);
  // From Z to A, which puts what precedes a call before what follows it.
  const names = [...new Set([...counted, ...sights.keys()])].toSorted((a, b) => (a < b ? 1 : -1));
  return names.map((source): Source => {
    const sight = sights.get(source);
    const seeing = counts[`args.${source}.with`] ?? 0;
    const without = counts[`args.${source}.without`] ?? 0;
    const all = seeing + without;
    return {
      source,
      state: sight?.state ?? 'learning',
      ...(sight && { since: sight.since }),
      with: seeing,
      without,
      ...(all > 0 && { useless: (100 * without) / all }),
      ring: sight?.bits.length ?? 0,
    };
  });
}

function showSources(data: ViewData): string[] {
  const rows = sourcesIn(data).map(({ source, state, since, with: seeing, without, useless }) => [
    source,
    `${state}${since === undefined ? '' : ` since ${formatTime(since).slice(5, 10)}`}`,
    `with args ${seeing}`,
    `without ${without}`,
    `useless ${useless === undefined ? '-' : `${useless.toFixed(1)}%`}`,
  ]);
  const columns = [0, 1, 2, 3, 4].map(() => ({ title: '' }));
  const { line } = layOut({ ...data.screen, colour: false }, columns, rows);
  return rows.length === 0 ? ['none yet'] : rows.map((cells) => line(cells));
}

function showTimes({ numbers: { counts, times } }: ViewData): string[] {
  const of = (name: string, shares: readonly number[]) =>
    shares.map((share) => `p${share * 100} ${spanAt(times[name], share)}`).join(' ');
  return [
    `pre ${of('before', [0.5, 0.95])}`,
    `post ${of('after', [0.5, 0.95])}`,
    `per edit ${of('edit', [0.5, 0.95])}`,
    `over budget ${counts['over_budget'] ?? 0}`,
  ];
}

function showDetected({ numbers: { counts } }: ViewData): string[] {
  const hits = METHODS.map((method) => counts[`detect.${method}.hit`] ?? 0);
  const all = hits.reduce((sum, count) => sum + count, 0);
  const share = (count: number) => (count === 0 ? '' : ` (${((100 * count) / all).toFixed(1)}%)`);
  return [
    ...METHODS.map((method, at) => `${method} ${hits[at] ?? 0}${share(hits[at] ?? 0)}`),
    `none ${counts['detect.none'] ?? 0}`,
  ];
}

function showJobs({ numbers: { counts, peaks, times } }: ViewData): string[] {
  const lag = spanAt(times['jobs.lag.status-line'], 0.95, 0);
  return [
    ...['run', 'merged', 'failed'].map((what) => `${what} ${counts[`jobs.${what}`] ?? 0}`),
    `longest queue ${peaks['jobs.longest'] ?? 0}`,
    `edit→status line p95 ${lag}${lag === '-' ? '' : ' ms'}`,
    `children ${counts['jobs.children'] ?? 0}`,
  ];
}

function showBreakers(data: ViewData): string[] {
  if (data.root === undefined) return ['are kept per workspace'];
  const states = Object.entries(breakersIn(data));
  return states.map(([kind, state]) => `${kind} ${paint(data.screen, state === 'closed' ? undefined : 'red', state)}`);
}

function breakersIn({ cells }: ViewData): Record<string, string> {
  const known = cells('workspace', 'increments.breaker');
  return Object.fromEntries(
    JOB_KINDS.map((kind) => {
      const states = known
        .filter(({ key }) => key === kind)
        .map(({ value }) => (value as { readonly state?: unknown } | null)?.state);
      return [kind, ['open', 'half-open'].find((state) => states.includes(state)) ?? 'closed'];
    }),
  );
}

function exitsAt({ numbers: { counts } }: ViewData, moment: 'before' | 'after', tier: number): number {
  return counts[`exit.${moment}.${tier}`] ?? 0;
}

/** What lies beyond the last bucket is only known to do so. */
function spanAt(histogram: Histogram | undefined, share: number, digits = 1): string {
  const found = histogram && percentile(histogram, share);
  if (!histogram || found === undefined) return '-';
  const isBeyond = Math.ceil(samplesIn(histogram) * share) > samplesIn(histogram.slice(0, BOUNDS.length));
  return isBeyond ? `>${BOUNDS.at(-1)}` : found.toFixed(digits);
}
