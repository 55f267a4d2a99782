import { existsSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../verbs.generated.ts';
import { plantShop } from '../graph/indexed-project.fixture.ts';
import type { Ran, ShopProject } from '../graph/indexed-project.fixture.ts';
import { helpFor } from '../help.ts';
import { impact, init, read, status } from './canvas.ts';

let shop: ShopProject;
beforeAll(() => {
  shop = plantShop();
});
afterAll(() => shop.remove());

const canvas = (...words: string[]): Promise<Ran> => shop.begin(words, { group: 'canvas' }).ran;

it('init, impact, read and status, as text and as data', async () => {
  expect(await canvas('read')).toMatchObject({ code: 1, out: expect.stringContaining('nothing was kept') });
  expect((await canvas('init')).code).toBe(0);
  const told = await canvas('impact', 'parse_config');
  expect(told).toMatchObject({
    code: 0,
    out: expect.stringMatching(/evidence E2 · picture \S+\.svg and \S+\.png\nstable\n$/),
  });
  const [, svg = '', png = ''] = /picture (\S+) and (\S+)\n/.exec(told.out) ?? [];
  expect([existsSync(svg), existsSync(png)]).toEqual([true, true]);
  expect(JSON.parse((await canvas('impact', 'main', '--no-draw', '--json')).out)).toMatchObject({
    is: 'impact',
    state: 'stable',
    evidence: 'E3',
  });
  expect(await canvas('read', '--limit', '1')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /focus: src\/main\.ts#main\nevidence: 3\n[^]*\nE3 {2}impact [^]*… 2 older: `fairlead canvas read --limit 3`\n$/,
    ),
  });
  const { evidence } = JSON.parse((await canvas('read', '--json')).out) as {
    evidence: { id: string; outdated: boolean }[];
  };
  expect(evidence.map(({ id, outdated }) => `${id} ${outdated}`)).toEqual(['E3 false', 'E2 false', 'E1 false']);
  shop.putProject('src/more.ts', "import { main } from './main.ts';\nexport function more(): void {\n  main();\n}\n");
  expect(await canvas('status')).toMatchObject({ code: 0, out: expect.stringContaining('evidence: 3, 2 outdated') });
  const { place } = await shop.json('status');
  rmSync(String(place), { recursive: true });
  expect((await canvas('status')).out).toContain('evidence: 3; there is no index, so what of it is outdated');
  expect((await canvas('init')).code).toBe(0);
});

describe('usage', () => {
  it.each([['read', '--limit', '0'], ['read', 'x'], ['impact', 'main', '--wait', '61'], ['claim']])(
    '%s %s %s',
    async (...words) => {
      expect((await canvas(...words.filter((word) => word !== undefined))).code).toBe(2);
    },
  );

  it('each verb has help', () => {
    for (const [verb, command] of Object.entries({ init, impact, status, read })) {
      expect(helpFor(`canvas ${verb}`, command, shop.world())).toContain('--json');
      expect(VERBS[`canvas ${verb}`]?.summary).toBe(command.summary);
    }
  });
});

it('a picture that cannot be had leaves the text', async () => {
  // Nobody waits for it, so that it is not there yet.
  const world = shop.world();
  expect(await world.run(impact, 'main', '--wait', '0')).toBe(0);
  expect(world.printed.out).toMatch(/^main[^]*caller[^]*\nnothing (could be|was) drawn.*\n/);
});
