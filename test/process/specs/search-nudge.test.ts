import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';
import { SEARCH_NUDGE_SHAPES } from './search-nudge-shapes.rows.ts';
import { SEARCH_NUDGE_TURNS } from './search-nudge-turns.rows.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('the search nudge', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { codegraph: 'on', guard: 'off', basics: 'off', peers: 'off' } });
  });
  play([...SEARCH_NUDGE_SHAPES, ...SEARCH_NUDGE_TURNS], () => seed);
});
