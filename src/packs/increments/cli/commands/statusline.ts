import type { StatusInput } from '../../../../adapters/adapter.ts';
import { STATUS_LINES } from '../../../../adapters/status-lines.generated.ts';
import { incrementIds, readWhole } from '../../increments.ts';
import { incrementFile, incrementsDir, statusFilePath, WATCHED } from '../../layout.ts';
import { readOptions } from '../../options.ts';
import type { IncrementOptions } from '../../options.ts';
import { renderStatusLine } from '../../render-status.ts';
import { countStatus, readStatus } from '../../status-line.ts';
import type { StatusFile } from '../../status-line.ts';
import { systemClock } from '../../../../platform/clock.ts';
import { nodeFiles } from '../../../../platform/files.ts';
import { cellId } from '../../../../state/cells.ts';
import { readSwitch } from '../../../../state/switch.ts';
import type { CliWorld, Command, VerbFile } from '../../../../cli/command.ts';
import { findIncrementsRoot, incrementOptions } from '../increments-root.ts';

/** The agent waits for the line, and what it tells is not worth more than this. */
const INPUT_MS = 300;
/** The engine keeps the file up to date; one that is older is held against the files it was made of. */
const TRUSTED_MS = 30_000;

export const statusline: Command = {
  summary: "one line for the agent's status line",
  details: `Reads what the agent says about its session on standard input and prints the active increments of the project. It needs no
running engine, prints one line whatever happens, and always exits with 0.`,
  async run(_, world) {
    const input = await attempt(async () => inputIn(await payloadOf(world)), {});
    const root = await attempt(() => rootOf(input, world), undefined);
    const now = systemClock.now();
    const isOff = await attempt(() => isSilent(world, now), true);
    const options = await attempt(
      async () => (root === undefined || isOff ? readOptions({}) : incrementOptions(world, root)),
      readOptions({}),
    );
    const status = await attempt(() => (root === undefined ? undefined : statusIn(root, options, now)), undefined);
    const { ascii, showContext } = options.statusline;
    const percent = showContext ? input.contextPercent : undefined;
    world.out(
      `${renderStatusLine(status, { ascii, ...(percent === undefined ? {} : { contextPercent: percent }) })}\n`,
    );
    if (!isOff) await attempt(() => keepWindow(input, world, now), undefined);
  },
};

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

function rootOf({ projectDir, cwd }: StatusInput, world: CliWorld): string | undefined {
  const dirs = [projectDir, cwd].filter((dir) => dir !== undefined);
  const from = dirs.length === 0 ? [world.cwd] : dirs;
  return from.map((dir) => findIncrementsRoot(dir, world.userHome)).find((root) => root !== undefined);
}

function statusIn(root: string, options: IncrementOptions, now: number): StatusFile | undefined {
  const status = readStatus(readWhole(nodeFiles, statusFilePath(root)) ?? '');
  if (!status) return undefined;
  const writtenAt = Date.parse(status.lastUpdate) || 0;
  if (now - writtenAt <= TRUSTED_MS || !isOutdated(root, writtenAt)) return status;
  return countStatus(nodeFiles, root, options, status.lastUpdate);
}

function isOutdated(root: string, writtenAt: number): boolean {
  const isNewer = (path: string) => (nodeFiles.stat(path)?.mtimeMs ?? 0) > writtenAt;
  // The directory itself changes when an increment comes or goes.
  if (isNewer(incrementsDir(root))) return true;
  return incrementIds(nodeFiles, root).some((id) => WATCHED.some((file) => isNewer(incrementFile(root, id, file))));
}

function isSilent({ env, paths }: CliWorld, now: number): boolean {
  return env['FAIRLEAD_DISABLED'] === '1' || readSwitch(nodeFiles, paths.state, now) !== undefined;
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
