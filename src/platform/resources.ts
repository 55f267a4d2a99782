import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { nodeFiles } from './files.ts';
import {
  cpusOf,
  parseCgroup,
  parseCpuMax,
  parseLimit,
  parseMeminfo,
  parseMemoryStat,
  parsePressure,
  parseSysctl,
  parseVmStat,
} from './resource-texts.ts';
import type { Amount, ResourceSample } from '../event/facts.ts';
import type { CgroupPlace } from './resource-texts.ts';

/** What there is and what is used, in bytes; the disk is the file system that holds the asked path, the load that of five minutes. */
export interface Resources extends ResourceSample {
  /** What a container is limited to; its memory and swap are the totals above. */
  readonly container?: { readonly memory?: number; readonly cpus?: number };
}

/** Where the numbers come from; tests give their own. */
export interface Machine {
  readonly platform: string;
  /** Files of the system, which say nothing about their size. */
  readText(path: string): string | undefined;
  /** What a program prints; undefined when it fails or is late. */
  run(program: string, args: readonly string[]): Promise<string | undefined>;
  disk(path: string): Promise<Amount | undefined>;
  loadAverages(): readonly number[];
  cpus(): number;
}

const LIMIT_MS = 2_000;

export const thisMachine: Machine = {
  platform: process.platform,
  readText: (path) => nodeFiles.readText(path),
  run: (program, args) =>
    new Promise((resolve) => {
      const options = { timeout: LIMIT_MS, encoding: 'utf8' as const, env: { PATH: SYSTEM_PATH, LC_ALL: 'C' } };
      execFile(program, args, options, (error, stdout) => resolve(error ? undefined : stdout));
    }),
  async disk(path) {
    try {
      const { bsize, blocks, bfree, bavail } = await statfs(path);
      // As `df` counts: what only root may use is neither used nor to be had.
      return { used: (blocks - bfree) * bsize, total: (blocks - bfree + bavail) * bsize };
    } catch {
      return undefined;
    }
  },
  loadAverages: loadavg,
  cpus: availableParallelism,
};

const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Looks at the machine as the processes in a directory of it see it. */
export async function readResources(root: string, machine: Machine = thisMachine): Promise<Resources> {
  const disk = machine.disk(root);
  const own =
    machine.platform === 'linux' ? readLinux(machine) : machine.platform === 'darwin' ? await readMac(machine) : {};
  const average = machine.loadAverages()[1];
  const cpus = machine.cpus();
  const found = await disk;
  return {
    ...own,
    ...(found ? { disk: found } : {}),
    // Windows has no such average and says 0.
    ...(average === undefined || cpus <= 0 || machine.platform === 'win32' ? {} : { load: { average, cpus } }),
  };
}

function readLinux(machine: Machine): Resources {
  const whole = parseMeminfo(machine.readText('/proc/meminfo') ?? '');
  const places = machine.readText('/proc/self/cgroup') ?? '';
  const memoryPlace = parseCgroup(places, 'memory');
  const limited = memoryPlace && readMemoryLimit(machine, memoryPlace, whole);
  const cpus = readCpuLimit(machine, parseCgroup(places, 'cpu'));
  const pressureText =
    (limited?.pressurePath === undefined ? undefined : machine.readText(limited.pressurePath)) ??
    machine.readText('/proc/pressure/memory');
  const pressure = pressureText === undefined ? undefined : parsePressure(pressureText);
  const memory = limited?.memory ?? whole.memory;
  const swap = limited?.swap ?? whole.swap;
  const container = {
    ...(limited ? { memory: limited.memory.total } : {}),
    ...(cpus === undefined ? {} : { cpus }),
  };
  return {
    ...(memory ? { memory } : {}),
    ...(pressure ? { pressure } : {}),
    ...(swap ? { swap } : {}),
    ...(Object.keys(container).length > 0 ? { container } : {}),
  };
}

