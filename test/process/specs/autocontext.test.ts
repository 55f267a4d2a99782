import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { AUTOCONTEXT_ROOTS } from './autocontext-roots.rows.ts';
import { AUTOCONTEXT_CARDS } from './autocontext-cards.rows.ts';
import { AUTOCONTEXT_GRAPH } from './autocontext-graph.rows.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('cards of the code graph', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { autocontext: 'on', codegraph: 'on', guard: 'off', basics: 'off', peers: 'off' } });
  });
  play([...AUTOCONTEXT_ROOTS, ...AUTOCONTEXT_CARDS, ...AUTOCONTEXT_GRAPH], () => seed);
});
