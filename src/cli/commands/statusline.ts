import type { StatusInput } from '../../adapters/adapter.ts';
import { DISABLED } from '../../adapters/forwarded.ts';
import { STATUS_LINES } from '../../adapters/status-lines.generated.ts';
import { GRAPH_PACK } from '../../event/known-packs.ts';
import { pauseOf } from '../../engine/session/pause.ts';
import { graphPaths, holderOf } from '../../graph/index.ts';
import { countStopped } from '../../ledger/read.ts';
import { PACK_STATUS } from '../../packs/cli.generated.ts';
import { systemClock } from '../../platform/clock.ts';
import { nodeFiles } from '../../platform/files.ts';
import { cellId } from '../../state/cells.ts';
import { readSwitch } from '../../state/switch.ts';
import { unguardedSince } from '../../workspace/wired.ts';
import { columnsOf } from '../../text/columns.ts';
import { HOME_OPTIONS } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { knownRules, rootAt } from '../known-rules.ts';
import type { StatusPart } from '../pack-parts.ts';
import { counted, printableLine } from '../table.ts';

/** The agent waits for the line, and what it tells is not worth more than this. */
const INPUT_MS = 300;

export const statusline: Command = {
  summary: "one line for the agent's status line",
  details: `Reads what the agent says about its session on standard input. Prints how many rules are on here, how many calls were stopped in this project
today, whether there is a code graph, how much of the context is left, and what packs have to show. It needs no running engine,
prints one line whatever happens, and always exits with 0. \`fairlead init --statusline\` wires it.`,
  options: HOME_OPTIONS,
  async run(_, world) {
    const input = await attempt(async () => inputIn(await payloadOf(world)), {});
    const now = systemClock.now();
    const isOff = await attempt(() => isSilent(world, now), true);
    const dirs = [input.projectDir, input.cwd].filter((dir) => dir !== undefined);
    const places = dirs.length === 0 ? await attempt(() => [world.cwd], []) : dirs;
    const parts = await partsOf(places, now, world, isOff);
    const isAscii = parts.some(({ ascii }) => ascii === true);
    const own = isOff
      ? ['Fairlead is off']
      : await attempt(() => stateOf(places, input.session, now, world), ['Fairlead']);
    const left = parts.some(({ showContext }) => showContext === false) ? [] : contextLeft(input);
    const texts = parts.flatMap(({ text }) => text ?? []);
    world.out(`${printableLine(lineOf([...own, ...left], texts, isAscii ? ' - ' : ' · '))}\n`);
    if (!isOff) await attempt(() => keepWindow(input, world, now), undefined);
  },
};

/** What an agent shows of a line. */
const COLUMNS = 120;

/** What packs show is cut to the room behind our own words; where that is too little, the last of those go first. */
function lineOf(own: readonly string[], texts: NonNullable<StatusPart['text']>[], dot: string): string {
  const lead = own.map((part) => part + dot).join('');
  const room = COLUMNS - columnsOf(lead) - dot.length * Math.max(0, texts.length - 1);
  const line = [...own, ...texts.map((text) => text(Math.floor(room / texts.length)))].join(dot);
  return columnsOf(line) <= COLUMNS || own.length === 0 ? line : lineOf(own.slice(0, -1), texts, dot);
}

/** A line that is not perfect is better than a failure in the agent's face. */
async function attempt<T>(work: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}

async function payloadOf(world: CliWorld): Promise<unknown> {
  if (!world.hasInput) return undefined;
  return JSON.parse(await world.readStdin(INPUT_MS)) as unknown;
}

/** What the payload tells, by the words of whichever agent sends such. */
function inputIn(payload: unknown): StatusInput {
  return STATUS_LINES.map(({ readStatus: read }) => read(payload)).find((input) => Object.keys(input).length > 0) ?? {};
}

async function partsOf(
  dirs: readonly string[],
  now: number,
  world: CliWorld,
  isOff: boolean,
): Promise<readonly StatusPart[]> {
  const parts = await Promise.all(
    PACK_STATUS.map(({ load }) => attempt(async () => (await load()).at(dirs, now, world, isOff), undefined)),
  );
  return parts.filter((part) => part !== undefined);
}

/** What is on, what it did today, and whether it can ask a code graph. Each is left out where it cannot be told. */
async function stateOf(
  [dir]: readonly string[],
  session: string | undefined,
  now: number,
  world: CliWorld,
): Promise<readonly string[]> {
  if (dir === undefined || nodeFiles.stat(dir)?.kind !== 'dir') return ['Fairlead'];
  const { rules, root } = await knownRules(world, rootAt(world, dir));
  const active = rules.filter(({ mode }) => mode !== 'off');
  const { store, memory } = world.engine();
  const pause = session === undefined ? undefined : pauseOf(session, (id) => store.get(id, now));
  const on =
    pause?.all === true
      ? 'Fairlead is off in this session'
      : `Fairlead ${counted(active.length, 'rule')}${pause ? ', advice paused' : ''}`;
  const { db } = memory;
  const since = unguardedSince(nodeFiles, world.paths.state, now, root);
  return [
    on,
    ...(since === undefined ? [] : [`unguarded since ${since}`]),
    ...(db ? [`${countStopped(db, root, startOfDay(now))} stopped today`] : []),
    ...graphState(
      root,
      world,
      active.some(({ meta }) => meta.pack === GRAPH_PACK),
    ),
  ];
}

function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** By its files alone: to open a graph would take longer than the line may. */
function graphState(root: string, { paths }: CliWorld, isWanted: boolean): readonly string[] {
  const place = graphPaths(paths.state, root);
  if (holderOf(nodeFiles, place)) return ['graph indexing'];
  if (nodeFiles.exists(place.snapshot)) return ['graph ready'];
  return isWanted ? ['no graph yet'] : [];
}

function contextLeft({ contextPercent }: StatusInput): readonly string[] {
  return contextPercent === undefined ? [] : [`${Math.max(0, 100 - Math.round(contextPercent))}% context left`];
}

function isSilent({ env, paths }: CliWorld, now: number): boolean {
  return env[DISABLED] === '1' || readSwitch(nodeFiles, paths.state, now) !== undefined;
}

/** No event tells how large the agent's context is; rules that count what is left of it read this. */
function keepWindow({ session, contextWindow }: StatusInput, world: CliWorld, now: number): void {
  if (session === undefined || contextWindow === undefined) return;
  const { store, memory } = world.engine();
  const id = cellId('session', session, 'context.window');
  const value = JSON.stringify(contextWindow);
  if (store.get(id, now) === value) return;
  memory.hurry();
  store.commit({ reads: new Map(), changes: [{ op: 'set', id, value, expires: 0 }], now });
}

export default { order: 350, verbs: { statusline } } satisfies VerbFile;
