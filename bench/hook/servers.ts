import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { daemonProcess } from '../../src/transport/start-daemon.ts';

export interface Server {
  readonly pid: number;
  stop(): Promise<void>;
}

/** With its port once it listens. */
export async function startEcho(script: string, pin: readonly string[]): Promise<Server & { readonly port: number }> {
  const child = start([...pin, process.execPath, script], {});
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(Number(text.toString())));
    child.once('exit', () => reject(new Error('the echo ended')));
  });
  return { ...serverOf(child), port };
}

/** A daemon that decides nothing, once it listens at the socket. */
export async function startBare(script: string, socket: string): Promise<Server> {
  const child = start([process.execPath, script, socket], {});
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve);
    child.once('exit', () => reject(new Error('the bare daemon ended')));
  });
  return serverOf(child);
}

export interface DaemonStart {
  readonly entry: string;
  readonly config: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pin: readonly string[];
  /** More for Node, such as a profiler. */
  readonly node?: readonly string[];
}

/** Runs the daemon as a child of the measuring process, so that it can be pinned and watched. */
export async function startDaemon({ entry, config, state, env, pin, node = [] }: DaemonStart): Promise<Server> {
  // As the product starts it.
  const { args, env: own } = daemonProcess({
    paths: { config, state, run: join(state, 'run') },
    userHome: env['HOME'] ?? '/',
    node: process.execPath,
    program: entry,
  });
  const child = start([...pin, process.execPath, ...node, ...args], { ...env, ...own });
  for (let waited = 0; !existsSync(join(state, 'run', 'daemon.json')); waited += 20) {
    if (child.exitCode !== null || waited > 10_000) throw new Error('the daemon did not start');
    await sleep(20);
  }
  return serverOf(child);
}

function start([command = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(command, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
}

function serverOf(child: ChildProcess): Server {
  if (child.pid === undefined) throw new Error('a server could not be started');
  return {
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const TICKS_PER_SECOND = 100;

/** Seconds of processor time so far; undefined where the system does not tell. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ');
    return (Number(fields?.[11]) + Number(fields?.[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** Resident memory in MB, now and at its highest. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const megabytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024;
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
  } catch {
    return undefined;
  }
}
