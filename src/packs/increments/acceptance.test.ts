import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { stats } from '../../cli/commands/stats.ts';
import { fakeWorld } from '../../cli/world.fixture.ts';
import { isLong } from '../../../test/cases.ts';
import { nodeFiles } from '../../platform/files.ts';
import { parseCellId } from '../../state/cells.ts';
import { clearSwitch, writeSwitch } from '../../state/switch.ts';
import { playSession } from '../played-session.fixture.ts';
import type { World } from '../world.fixture.ts';
import { DEMO, demoWorld, editOf, metadata, SPEC, TASKS, tick } from './increment.fixture.ts';
import { statusFilePath } from './layout.ts';
import { readOptions } from './options.ts';
import { countStatus } from './status-line.ts';

let world: World;
afterEach(() => world.close());

const EDITS = isLong ? 200 : 60;
const IDS = ['0001-demo', '0002-two', '0003-three'];
const pathOf = (id: string, file: string) => `.specweave/increments/${id}/${file}`;

async function openThree(): Promise<void> {
  world = demoWorld();
  for (const id of IDS.slice(1)) {
    const old = world.now - 3_600_000;
    world.put(pathOf(id, 'tasks.md'), TASKS, old);
    world.put(pathOf(id, 'spec.md'), SPEC, old);
    world.put(pathOf(id, 'metadata.json'), metadata('active', id), old);
    // Its state was looked at before, as it is in every session that lasts.
    await world.before('Edit', editOf(world, pathOf(id, 'tasks.md')));
  }
}

/** One step of the script: another file, of another increment, in another state than last time. */
function stepAt(at: number): { readonly path: string; readonly text: string } {
  const id = IDS[at % IDS.length] ?? '';
  const turn = Math.floor(at / IDS.length);
  const half = TASKS.replace('- [ ]', '- [x]');
  switch (turn % 4) {
    case 0:
      return { path: pathOf(id, 'tasks.md'), text: [TASKS, half, tick(TASKS)][turn % 3] ?? '' };
    case 1:
      return { path: pathOf(id, 'spec.md'), text: `${SPEC}\n- [ ] **AC-US1-${10 + (turn % 5)}**: One more.\n` };
    case 2:
      return { path: pathOf(id, 'metadata.json'), text: metadata(turn % 3 === 0 ? 'paused' : 'active', id) };
    default:
      return { path: pathOf(id, 'tasks.md'), text: `${half}\n## T-00${3 + (turn % 6)}: More\n\n- [x] done\n` };
  }
}

async function edit(path: string, text: string, withPath: boolean): Promise<void> {
  const input = withPath ? { file_path: join(world.root, path), content: text } : {};
  const call = { tool_use_id: `edit-${(edits += 1)}` };
  await world.before('Write', input, call);
  world.put(path, text, world.now);
  await world.after('Write', input, {}, call);
}
let edits = 0;

function statusNow(): unknown {
  return { ...(JSON.parse(readFileSync(statusFilePath(world.root), 'utf8')) as object), lastUpdate: '' };
}

async function statsNow(): Promise<string> {
  await world.pass(3_000);
  const cli = fakeWorld({ home: world.home, cwd: world.root, columns: 140 });
  try {
    await cli.run(stats, 'increments');
    return cli.printed.out;
  } finally {
    cli.close();
  }
}

describe('the status line is right, however edits are noticed', () => {
  it.each([
    ['with arguments', () => true],
    ['without', () => false],
    ['alternating', (at: number) => at % 2 === 0],
  ])(`${EDITS} edits of all watched files of three increments, %s`, async (_, withPath) => {
    await openThree();
    const wrong: unknown[] = [];
    for (let at = 0; at < EDITS; at += 1) {
      const { path, text } = stepAt(at);
      await edit(path, text, withPath(at));
      if (at % 10 !== 9) await world.pass(90);
      else {
        await world.pass(1_000);
        const fresh = countStatus(nodeFiles, world.root, readOptions({}), '');
        if (JSON.stringify(statusNow()) !== JSON.stringify(fresh)) wrong.push([at, fresh, statusNow()]);
      }
    }
    expect(wrong).toEqual([]);
    expect(world.cells('increments.breaker')).toEqual({});
    expect(world.engine.failures.read()).toEqual([]);
  });
});

