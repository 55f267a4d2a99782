import { existsSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../verbs.generated.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { Ran, ShopProject } from '../graph/indexed-project.fixture.ts';
import { helpFor } from '../help.ts';
import file from './canvas.ts';
import { impact } from './graph-query.ts';

let shop: ShopProject;
beforeAll(() => {
  shop = plantShop();
});
afterAll(() => shop.remove());

const graph = (...words: string[]): Promise<Ran> => shop.graph(...words);

it('what was found out is kept, as text and as data', async () => {
  expect(await graph('canvas')).toMatchObject({ code: 1, out: expect.stringContaining('nothing was kept') });
  expect((await graph('index')).code).toBe(0);
  const told = await graph('impact', 'parse_config');
  expect(told).toMatchObject({
    code: 0,
    out: expect.stringMatching(/evidence E2 · picture \S+\.svg and \S+\.png\nstable\n$/),
  });
  const [, svg = '', png = ''] = /picture (\S+) and (\S+)\n/.exec(told.out) ?? [];
  expect([existsSync(svg), existsSync(png)]).toEqual([true, true]);
  expect(JSON.parse((await graph('impact', 'main', '--no-draw', '--json')).out)).toMatchObject({
    is: 'impact',
    state: 'stable',
    evidence: 'E3',
  });
  expect(await graph('canvas', '--limit', '1')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /focus: src\/main\.ts#main\nevidence: 3\n[^]*\nE3 {2}impact [^]*… 2 older: `fairlead graph canvas --limit 3`\n$/,
    ),
  });
  const { evidence } = JSON.parse((await graph('canvas', '--json')).out) as {
    evidence: { id: string; outdated: boolean }[];
  };
  expect(evidence.map(({ id, outdated }) => `${id} ${outdated}`)).toEqual(['E3 false', 'E2 false', 'E1 false']);
  shop.putProject('src/more.ts', "import { main } from './main.ts';\nexport function more(): void {\n  main();\n}\n");
  expect(await graph('canvas', '--counts')).toMatchObject({
    code: 0,
    out: expect.stringContaining('evidence: 3, 2 outdated'),
  });
  const { place } = await shop.json('status');
  rmSync(String(place), { recursive: true });
  expect((await graph('canvas', '--counts')).out).toContain(
    'evidence: 3; there is no index, so what of it is outdated',
  );
  expect((await graph('index')).code).toBe(0);
});

it('by its old name it does the same, and says the new one', async () => {
  const now = await graph('canvas', '--json');
  const { err, ...before } = await shop.ask(['read', '--json'], { group: 'canvas' });
  expect(before).toEqual({ code: now.code, out: now.out });
  expect(err).toBe('"fairlead canvas read" goes with the next version; use: fairlead graph canvas\n');
});

describe('usage', () => {
  it.each([
    ['canvas', '--limit', '0'],
    ['canvas', 'x'],
  ])('%s %s %s', async (...words) => {
    expect((await graph(...words.filter((word) => word !== undefined))).code).toBe(2);
  });

  it('each verb has help', () => {
    for (const [verb, command] of Object.entries(file.verbs)) {
      expect(helpFor(verb, command, shop.world())).toContain('--json');
      expect(VERBS[verb]?.summary).toBe(command.summary);
    }
  });
});

it('a picture that cannot be had leaves the text', async () => {
  // Nobody waits for it, so that it is not there yet.
  const world = shop.world();
  expect(await world.run(impact, 'main', '--wait', '0')).toBe(0);
  expect(world.printed.out).toMatch(/^main[^]*caller[^]*\nnothing (could be|was) drawn.*\n/);
});
