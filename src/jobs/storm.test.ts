import { afterEach, describe, expect, test } from 'vitest';
import { isLong } from '../../test/cases.ts';
import { DEMO, demoWorld, editOf, metadata, SPEC, TASKS } from '../packs/increments/increment.fixture.ts';
import type { World } from '../packs/world.fixture.ts';
import { readTelemetry } from '../telemetry/read.ts';

const [EDITS, ROUNDS] = isLong ? [200, 100] : [40, 20];

let world: World;
afterEach(() => world.close());

const numbers = () =>
  readTelemetry(world.engine.store, { root: world.root, pack: 'increments', since: 0, now: world.now });
const statusLine = () =>
  JSON.parse(world.read('.specweave/state/status-line.json')) as {
    activeIncrements: { id: string; completed: number; total: number }[];
  };

/** So many tasks, of which the first few are done. */
function tasks(total: number, done: number): string {
  const each = (at: number) => `## T-${String(at + 1).padStart(3, '0')}: Step\n\n- [${at < done ? 'x' : ' '}] it\n`;
  return `# Tasks\n\n${Array.from({ length: total }, (_, at) => each(at)).join('\n')}`;
}

async function edit(increment: string, text: string, session: string, withPath: boolean): Promise<string> {
  const path = `.specweave/increments/${increment}/tasks.md`;
  const input = withPath ? editOf(world, path) : {};
  const who = { session_id: session };
  const before = await world.before('Edit', input, who);
  world.put(path, text, world.now);
  const after = await world.after('Edit', input, withPath ? { filePath: `${world.root}/${path}` } : {}, who);
  return before.stdout + after.stdout;
}

describe('storms', () => {
  test(`${ROUNDS * 3} edits at once from 3 sessions: every reply is valid, the queue is bounded, no breaker opens, no work is lost`, async () => {
    world = demoWorld();
    const increments = ['0001-demo', '0002-two', '0003-three'];
    for (const id of increments.slice(1)) {
      world.put(`.specweave/increments/${id}/spec.md`, SPEC, world.now - 60_000);
      world.put(`.specweave/increments/${id}/tasks.md`, TASKS, world.now - 60_000);
      world.put(`.specweave/increments/${id}/metadata.json`, metadata('active', id), world.now - 60_000);
    }
    for (let at = 1; at <= ROUNDS; at += 1) {
      for (const [each, id] of increments.entries()) await edit(id, tasks(ROUNDS, at), `s${each}`, true);
      await world.pass(50);
    }
    await world.pass(1_000);
    expect(statusLine().activeIncrements).toMatchObject([
      { id: '0001-demo', completed: ROUNDS, total: ROUNDS },
      { id: '0002-two', completed: ROUNDS, total: ROUNDS },
    ]);
    await world.pass(5_000);
    const { counts, peaks } = numbers();
    expect(peaks['jobs.longest']).toBeLessThanOrEqual(increments.length * 3);
    // At most every 3 s in a burst, and once more for the last edit; each run marks one further kind at most.
    expect(counts['jobs.run']).toBeLessThanOrEqual(increments.length * 3 * 4);
    expect(counts['jobs.failed'] ?? 0).toBe(0);
    expect(counts['jobs.children'] ?? 0).toBe(0);
    expect(world.cells('increments.breaker')).toEqual({});
    expect(world.cells('increments.dirty')).toEqual({});
    expect(world.engine.failures.read()).toEqual([]);
  });

  test.each([
    ['with arguments', () => true],
    ['without', () => false],
    ['alternating', (at: number) => at % 2 === 0],
  ])(`a script of ${EDITS} edits, %s: after each pause the status line is a fresh count`, async (_, withPath) => {
    world = demoWorld();
    let right = 0;
    // Four edits close together, then a pause.
    for (let at = 1; at <= EDITS; at += 1) {
      await edit('0001-demo', tasks(EDITS, at), 'session-1', withPath(at));
      const isPause = at % 4 === 0;
      await world.pass(isPause ? 1_000 : 120);
      if (isPause && statusLine().activeIncrements[0]?.completed === at) right += 4;
    }
    expect(right).toBe(EDITS);
    expect(world.read(`${DEMO}/spec.md`)).toBe(SPEC);
  });
});