interface Limited {
  readonly memory: Amount;
  readonly swap?: Amount;
  readonly pressurePath?: string;
}

/** The tightest limit on the way up: one that is set above holds below too. */
function readMemoryLimit(
  machine: Machine,
  { version, path }: CgroupPlace,
  whole: { readonly memory?: Amount; readonly swap?: Amount },
): Limited | undefined {
  const limits = levelsOf(version === 1 ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup', path).flatMap((dir) => {
    const limit = parseLimit(machine.readText(`${dir}/${version === 1 ? 'memory.limit_in_bytes' : 'memory.max'}`));
    return limit === undefined || limit <= 0 || limit >= (whole.memory?.total ?? Infinity) ? [] : [{ dir, limit }];
  });
  const [tightest] = limits.toSorted((one, other) => one.limit - other.limit);
  if (!tightest) return undefined;
  const { dir, limit } = tightest;
  const read = (name: string) => machine.readText(`${dir}/${name}`);
  const current = parseLimit(read(version === 1 ? 'memory.usage_in_bytes' : 'memory.current'));
  if (current === undefined) return undefined;
  // Pages of files that nobody has used lately are given up before anything fails.
  const idle = parseMemoryStat(read('memory.stat'), version === 1 ? 'total_inactive_file' : 'inactive_file') ?? 0;
  const swap = version === 1 ? readSwapV1(read, limit, current) : readSwapV2(read);
  return {
    memory: { total: limit, used: Math.max(0, current - idle) },
    ...(swap ? { swap: within(swap, whole.swap) } : {}),
    ...(version === 2 ? { pressurePath: `${dir}/memory.pressure` } : {}),
  };
}

type ReadFile = (name: string) => string | undefined;

function readSwapV2(read: ReadFile): Amount | undefined {
  const total = parseLimit(read('memory.swap.max'));
  const used = parseLimit(read('memory.swap.current'));
  return total === undefined || used === undefined ? undefined : { total, used };
}

/** The older tree counts memory and swap together. */
function readSwapV1(read: ReadFile, limit: number, current: number): Amount | undefined {
  const both = parseLimit(read('memory.memsw.limit_in_bytes'));
  const used = parseLimit(read('memory.memsw.usage_in_bytes'));
  if (both === undefined || used === undefined) return undefined;
  return { total: Math.max(0, both - limit), used: Math.max(0, used - current) };
}

/** A container may be allowed more swap than the machine has. */
function within(swap: Amount, whole: Amount | undefined): Amount {
  return { used: swap.used, total: Math.min(swap.total, whole?.total ?? swap.total) };
}

function readCpuLimit(machine: Machine, place: CgroupPlace | undefined): number | undefined {
  if (!place) return undefined;
  const base = place.version === 1 ? '/sys/fs/cgroup/cpu' : '/sys/fs/cgroup';
  const limits = levelsOf(base, place.path).flatMap((dir) => {
    const cpus =
      place.version === 1
        ? cpusOf(machine.readText(`${dir}/cpu.cfs_quota_us`), machine.readText(`${dir}/cpu.cfs_period_us`))
        : parseCpuMax(machine.readText(`${dir}/cpu.max`));
    return cpus === undefined ? [] : [cpus];
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** A place in a tree and all above it. Inside a container the place may be named as seen from outside; then only the top is there. */
function levelsOf(base: string, path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '..');
  return Array.from({ length: parts.length + 1 }, (_, at) => [base, ...parts.slice(0, parts.length - at)].join('/'));
}

async function readMac(machine: Machine): Promise<Resources> {
  const [system, pages] = await Promise.all([
    machine.run('sysctl', ['hw.memsize', 'vm.swapusage']),
    machine.run('vm_stat', []),
  ]);
  const { memoryTotal, swap } = parseSysctl(system ?? '');
  const memory = memoryTotal === undefined ? undefined : parseVmStat(pages ?? '', memoryTotal);
  return { ...(memory ? { memory } : {}), ...(swap ? { swap } : {}) };
}
