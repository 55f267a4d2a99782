import { spawn } from 'node:child_process';
import { STAMP } from '../../platform/build.ts';
import { nodeFiles } from '../../platform/files.ts';
import { dirname, join } from '../../platform/paths.ts';
import { makePrivate } from '../../platform/private-dir.ts';
import { pause } from '../../platform/timers.ts';
import { askDaemon, askStatus } from '../../transport/ask-daemon.ts';
import { openMeetingPlace, socketOf } from '../../transport/meeting-place.ts';
import { isNewer } from '../../transport/newer-build.ts';
import { daemonPid, daemonProcess, startDaemon, startingMark } from '../../transport/start-daemon.ts';
import type { DaemonStatus } from '../../transport/status.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Command, VerbFile } from '../command.ts';
import { counted, formatBytes, formatSpan } from '../table.ts';

/** How long a start or an end may take before it is called failed. */
const PATIENCE_MS = 15_000;
const LOOK_MS = 20;
const NOT_RUNNING = 1;

const program = join(import.meta.dirname, 'daemon.js');

export const daemonStart: Command = {
  summary: 'start the engine, or replace an older one',
  details: 'Nobody needs to: the first event starts it. One engine serves all sessions of a home.',
  options: JSON_OPTION,
  async run(input, world) {
    const before = await statusOf(world);
    if (before && !isNewer(STAMP, before.stamp)) return tell(world, input.has('json'), before, 'It runs already.');
    const place = openMeetingPlace(world.paths);
    const unusable = [place.run, dirname(place.socket)].find((dir) => !makePrivate(dir));
    if (unusable !== undefined)
      throw new CommandError(
        `${unusable} cannot be used: it must be a directory that belongs to you and can be written`,
      );
    nodeFiles.remove(startingMark(place));
    const { paths, userHome, env } = world;
    startDaemon({ files: nodeFiles, paths, place, userHome, node: process.execPath, program, now: Date.now(), env });
    const started = await until(world, (status) => status !== undefined && status.pid !== before?.pid);
    if (!started) {
      const log = nodeFiles.readText(join(place.run, 'daemon.log'))?.trim();
      throw new CommandError(`it did not start${log ? `: ${log}` : ''}`);
    }
    return tell(world, input.has('json'), started, before ? 'It replaced an older one.' : 'Started.');
  },
};

export const daemonStop: Command = {
  summary: 'end the engine; the next event starts it again',
  gated: 'it ends the engine',
  details: 'What it has begun to answer is answered. `fairlead off` silences the rules instead.',
  options: JSON_OPTION,
  async run(input, world) {
    const before = await statusOf(world);
    const silent = before ? undefined : daemonPid(nodeFiles, world.paths.run, world.paths.state);
    if (silent !== undefined) {
      process.kill(silent, 'SIGKILL');
      if (input.has('json')) return printJson(world, { running: false, changed: true, pid: silent });
      world.out(`Process ${silent} did not answer and was ended. What it had stored is kept.\n`);
      return;
    }
    if (!before) {
      if (input.has('json')) return printJson(world, { running: false, changed: false });
      world.out('It does not run.\n');
      return;
    }
    await askDaemon(socketOf(world.paths), { verb: 'stop', state: world.paths.state }, PATIENCE_MS);
    const still = await until(world, (status) => status?.pid !== before.pid);
    if (still?.pid === before.pid) throw new CommandError(`process ${before.pid} has not ended yet`);
    if (input.has('json')) return printJson(world, { running: false, changed: true, pid: before.pid });
    world.out(`Process ${before.pid} has ended, after ${formatSpan(Date.now() - before.since)}.\n`);
  },
};

export const daemonStatus: Command = {
  summary: 'whether the engine runs, since when, and what it costs',
  details: 'Exit code 0 when it runs, 1 when it does not.',
  options: JSON_OPTION,
  async run(input, world) {
    const status = await statusOf(world);
    if (status) return tell(world, input.has('json'), status);
    if (input.has('json')) printJson(world, { running: false });
    else world.out('It does not run; the next event starts it.\n');
    return NOT_RUNNING;
  },
};

export const daemonRun: Command = {
  summary: 'run the engine in this terminal',
  details: 'For supervisors and for looking at it; ends with Ctrl-C. It ends at once when another one runs already.',
  async run(_input, world) {
    const before = await statusOf(world);
    if (before && !isNewer(STAMP, before.stamp)) throw new CommandError(`process ${before.pid} runs already`);
    const { paths, userHome } = world;
    openMeetingPlace(paths);
    const { args, env } = daemonProcess({ paths, userHome, node: process.execPath, program, env: world.env });
    const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
    // A supervisor ends the verb, and means the engine.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGTERM'));
    return new Promise((resolve) => {
      child.on('exit', (code) => resolve(code ?? 1));
      child.on('error', () => resolve(1));
    });
  },
};

function statusOf({ paths }: CliWorld): Promise<DaemonStatus | undefined> {
  return askStatus(socketOf(paths), paths.state);
}

/** The first status that will do; undefined when none does in time, or none is there. */
async function until(
  world: CliWorld,
  wanted: (status: DaemonStatus | undefined) => boolean,
): Promise<DaemonStatus | undefined> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const status = await statusOf(world);
    if (wanted(status) || Date.now() > end) return status;
    await pause(LOOK_MS);
  }
}

function tell(world: CliWorld, json: boolean, status: DaemonStatus, first?: string): void {
  const { held: _held, ...shown } = status;
  if (json) return printJson(world, { running: true, ...shown });
  if (first !== undefined) world.out(`${first}\n`);
  for (const [name, value] of daemonFacts(status, Date.now())) world.out(`  ${name.padEnd(9)}  ${value}\n`);
}

export function daemonFacts(status: DaemonStatus, now: number): (readonly [string, string])[] {
  const { pid, stamp, since, memoryBytes, requests, failures, sessions, http } = status;
  const { socket, http: overHttp, aside, refused } = requests;
  const answered = `${counted(socket + overHttp, 'event')} answered, ${overHttp} of them over HTTP`;
  return [
    ['process', `${pid}, for ${formatSpan(now - since)}`],
    ['version', stamp],
    ['memory', formatBytes(memoryBytes)],
    ['requests', `${answered}; ${aside} left to the caller, ${refused} refused`],
    ['failures', String(failures)],
    ['sessions', `${sessions} open`],
    ...(http ? [['http', http.problem ?? `127.0.0.1:${http.port}`] as const] : []),
  ];
}

export default {
  order: 50,
  groups: { daemon: 'the engine that answers hooks: start, stop, status' },
  verbs: {
    'daemon start': daemonStart,
    'daemon stop': daemonStop,
    'daemon status': daemonStatus,
    'daemon run': daemonRun,
  },
} satisfies VerbFile;
