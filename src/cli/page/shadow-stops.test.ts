import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { beginShadowStops } from '../../ledger/shadow-stops.ts';
import { readStops } from '../../ledger/stops.ts';
import { databaseOf } from '../database.ts';
import { createStage } from '../played.fixture.ts';
import type { Stage } from '../played.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { stopsBefore } from './rows.ts';
import type { Rules, Stops } from './shapes.ts';
import { createViews } from './views.ts';

const RULE = '---\nevent: bash\nwords: [publish]\naction: deny\nmode: shadow\n---\nNothing is published from here.\n';
let stage: Stage;
let world: FakeWorld;

beforeAll(async () => {
  stage = createStage();
  const rules = join(stage.world().paths.config, 'rules');
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(rules, 'no-publish.md'), RULE);
  const call = stage
    .calls('heavy-parcel')
    .find(({ payload }) => payload['hook_event_name'] === 'PreToolUse' && payload['tool_name'] === 'Bash');
  if (!call) throw new Error('the recorded session has no command');
  for (const command of ['npm publish', 'npm publish --tag next', 'ls', 'rm -rf /', 'cargo publish'])
    await stage.play([
      { ...call, at: 0, payload: { ...call.payload, tool_input: { command }, tool_use_id: `toolu_${command}` } },
    ]);
  world = stage.world();
});
afterAll(() => stage.remove());

const db = () => databaseOf(world);
const view = <T>(name: string, query: Readonly<Record<string, string>> = {}) =>
  createViews(world).answer(name, (key) => query[key]) as Promise<T>;
const WOULD = ['cargo publish', 'npm publish --tag next', 'npm publish'];

it('are shown apart from what was stopped, with what they would have done', async () => {
  const { stops } = await view<Stops>('stops', { action: 'shadow' });
  expect(stops.map(({ what }) => what)).toEqual(WOULD);
  expect(stops[0]).toMatchObject({ action: 'deny', isShadow: true, rules: ['user/no-publish'] });
  expect(stops[0]?.reason).toContain('Nothing is published');
  const real = (await view<Stops>('stops')).stops;
  expect(real.map(({ what, isShadow }) => [what, isShadow])).toEqual([['rm -rf /', false]]);
});

it('come a page at a time, and of one rule', () => {
  const query = { action: 'shadow', rule: 'user/no-publish' };
  const first = stopsBefore(db(), query, world.userHome, 2);
  expect(first.next).toBeDefined();
  const second = stopsBefore(db(), { ...query, before: first.next ?? 0 }, world.userHome, 2);
  expect([...first.stops, ...second.stops].map(({ what }) => what)).toEqual(WOULD);
  expect(second.next).toBeUndefined();
  expect(stopsBefore(db(), { ...query, rule: 'user/other' }, world.userHome).stops).toEqual([]);
});

it('count for their rule', async () => {
  const { rules } = await view<Rules>('rules');
  expect(rules.find(({ rule }) => rule === 'user/no-publish')).toMatchObject({ would: 3, denies: 0, mode: 'shadow' });
});

it('are those that `rules judge` asks about, also of a ledger that did not keep them', () => {
  const asked = readStops(db(), { since: 0 }).filter(({ shadow }) => shadow);
  const kept = () =>
    (db().prepare('SELECT n FROM shadow_stops ORDER BY n DESC').all() as { n: number }[]).map(({ n }) => n);
  expect(kept()).toEqual(asked.map(({ n }) => n));
  const before = kept();
  db().exec('DROP TABLE shadow_stops');
  expect(stopsBefore(db(), { action: 'shadow' }, world.userHome).stops).toEqual([]);
  beginShadowStops(db());
  expect(kept()).toEqual(before);
});
