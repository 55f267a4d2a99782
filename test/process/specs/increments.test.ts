import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { INCREMENTS_DETECTION } from './increments-detection.rows.ts';
import { INCREMENTS_JOBS } from './increments-jobs.rows.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('increments', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { guard: 'off', basics: 'off', peers: 'off' } });
  });
  play([...INCREMENTS_DETECTION, ...INCREMENTS_JOBS], () => seed);
});
