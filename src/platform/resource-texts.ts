import type { Amount } from '../event/facts.ts';

/** The numbers of /proc/meminfo, in bytes. */
export function parseMeminfo(text: string): { readonly memory?: Amount; readonly swap?: Amount } {
  const bytes = new Map<string, number>();
  for (const [, name = '', count] of text.matchAll(/^(\w+):\s+(\d+) kB$/gm)) bytes.set(name, Number(count) * 1_024);
  const total = bytes.get('MemTotal');
  // Kernels before 3.14 do not say what is available.
  const spare =
    bytes.get('MemAvailable') ?? (bytes.get('MemFree') ?? 0) + (bytes.get('Buffers') ?? 0) + (bytes.get('Cached') ?? 0);
  const swap = bytes.get('SwapTotal');
  return {
    ...(total === undefined ? {} : { memory: { total, used: Math.max(0, total - spare) } }),
    ...(swap === undefined ? {} : { swap: { total: swap, used: Math.max(0, swap - (bytes.get('SwapFree') ?? swap)) } }),
  };
}

/** Percent of the last ten seconds, from a pressure file. */
export function parsePressure(text: string): { readonly some: number; readonly full: number } | undefined {
  const read = (kind: string) => new RegExp(`^${kind} avg10=(\\d+(?:\\.\\d+)?)`, 'm').exec(text)?.[1];
  const some = read('some');
  const full = read('full');
  return some === undefined || full === undefined ? undefined : { some: Number(some), full: Number(full) };
}

/** Where a process is in the tree of a controller, from /proc/self/cgroup. */
export interface CgroupPlace {
  readonly version: 1 | 2;
  readonly path: string;
}

/** A machine may have both trees; the older one has the controllers then. */
export function parseCgroup(text: string, controller: 'memory' | 'cpu'): CgroupPlace | undefined {
  let unified: CgroupPlace | undefined;
  for (const line of text.split('\n')) {
    const [id, controllers, ...rest] = line.split(':');
    const path = rest.join(':');
    if (!path.startsWith('/')) continue;
    if (controllers?.split(',').includes(controller) === true) return { version: 1, path };
    if (id === '0' && controllers === '') unified = { version: 2, path };
  }
  return unified;
}

/** Undefined for `max`, for what is no number, and for the huge number that the older tree has instead of a word. */
export function parseLimit(text: string | undefined): number | undefined {
  const word = text?.trim() ?? '';
  const value = /^\d+$/.test(word) ? Number(word) : undefined;
  return value === undefined || value >= NO_LIMIT ? undefined : value;
}

const NO_LIMIT = 2 ** 60;

/** One line of memory.stat. */
export function parseMemoryStat(text: string | undefined, name: string): number | undefined {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text ?? '');
  return found ? Number(found[1]) : undefined;
}

/** How many CPUs' worth of time there is, from cpu.max; undefined without a limit. */
export function parseCpuMax(text: string | undefined): number | undefined {
  const [quota, period] = (text ?? '').trim().split(/\s+/);
  return cpusOf(quota, period);
}

/** The same from the two files of the older tree. */
export function cpusOf(quota: string | undefined, period: string | undefined): number | undefined {
  const cpus = Number(quota?.trim() || Number.NaN) / Number(period?.trim() || Number.NaN);
  return Number.isFinite(cpus) && cpus > 0 ? cpus : undefined;
}

/** What `vm_stat` says is in use and cannot just be dropped; `total` comes from elsewhere. */
export function parseVmStat(text: string, total: number): Amount | undefined {
  const page = Number(/page size of (\d+) bytes/.exec(text)?.[1] ?? Number.NaN);
  const pages = (name: string) => {
    const found = new RegExp(`^"?${name}"?:\\s+(\\d+)\\.?$`, 'm').exec(text);
    return found ? Number(found[1]) : undefined;
  };
  const wired = pages('Pages wired down');
  const compressed = pages('Pages occupied by compressor') ?? 0;
  const anonymous = pages('Anonymous pages');
  const apps = anonymous === undefined ? pages('Pages active') : anonymous - (pages('Pages purgeable') ?? 0);
  if (Number.isNaN(page) || wired === undefined || apps === undefined || total <= 0) return undefined;
  return { total, used: Math.min(total, Math.max(0, apps + wired + compressed) * page) };
}

/** `hw.memsize` and `vm.swapusage`, as `sysctl` names and prints them. */
export function parseSysctl(text: string): { readonly memoryTotal?: number; readonly swap?: Amount } {
  const memory = /^hw\.memsize[:=]\s*(\d+)/m.exec(text)?.[1];
  const usage = /^vm\.swapusage[:=]\s*total = ([\d.,]+[KMGT]?)\s+used = ([\d.,]+[KMGT]?)/m.exec(text);
  const total = sizeOf(usage?.[1]);
  const used = sizeOf(usage?.[2]);
  return {
    ...(memory === undefined ? {} : { memoryTotal: Number(memory) }),
    ...(total === undefined || used === undefined ? {} : { swap: { total, used } }),
  };
}

const UNITS = ['', 'K', 'M', 'G', 'T'];

/** Some locales write a comma. */
function sizeOf(text: string | undefined): number | undefined {
  const match = /^(\d+(?:[.,]\d+)?)([KMGT]?)$/.exec(text ?? '');
  if (match === null) return undefined;
  return Math.round(Number((match[1] ?? '').replace(',', '.')) * 1_024 ** UNITS.indexOf(match[2] ?? ''));
}
