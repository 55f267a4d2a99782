import { afterEach, beforeEach, expect, it } from 'vitest';
import { cellId } from '../../state/cells.ts';
import { seenId } from '../../state/team-queue.ts';
import { linkId } from '../../team/state/sync.ts';
import { knownRules } from '../known-rules.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { checkTeamState } from './team-state.ts';

let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
});
afterEach(() => project.remove());

async function look(team?: string) {
  project.putUser('config.yaml', team === undefined ? '' : `state:\n  team: ${team}\n`);
  world = project.world();
  const known = await knownRules(world);
  return () => {
    const [section] = checkTeamState(known, undefined, world);
    expect(JSON.stringify(section ?? '')).not.toContain('secret');
    return section;
  };
}

it('says nothing where no team is named, whatever a project says', async () => {
  project.putProject('.fairlead/config.yaml', 'state: { team: "rediss://evil.example" }\n');
  expect((await look())()).toBeUndefined();
});

it.each<[string, string, string | undefined]>([
  ['an address', 'rediss://redis.example:6380', undefined],
  ['this machine', 'redis://127.0.0.1:6379', undefined],
  ['several addresses', '{ url: "rediss://a.example,b.example:7000", name: acme }', undefined],
  [
    'plain text, said',
    '{ url: "redis://a.example", insecure: true }',
    'note: The state of the team goes to redis://a.example as plain text.',
  ],
  ['no file', '{ url: "rediss://a.example", passwordFile: ~/gone }', 'attention: The server cannot be used: '],
  ['no place', '{ url: "rediss://a.example", ca: gone }', 'attention: The server cannot be used: gone has to be'],
])('%s', async (_what, team, expected) => {
  const findings = (await look(team))()?.findings.map(({ level, what }) => `${level}: ${what}`);
  expect(findings?.map((line) => line.slice(0, expected?.length))).toEqual(expected === undefined ? [] : [expected]);
});

it('says how old the copy is, what waits, and why', async () => {
  const see = await look('{ url: "rediss://redis.example", name: acme }');
  const { store, clock } = world.engine();
  const now = clock.now();
  const keep = (id: string, value: unknown) =>
    store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: JSON.stringify(value), expires: 0 }], now });
  expect(see()?.facts).toEqual([
    ['server', 'rediss://redis.example, team acme'],
    ['connected', 'no'],
    ['copy', 'was never whole'],
    ['waiting', '0'],
  ]);
  keep(seenId('acme'), now - 240_000);
  keep(linkId('acme'), { since: now - 120_000, problem: 'connect ECONNREFUSED' });
  keep(cellId('team', 'acme', 'count'), 1);
  expect(see()?.facts.slice(2)).toEqual([
    ['copy', expect.stringMatching(/^was whole 4 ?m/)],
    ['waiting', '1'],
  ]);
  expect(see()?.findings.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^The server is away for 2 ?m.*: connect ECONNREFUSED\.$/),
    '1 change wait, and no engine runs that could send them.',
  ]);
});
