import { expect, it } from 'vitest';
import { readResources } from './resources.ts';
import type { Machine, Resources } from './resources.ts';

const MB = 1_048_576;
const MEMINFO = 'MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\nSwapTotal: 1048576 kB\nSwapFree: 786432 kB\n';
const CALM = 'some avg10=0.00 avg60=0 avg300=0 total=0\nfull avg10=0.00 avg60=0 avg300=0 total=0\n';
const TIGHT = 'some avg10=30.00 avg60=0 avg300=0 total=0\nfull avg10=20.00 avg60=0 avg300=0 total=0\n';

const machine = (files: Readonly<Record<string, string>>, more: Partial<Machine> = {}): Machine => ({
  platform: 'linux',
  readText: (path) => files[path],
  run: () => Promise.resolve(undefined),
  disk: () => Promise.resolve({ used: 9, total: 10 }),
  loadAverages: () => [1, 2, 3],
  cpus: () => 4,
  ...more,
});

const BASE = { disk: { used: 9, total: 10 }, load: { average: 2, cpus: 4 } };
const HOST = { memory: { total: 8_192 * MB, used: 4_096 * MB }, swap: { total: 1_024 * MB, used: 256 * MB } };

it.each<[string, Readonly<Record<string, string>>, Resources]>([
  ['nothing to read', {}, BASE],
  [
    'no limits',
    {
      '/proc/meminfo': MEMINFO,
      '/proc/pressure/memory': CALM,
      '/proc/self/cgroup': '0::/a\n',
      '/sys/fs/cgroup/a/memory.max': 'max\n',
      '/sys/fs/cgroup/a/cpu.max': 'max 100000\n',
    },
    { ...BASE, ...HOST, pressure: { some: 0, full: 0 } },
  ],
  [
    'a container of the newer tree, which has its own pressure',
    {
      '/proc/meminfo': MEMINFO,
      '/proc/pressure/memory': CALM,
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/memory.max': `${512 * MB}\n`,
      '/sys/fs/cgroup/memory.current': `${400 * MB}\n`,
      '/sys/fs/cgroup/memory.stat': `anon 1\ninactive_file ${100 * MB}\n`,
      '/sys/fs/cgroup/memory.swap.max': '0\n',
      '/sys/fs/cgroup/memory.swap.current': '0\n',
      '/sys/fs/cgroup/memory.pressure': TIGHT,
      '/sys/fs/cgroup/cpu.max': '150000 100000\n',
    },
    {
      ...BASE,
      memory: { total: 512 * MB, used: 300 * MB },
      swap: { total: 0, used: 0 },
      pressure: { some: 30, full: 20 },
      container: { memory: 512 * MB, cpus: 1.5 },
    },
  ],
  [
    'a limit above the own place, tighter than the own one',
    {
      '/proc/meminfo': MEMINFO,
      '/proc/self/cgroup': '0::/pod/box\n',
      '/sys/fs/cgroup/pod/box/memory.max': `${2_048 * MB}\n`,
      '/sys/fs/cgroup/pod/box/memory.current': `${1 * MB}\n`,
      '/sys/fs/cgroup/pod/memory.max': `${1_024 * MB}\n`,
      '/sys/fs/cgroup/pod/memory.current': `${900 * MB}\n`,
    },
    { ...BASE, memory: { total: 1_024 * MB, used: 900 * MB }, swap: HOST.swap, container: { memory: 1_024 * MB } },
  ],
  [
    'a container of the older tree, named as seen from outside',
    {
      '/proc/meminfo': MEMINFO,
      '/proc/self/cgroup': '4:memory:/docker/abc\n1:cpu:/docker/abc\n',
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${512 * MB}\n`,
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': `${500 * MB}\n`,
      '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes': `${768 * MB}\n`,
      '/sys/fs/cgroup/memory/memory.memsw.usage_in_bytes': `${564 * MB}\n`,
      '/sys/fs/cgroup/memory/memory.stat': `total_inactive_file ${20 * MB}\n`,
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '200000\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
    {
      ...BASE,
      memory: { total: 512 * MB, used: 480 * MB },
      swap: { total: 256 * MB, used: 64 * MB },
      container: { memory: 512 * MB, cpus: 2 },
    },
  ],
  [
    'a limit above what the machine has is none',
    {
      '/proc/meminfo': MEMINFO,
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/memory.max': `${99_999 * MB}\n`,
      '/sys/fs/cgroup/memory.current': '1\n',
    },
    { ...BASE, ...HOST },
  ],
])('%s', async (_name, files, expected) => {
  expect(await readResources('/project', machine(files))).toEqual(expected);
});

it('asks a Mac with two programs', async () => {
  const printed: Readonly<Record<string, string>> = {
    'sysctl hw.memsize vm.swapusage':
      'hw.memsize: 1638400000\nvm.swapusage: total = 1024.00M  used = 512.00M  free = 512.00M\n',
    vm_stat: '(page size of 16384 bytes)\nPages wired down: 10000.\nPages active: 40000.\n',
  };
  const run = (program: string, args: readonly string[]) => Promise.resolve(printed[[program, ...args].join(' ')]);
  expect(await readResources('/project', machine({}, { platform: 'darwin', run }))).toEqual({
    ...BASE,
    memory: { total: 1_638_400_000, used: 50_000 * 16_384 },
    swap: { total: 1_024 * MB, used: 512 * MB },
  });
});

it('leaves out what fails', async () => {
  const none = machine({}, { platform: 'win32', disk: () => Promise.resolve(undefined) });
  expect(await readResources('/project', none)).toEqual({});
});

it.runIf(process.platform === 'linux' || process.platform === 'darwin')('reads this machine', async () => {
  const found = await readResources(process.cwd());
  for (const amount of [found.memory, found.disk]) {
    expect(amount?.total).toBeGreaterThan(0);
    expect(amount?.used).toBeGreaterThan(0);
    expect(amount?.used).toBeLessThanOrEqual(amount?.total ?? 0);
  }
  expect(found.load?.cpus).toBeGreaterThan(0);
});
