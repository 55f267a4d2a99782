import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { DIAGRAMS_DRAWINGS } from './diagrams-drawings.rows.ts';
import { DIAGRAMS_FLAG } from './diagrams-flag.rows.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('drawings with a source', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { diagrams: 'on', guard: 'off', basics: 'off', peers: 'off' } });
  });
  play([...DIAGRAMS_DRAWINGS, ...DIAGRAMS_FLAG], () => seed);
});
