import { expect, it } from 'vitest';
import { mayLeadTo } from './system-paths.ts';

it.each([
  ['/usr/lib/x', false],
  ['/dev', false],
  ['/dev/shm', false],
  ['/dev/sda', false],
  ['/dev/shm/project', true],
  ['/dev/shm/project/node_modules/x', false],
  ['/home/ann/project', true],
])('%s may lead to a root without a marker: %s', (path, may) => {
  expect(mayLeadTo({ path, markerBacked: false }, path)).toBe(may);
});
