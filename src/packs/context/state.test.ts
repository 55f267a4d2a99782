import { expect, it } from 'vitest';
import { parseCellId } from '../../state/cells.ts';
import type { World } from '../world.fixture.ts';
import { NOW } from './context.fixture.ts';
import { ALL_DUE } from './due.fixture.ts';

interface Row {
  readonly cell: string;
  readonly scope: string;
  readonly rule: string;
  /** How many events it takes. */
  readonly events?: number;
  readonly value?: unknown;
  /** Where it is gone again when the rule has spoken. */
  fire?(world: World): Promise<unknown>;
}

const commitBegins = (world: World) => world.before('Bash', { command: 'git commit -m x' }, { session_id: 's1' });

const ROWS: readonly Row[] = [
  { cell: 'context.loaded', scope: 'session', rule: 'context-load-gate' },
  { cell: 'context.session_log', scope: 'workspace', rule: 'context-load-gate' },
  { cell: 'context.day.freshness', scope: 'day', rule: 'check-freshness' },
  { cell: 'context.day.backup', scope: 'day', rule: 'check-backup-age' },
  { cell: 'context.day.ceremonies', scope: 'day', rule: 'check-ceremonies' },
  { cell: 'context.day.journal', scope: 'day', rule: 'check-journal' },
  { cell: 'context.day.knowledge', scope: 'day', rule: 'check-knowledge' },
  { cell: 'context.day.map', scope: 'day', rule: 'check-map-staleness' },
  { cell: 'context.day.version', scope: 'day', rule: 'check-version' },
  { cell: 'context.memory_nudged', scope: 'session', rule: 'check-memory-drift' },
  { cell: 'context.prompts', scope: 'session', rule: 'check-context-size', events: 3, value: 3 },
  {
    cell: 'context.persist',
    scope: 'session',
    rule: 'check-persistence',
    events: 2,
    value: expect.objectContaining({ count: 2, lastNudge: 0, lastMtime: NOW }),
  },
  { cell: 'context.task_edits', scope: 'session', rule: 'check-task-completion', events: 2, value: 2 },
  {
    cell: 'context.heartbeat',
    scope: 'session',
    rule: 'heartbeat',
    events: 2,
    value: expect.objectContaining({ count: 2 }),
  },
  { cell: 'context.qa', scope: 'session', rule: 'qa-reminder' },
  { cell: 'context.plan_entry', scope: 'session', rule: 'specs-nudge' },
  { cell: 'context.pre_head', scope: 'session', rule: 'post-commit', fire: commitBegins },
  { cell: 'context.reminders_shown', scope: 'session', rule: 'check-reminders' },
  { cell: 'context.resources_shown', scope: 'session', rule: 'check-resources' },
];

function cellsOf(world: World, name: string) {
  return ['session', 'day', 'workspace', 'user']
    .flatMap((scope) => world.engine.store.list(scope, world.now))
    .map(({ id, value }) => ({ ...parseCellId(id), value: JSON.parse(value) as unknown }))
    .filter((cell) => cell.name === name);
}

it.each(ROWS.map((row) => [row.cell, row] as const))('%s', async (cell, { scope, rule, events = 1, value, fire }) => {
  const due = ALL_DUE.find((each) => each.rule === rule);
  if (!due) throw new Error(`no ${rule}`);
  const world = due.open();
  for (let at = 0; at < events; at += 1) await (fire ? fire(world) : due.fire(world, 's1'));
  const [found] = cellsOf(world, cell);
  expect(found?.scope).toBe(scope);
  const owner = { session: 's1', day: expect.stringContaining(world.root), workspace: world.root }[scope];
  expect(found?.owner).toEqual(owner);
  if (value !== undefined) expect(found?.value).toEqual(value);
  expect(world.work.write.filter((path) => path.startsWith(world.root))).toEqual([]);
});
