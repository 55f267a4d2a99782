import { ADAPTERS } from '../../../adapters/registry.ts';
import { projectId } from '../../../engine/decide/bookkeeping.ts';
import { NO_SETUP } from '../../../event/agent-setup.ts';
import type { AgentSetup } from '../../../event/agent-setup.ts';
import { isLow, JUDGED, shareFollowed } from '../advice.ts';
import type { Judged } from '../advice.ts';
import { forgetIndexes, indexesAt, isStale } from '../find-index.ts';
import type { Index } from '../find-index.ts';
import { EDITED } from '../freshness.ts';
import { FLIGHT_MS, FLIGHTS, UNENDED } from '../mark.ts';
import type { Flights } from '../mark.ts';
import { providersIn } from '../providers.ts';
import type { Provider } from '../providers.ts';
import { labelOf, routeOf, SEEN_TOOLS } from '../routes.ts';
import type { Route } from '../routes.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { findOnPath } from '../../../platform/find-program.ts';
import { dirname } from '../../../platform/paths.ts';
import type { RecordSpec } from '../../../state/cell.ts';
import { cellId, parseCellId, parseValue } from '../../../state/cells.ts';
import { repositoryAt } from '../../../roots/repository.ts';
import type { CliWorld } from '../../../cli/command.ts';
import type { KnownRules } from '../../../cli/known-rules.ts';
import { counted, formatTime } from '../../../cli/table.ts';
import type { Finding, Section } from '../../../cli/doctor/report.ts';
import type { PackDoctor } from '../../../cli/pack-parts.ts';

const RULE = 'codegraph/search-nudge';

interface Seen {
  readonly index: Index;
  readonly route: Route | undefined;
  readonly editedAt: number | undefined;
}

export const doctor: PackDoctor = { order: 10, check: (known, _, world) => checkCodegraph(known, world) };

export function checkCodegraph({ root, rules }: KnownRules, world: CliWorld): Section[] {
  const rule = rules.find(({ meta }) => meta.id === RULE);
  if (rule === undefined || rule.mode === 'off') return [];
  const providers = providersIn(rule.options);
  const cell = cellReader(root, world);
  const seen = indexesIn(root, providers, world).map((index) => look(index, root, world));
  const judged = cell(JUDGED);
  return [
    {
      title: 'Code graphs',
      facts: [
        ['indexes', seen.map(describe).join(', ') || 'none covers this project, so the search nudge is silent here'],
        ...(judged ? [['notes followed', shareOf(judged)] as const] : []),
      ],
      findings: [
        ...elsewhere(root, providers, seen, world),
        ...seen.flatMap((one) => [...stale(one), ...unreachable(one)]),
        ...unended(root, world),
        ...unheeded(judged),
      ],
    },
  ];
}

function indexesIn(root: string, providers: readonly Provider[], world: CliWorld): readonly Index[] {
  forgetIndexes();
  const workspace = { root, home: world.userHome, variable: (name: string) => world.env[name] };
  return indexesAt(root, providers, { workspace, files: nodeFiles, now: world.engine().clock.now() });
}

function look(index: Index, root: string, world: CliWorld): Seen {
  const { clock } = world.engine();
  const cell = cellReader(root, world);
  const route = routeOf(index.provider, {
    seen: cell(SEEN_TOOLS, index.provider.id),
    setup: setupAt(root, world),
    workspace: { hasProgram: (name: string) => findOnPath(name, world.env) !== undefined },
    now: clock.now(),
  });
  return { index, route, editedAt: cell(EDITED, index.root) };
}

function setupAt(root: string, { userHome, env }: CliWorld): AgentSetup {
  const setups = ADAPTERS.map((adapter) => adapter.readSetup?.({ root, home: userHome, env }, nodeFiles) ?? NO_SETUP);
  return { servers: setups.flatMap(({ servers }) => servers), hooks: setups.flatMap(({ hooks }) => hooks) };
}

