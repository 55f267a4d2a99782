import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeHealth, dropped, failed } from '../../relay/health.ts';
import { setup } from '../commands/notify.ts';
import { knownRules } from '../known-rules.ts';
import { plantProject } from '../project.fixture.ts';
import type { PlantedProject } from '../project.fixture.ts';
import type { FakeWorld } from '../world.fixture.ts';
import { checkNotify } from './notify.ts';

const DAY = 86_400_000;
let project: PlantedProject;
let world: FakeWorld;
beforeEach(() => {
  project = plantProject();
  project.putProject('.context/TASKS.md', '');
  project.putUser('config.yaml', 'packs: { context: { enabled: true, notify: { events: [relay] } } }\n');
  world = project.world({ stdin: 'https://hooks.example.com/secret' });
});
afterEach(() => project.remove());

const key = () => join(world.paths.config, 'notify.key');
async function findings(): Promise<string[] | undefined> {
  const [section] = checkNotify(await knownRules(world), world);
  expect(JSON.stringify(section ?? '')).not.toContain('secret');
  return section?.findings.map(({ level, what, next }) => `${level}: ${what} → ${next}`);
}
const tell = (step: Parameters<typeof changeHealth>[3]) =>
  changeHealth(world.engine().store, project.root, Date.now(), step);

it.each<[string, () => void, string[]]>([
  ['all is well', () => {}, []],
  [
    'an old key',
    () => utimesSync(key(), Date.now() / 1_000, (Date.now() - 95 * DAY) / 1_000),
    ['note: The key of the webhook is 95 days old. → fairlead notify rotate-key'],
  ],
  [
    'no key',
    () => rmSync(key()),
    [
      expect.stringMatching(
        /^attention: The address of the webhook cannot be used: .*missing.* → fairlead notify setup/,
      ),
    ],
  ],
  [
    'a webhook that fails',
    () => tell(failed(Date.now() - 5_000, 'answered with status 500')),
    [
      'attention: The last record did not reach hooks.example.com, 5 s ago: answered with status 500. → fairlead notify test tries now',
    ],
  ],
  [
    'records given up today',
    () => tell(dropped(Date.now() - 5_000, 3)),
    ['note: 3 records given up so far, the last 5 s ago. → fairlead log --kind relay has them all'],
  ],
  ['records given up long ago', () => tell(dropped(Date.now() - 2 * DAY, 3)), []],
  [
    'no address',
    () => rmSync(join(project.root, '.context/.notify.enc')),
    ['note: Events are subscribed to, and no webhook is set up. → fairlead notify setup'],
  ],
  [
    'no events',
    () => void project.putUser('config.yaml', 'packs: { context: { enabled: true, load: {} } }\n'),
    [expect.stringContaining('note: A webhook is set up, and nothing is sent to it.')],
  ],
])('%s', async (_what, happen, expected) => {
  await world.run(setup);
  happen();
  expect(await findings()).toEqual(expected);
});

it('says nothing where nobody asked for it, whatever file came with the project', async () => {
  project.putUser('config.yaml', 'packs: {}\n');
  expect(await findings()).toBeUndefined();
  project.putProject('.context/.notify.enc', 'of another program');
  expect(await findings()).toBeUndefined();
});

it('does not call a webhook set up whose address cannot be read', async () => {
  project.putUser('config.yaml', 'packs: { context: { enabled: true } }\n');
  project.putProject('.context/.notify.enc', 'of another program');
  expect(await findings()).toEqual([expect.stringContaining('attention: The address of the webhook cannot be used')]);
});
