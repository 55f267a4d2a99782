import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { CAREFUL } from './careful.rows.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('careful mode', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { codegraph: 'on', basics: 'off', peers: 'off' } });
  });
  play(CAREFUL, () => seed);
});