function cellReader(root: string, world: CliWorld) {
  const { store, clock } = world.engine();
  return <T>({ name }: RecordSpec<T>, key?: string): T | undefined =>
    parseValue(store.get(cellId('workspace', root, name, key), clock.now())) as T | undefined;
}

function describe({ index, route }: Seen): string {
  return `${index.provider.name}${route ? `, asked by ${labelOf(route)}` : ''}`;
}

function shareOf({ outcomes }: Judged): string {
  return `${Math.round(100 * shareFollowed(outcomes))} % of the last ${outcomes.length}`;
}

/** An index of the main checkout says nothing about the code of a linked work tree. */
function elsewhere(root: string, providers: readonly Provider[], seen: readonly Seen[], world: CliWorld): Finding[] {
  const { worktree = false, commonDir } = repositoryAt(nodeFiles, root) ?? {};
  if (!worktree || commonDir === undefined) return [];
  const main = dirname(commonDir);
  const missing = indexesIn(main, providers, world).filter(
    ({ provider }) => !seen.some(({ index }) => index.provider.id === provider.id),
  );
  return missing.map(({ provider }) => ({
    level: 'note',
    what: `The ${provider.name} index lies in the main checkout, ${main}, and this is a linked work tree.`,
    why: 'It holds the code of another branch, so searches here hear nothing of it.',
    next: `index this work tree too, with ${provider.name} run in ${root}`,
  }));
}

function stale({ index, editedAt }: Seen): Finding[] {
  if (editedAt === undefined || !isStale(index, editedAt, nodeFiles)) return [];
  return [
    {
      level: 'note',
      what: `The ${index.provider.name} index is older than the code: that was edited ${formatTime(editedAt)}.`,
      why: 'An index that is out of date is not recommended.',
      next: `bring it up to date with ${index.provider.name}; its next write is seen by itself`,
    },
  ];
}

function unreachable({ index, route }: Seen): Finding[] {
  if (route) return [];
  const { name, server } = index.provider;
  return [
    {
      level: 'note',
      what: `${name} has an index here, and no way to ask it is known.`,
      why: `No tool server called ${server} is registered, none of its tools was called here within a week, and no program of it is on the search path.`,
      next: 'register its server with the agent, or install its program',
    },
  ];
}

/** Where the end of graph calls is not seen, the nudge comes although the graph was asked. */
function unended(root: string, world: CliWorld): Finding[] {
  const { store, clock } = world.engine();
  const now = clock.now();
  const before = cellReader(root, world)(UNENDED);
  const flights = store
    .list('session', now)
    .filter(({ id }) => parseCellId(id).name === FLIGHTS.name)
    .filter(({ id }) => parseValue(store.get(projectId(parseCellId(id).owner), now)) === root)
    .flatMap(({ value }) => Object.values((parseValue(value) ?? {}) as Flights))
    .filter(({ at }) => now - at >= FLIGHT_MS);
  const count = (before?.count ?? 0) + flights.length;
  if (count === 0) return [];
  return [
    {
      level: 'note',
      what: `${counted(count, 'graph call')} began here and ${count === 1 ? 'was' : 'were'} never seen to end.`,
      why: 'A call that was refused or interrupted has no end. If every call is like that, its end does not reach Fairlead, and searches after it are nudged all the same.',
      next: 'fairlead log --all shows which events arrive; fairlead init writes the missing ones',
    },
  ];
}

function unheeded(judged: Judged | undefined): Finding[] {
  if (!judged || !isLow(judged.outcomes)) return [];
  return [
    {
      level: 'note',
      what: `Of the last ${counted(judged.outcomes.length, 'search nudge')} in this project ${shareOf(judged).replace(/ of .*/, '')} were followed.`,
      why: 'It now speaks only where it can answer the search itself, for two weeks or until its provider changes.',
      next: `fairlead rules mode ${RULE} off retires it; fairlead rules enable ${RULE} lets it speak again here`,
    },
  ];
}
