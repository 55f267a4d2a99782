import { afterEach, beforeEach, expect, test } from 'vitest';
import { activeRule, plainAdapter, policyOf, toolEvent } from '../engine/engine.fixture.ts';
import { readRelays } from '../ledger/relays.ts';
import { databaseOf } from './database.ts';
import { dryRun } from './dry-run.ts';
import { createStage } from './played.fixture.ts';
import type { Stage } from './played.fixture.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.remove());

test('what a rule counts and relays on a dry run is not kept', async () => {
  const rule = activeRule('test/tells', (_, { later, pass }) => {
    later.count('calls');
    later.relay('told', 'it ran');
    return pass('ran');
  });
  const world = stage.world();
  const engine = world.engine();
  const locate: typeof engine.locate = async (event, project) => ({
    ...(await engine.locate(event, project)),
    policy: policyOf([rule]),
  });
  const place = { cwd: stage.project, home: stage.home };
  const { detail } = await dryRun(toolEvent({ command: 'ls' }), plainAdapter, { ...engine, locate }, place);
  expect(detail.trace).toMatchObject([{ rule: 'test/tells', reason: 'ran' }]);
  await engine.finishLate(0);
  engine.telemetry.flush();
  engine.ledger.flush();
  expect(readRelays(databaseOf(world))).toEqual([]);
  expect(engine.store.list('', engine.clock.now())).toEqual([]);
});