describe('telemetry tells hosts that bring arguments from those that do not', () => {
  it('an agent that brings none', async () => {
    world = demoWorld();
    for (let at = 0; at < 25; at += 1) await edit(`${DEMO}/tasks.md`, `${TASKS}${'\n'.repeat(at)}`, false);
    const shown = await statsNow();
    expect(shown).toMatch(/PreToolUse +blind since \S+ +with args 0 +without 25 +useless 100\.0%/);
    expect(shown).toMatch(/PostToolUse +blind since \S+ +with args 0 +without 25 +useless 100\.0%/);
    expect(shown).toMatch(/exits +tier0 25 +tier1 0 +tier2 0 +tier3 25\n/);
    expect(shown).toMatch(/detected .* mtime 25 \(100\.0%\)/);
  });

  it('a recorded session of a real agent, again and again', async () => {
    const { world: played, steps } = await playSession('increments', {});
    world = played;
    for (let round = 0; round < 8; round += 1)
      for (const { payload } of steps) {
        const call = `${String(payload['tool_use_id'])}-${round}`;
        if (payload['tool_name'] === 'Edit') await world.send({ ...payload, tool_use_id: call });
      }
    const shown = await statsNow();
    expect(shown).toMatch(/PreToolUse +sighted since \S+ +with args \d\d +without 0 +useless 0\.0%/);
    expect(shown).toMatch(/PostToolUse +sighted since \S+ +with args \d\d +without 0 +useless 0\.0%/);
  });

  it('150 blind events, then 150 sighted ones: the 51st of them brings the source back', async () => {
    world = demoWorld();
    const source = 'claude-code/PreToolUse';
    const stateOf = () => (world.cells('increments.ring')[source] as { state: string } | undefined)?.state;
    for (let at = 1; at <= 150; at += 1) await world.before('Edit', {});
    expect(stateOf()).toBe('blind');
    let turnedAt = 0;
    for (let at = 1; at <= 150; at += 1) {
      await world.before('Edit', editOf(world, `${DEMO}/tasks.md`), { tool_use_id: `sighted-${at}` });
      if (turnedAt === 0 && stateOf() === 'sighted') turnedAt = at;
    }
    expect(turnedAt).toBe(51);
    expect(Object.keys(world.cells('increments.pending'))).toHaveLength(150 - 51);
  });
});

describe('nothing grows', () => {
  it('three times the edits keep as many cells', async () => {
    world = demoWorld();
    const cells = () =>
      ['session', 'turn', 'workspace', 'user']
        .flatMap((scope) => world.engine.store.list(scope, world.now))
        .filter(({ id }) => parseCellId(id).name.startsWith('increments.')).length;
    const round = async () => {
      for (let at = 0; at < 50; at += 1) await edit(`${DEMO}/tasks.md`, at % 2 === 0 ? TASKS : tick(TASKS), at % 3 > 0);
      await world.pass(20_000);
      return cells();
    };
    const first = await round();
    await round();
    expect(await round()).toBe(first);
  });
});

describe('the kill switch', () => {
  it('not one byte is written while it is on, and afterwards nothing is lost', async () => {
    world = demoWorld();
    await edit(`${DEMO}/tasks.md`, TASKS, true);
    await world.pass(20_000);
    await edit(`${DEMO}/tasks.md`, tick(TASKS), true);
    world.engine.telemetry.flush();
    world.engine.memory.ledger.flush();
    await world.engine.store.stored();
    writeSwitch(nodeFiles, world.paths.state, { since: world.now });
    world.now += 50;
    const before = bytes(world.home);
    for (let at = 0; at < 5; at += 1) {
      expect((await world.before('Edit', editOf(world, `${DEMO}/tasks.md`))).stdout).toBe('');
      expect((await world.after('Edit', {}, {})).stdout).toBe('');
      await world.pass(5_000);
    }
    expect(bytes(world.home)).toEqual(before);
    clearSwitch(nodeFiles, world.paths.state);
    world.now += 50;
    await world.pass(5_000);
    expect(world.read(`${DEMO}/spec.md`)).toBe(tick(SPEC));
    expect(statusNow()).toMatchObject({ current: { completed: 2, acsCompleted: 2 } });
  });
});

/** What every file holds, and when it was written. */
function bytes(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return [path, `${statSync(path).mtimeMs} ${hash}`];
    }),
  );
}
