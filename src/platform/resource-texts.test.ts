import { describe, expect, it } from 'vitest';
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

const KB = 1_024;

it.each<[string, string, ReturnType<typeof parseMeminfo>]>([
  ['nothing', '', {}],
  [
    'a kernel that says what is available',
    'MemTotal:       24643328 kB\nMemFree:        22258476 kB\nMemAvailable:   23999336 kB\nBuffers:           42256 kB\nCached:          1571848 kB\nSwapTotal:             0 kB\nSwapFree:              0 kB\n',
    { memory: { total: 24643328 * KB, used: 643992 * KB }, swap: { total: 0, used: 0 } },
  ],
  [
    'an old one',
    'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 250 kB\nSwapTotal: 200 kB\nSwapFree: 50 kB\n',
    { memory: { total: 1000 * KB, used: 600 * KB }, swap: { total: 200 * KB, used: 150 * KB } },
  ],
])('meminfo: %s', (_name, text, expected) => {
  expect(parseMeminfo(text)).toEqual(expected);
});

it.each<[string, string, ReturnType<typeof parsePressure>]>([
  [
    'quiet',
    'some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
    { some: 0, full: 0 },
  ],
  [
    'busy',
    'some avg10=12.34 avg60=1.00 avg300=0.00 total=9\nfull avg10=3.5 avg60=0.00 avg300=0.00 total=7\n',
    { some: 12.34, full: 3.5 },
  ],
  ['half of it', 'some avg10=1.00 avg60=0.00 avg300=0.00 total=0\n', undefined],
  ['nothing', '', undefined],
])('pressure: %s', (_name, text, expected) => {
  expect(parsePressure(text)).toEqual(expected);
});

it.each<[string, string, ReturnType<typeof parseCgroup>]>([
  ['newer tree', '0::/user.slice/app.scope\n', { version: 2, path: '/user.slice/app.scope' }],
  ['older tree', '9:name=systemd:/\n4:memory:/docker/abc\n1:cpu:/\n0::/\n', { version: 1, path: '/docker/abc' }],
  ['controllers together', '4:cpu,memory:/a:b\n', { version: 1, path: '/a:b' }],
  ['nothing', '', undefined],
])('place of a process: %s', (_name, text, expected) => {
  expect(parseCgroup(text, 'memory')).toEqual(expected);
});

it.each<[string | undefined, number | undefined]>([
  ['max\n', undefined],
  ['9223372036854771712\n', undefined],
  ['536870912\n', 536_870_912],
  ['0\n', 0],
  ['-1', undefined],
  [undefined, undefined],
])('limit %s', (text, expected) => {
  expect(parseLimit(text)).toBe(expected);
});

it.each<[string | undefined, number | undefined]>([
  ['200000 100000\n', 2],
  ['50000 100000\n', 0.5],
  ['max 100000\n', undefined],
  ['', undefined],
  [undefined, undefined],
])('cpu.max %s', (text, expected) => {
  expect(parseCpuMax(text)).toBe(expected);
});

it('reads the quota of the older tree', () => {
  expect(cpusOf('150000\n', '100000\n')).toBe(1.5);
  expect(cpusOf('-1\n', '100000\n')).toBeUndefined();
  expect(cpusOf(undefined, '100000\n')).toBeUndefined();
});

it('takes one line of memory.stat', () => {
  expect(parseMemoryStat('cache 5\ninactive_file 290816\ntotal_inactive_file 7\n', 'inactive_file')).toBe(290_816);
  expect(parseMemoryStat('cache 5\n', 'inactive_file')).toBeUndefined();
});

describe('what a Mac prints', () => {
  const pages = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                                    5000.
Pages active:                                300000.
Pages inactive:                              290000.
Pages wired down:                            100000.
Pages purgeable:                              10000.
"Translation faults":                     999999999.
Anonymous pages:                             400000.
Pages stored in compressor:                  600000.
Pages occupied by compressor:                200000.
`;
  it('counts what applications, the system and the compressor hold', () => {
    expect(parseVmStat(pages, 2 ** 34)).toEqual({ total: 2 ** 34, used: (390_000 + 100_000 + 200_000) * 16_384 });
    expect(parseVmStat('', 2 ** 34)).toBeUndefined();
  });
  it.each<[string, ReturnType<typeof parseSysctl>]>([
    [
      'hw.memsize: 17179869184\nvm.swapusage: total = 2048.00M  used = 1021.25M  free = 1026.75M  (encrypted)\n',
      { memoryTotal: 17_179_869_184, swap: { total: 2_147_483_648, used: 1_070_858_240 } },
    ],
    ['vm.swapusage: total = 0,00M  used = 0,00M  free = 0,00M\n', { swap: { total: 0, used: 0 } }],
    ['', {}],
  ])('sysctl %#', (text, expected) => {
    expect(parseSysctl(text)).toEqual(expected);
  });
});
