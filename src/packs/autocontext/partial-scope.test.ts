import { afterEach, expect, it } from 'vitest';
import { nodeFiles } from '../../platform/files.ts';
import { graphPaths } from '../../graph/index.ts';
import { readScope } from '../../graph/graph.fixture.ts';
import { CARD, openCards } from './autocontext.fixture.ts';
import type { CardWorld } from './autocontext.fixture.ts';

/** More files than are indexed, with the package that is worked in behind all others. */
const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`alpha/f${n}.py`, `def f${n}():\n    return ${n}\n`])),
  'zeta/pyproject.toml': '[project]\nname = "zeta"\n',
  'zeta/core.py': 'def foo():\n    return 1\n\n\ndef bar():\n    return foo()\n',
};
const config = (maxFiles: number) => `packs: { autocontext: { enabled: true, index: { maxFiles: ${maxFiles} } } }\n`;

let world: CardWorld;
afterEach(() => world.close());

const scope = () => readScope(nodeFiles, graphPaths(world.paths.state, world.root), world.root);
const sweeps = () => world.graphs.asked.filter(({ touched }) => touched !== undefined).length;

it('reading a file beyond the cap brings its package into the index, and cards say that it is not whole', async () => {
  world = await openCards(FILES, { config: config(10) });
  expect(scope()).toMatchObject({ files: 10, of: 15, touched: [] });
  expect(await world.card('zeta/core.py')).not.toContain(CARD);
  expect(scope()).toMatchObject({ touched: ['zeta'], first: ['zeta'] });
  const card = await world.card('zeta/core.py');
  expect(card).toMatch(/ \(zeta\): function foo, zeta\/core\.py:1; partial scope\n/);
  expect(sweeps()).toBe(1);
});

it('below the cap nothing is asked for, and cards say nothing of it', async () => {
  world = await openCards(FILES, { config: config(15) });
  expect(await world.card('zeta/core.py')).toMatch(/ \(zeta\): function foo, zeta\/core\.py:1\n/);
  expect([scope(), sweeps()]).toEqual([undefined, 0]);
});
