import { expect, it } from 'vitest';
import { judgeResources, readLimits, RESOURCE_LIMITS } from './resource-levels.ts';
import type { ResourceSample } from '../../engine/rule.ts';
import type { MemorySource } from './resource-levels.ts';

const of100 = (used: number) => ({ used, total: 100 });

it.each<[string, ResourceSample, MemorySource, readonly string[]]>([
  ['nothing readable', {}, 'auto', []],
  ['memory in danger', { memory: of100(92) }, 'auto', ['memory danger']],
  ['below danger', { memory: of100(85), disk: of100(90) }, 'auto', ['memory warn', 'disk warn']],
  [
    'limits count from themselves on',
    { memory: of100(90), swap: of100(75), disk: of100(95) },
    'auto',
    ['memory danger', 'swap danger', 'disk danger'],
  ],
  [
    'just below',
    { memory: of100(79.9), swap: of100(49), disk: of100(84) },
    'auto',
    ['memory fine', 'swap fine', 'disk fine'],
  ],
  ['full, without pressure', { memory: of100(95), pressure: { some: 0, full: 0 } }, 'auto', ['memory fine']],
  ['some pressure', { memory: of100(10), pressure: { some: 10, full: 9.9 } }, 'auto', ['memory warn']],
  ['full pressure', { pressure: { some: 40, full: 10 } }, 'auto', ['memory danger']],
  ['used is asked for', { memory: of100(95), pressure: { some: 0, full: 0 } }, 'used', ['memory danger']],
  ['pressure is asked for and not known', { memory: of100(95) }, 'pressure', []],
  ['load', { load: { average: 6.4, cpus: 4 } }, 'auto', ['load danger']],
  ['load on more', { load: { average: 6.4, cpus: 16 } }, 'auto', ['load fine']],
  ['a machine without swap', { swap: of100(0), disk: { used: 0, total: 0 } }, 'auto', ['swap fine']],
])('%s', (_name, sample, source, levels) => {
  expect(judgeResources(sample, RESOURCE_LIMITS, source).map(({ metric, level }) => `${metric} ${level}`)).toEqual(
    levels,
  );
});

it('a limit of 0 is none', () => {
  const off = { warn: 0, danger: 0 };
  const limits = { ...RESOURCE_LIMITS, disk: off, memory: off };
  const judged = judgeResources({ disk: of100(99), pressure: { some: 90, full: 90 } }, limits);
  expect(judged.filter(({ level }) => level !== 'fine')).toEqual([]);
});

it.each<[unknown, string, object]>([
  [undefined, 'memory', { warn: 80, danger: 90 }],
  [{ memory: { danger: 97 } }, 'memory', { warn: 80, danger: 97 }],
  [{ load: { warn: 0, danger: 3 } }, 'load', { warn: 0, danger: 3 }],
  [{ disk: { warn: 'high', danger: null } }, 'disk', { warn: 85, danger: 95 }],
  [{ disk: 5 }, 'disk', { warn: 85, danger: 95 }],
  ['none', 'swap', { warn: 50, danger: 75 }],
])('limits of %j: %s', (given, metric, limit) => {
  expect(readLimits(given)[metric as 'memory']).toEqual(limit);
});
