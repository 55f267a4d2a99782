import { beforeAll, describe } from 'vitest';
import { lacks } from '../../lacking.ts';
import { CONTEXT_CALLS } from './context-calls.rows.ts';
import { CONTEXT_COUNTED } from './context-counted.rows.ts';
import { CONTEXT_DAILY } from './context-daily.rows.ts';
import { CONTEXT_TOGETHER } from './context-together.rows.ts';
import { play } from './rows.ts';
import { openSeed } from './stage.ts';
import type { Seed } from './stage.ts';

let seed: Seed;

describe.skipIf(lacks('linux'))('the context pack', () => {
  beforeAll(async () => {
    seed = await openSeed({ packs: { guard: 'off', basics: 'off', peers: 'off', increments: 'off' } });
  });
  play([...CONTEXT_CALLS, ...CONTEXT_COUNTED, ...CONTEXT_DAILY, ...CONTEXT_TOGETHER], () => seed);
});
