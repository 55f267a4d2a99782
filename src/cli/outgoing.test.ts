import { afterEach, beforeEach, expect, it } from 'vitest';
import { outgoing } from './outgoing.ts';
import { doctor } from './commands/doctor.ts';
import { log } from './commands/log.ts';
import { list } from './commands/rules-list.ts';
import { test } from './commands/rules-test.ts';
import { plantProject } from './project.fixture.ts';
import type { PlantedProject } from './project.fixture.ts';

const TURNED = 'no\u202egnihton\u2066\u009b2J';
const RULE = '---\nevent: bash\npattern: rm\naction: deny\nexamples:\n  deny: [rm x]\n  pass: [ls]\n---\nNo.\n';

let project: PlantedProject;
beforeEach(() => {
  project = plantProject();
  project.putUser(`rules/${TURNED}.md`, RULE);
  project.putUser(`rules/broken-${TURNED}.md`, 'no rule');
});
afterEach(() => project.remove());

it.each([
  ['rules list', list],
  ['rules test', test],
  ['doctor', doctor],
  ['log', log],
])('%s prints no file name that turns the text around it', async (_, command) => {
  const world = project.world();
  await world.run(command).catch(() => {});
  const { out, err } = world.printed;
  expect(out + err).not.toBe('');
  expect(out + err).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/);
});

it('keeps colours, lines and what JSON says', () => {
  const line = '\u001b[31mred\u001b[0m\tä 👩‍🚀\r\u001b[K\n';
  expect(outgoing(line)).toBe(line);
  expect(outgoing('\u001b]0;title\u0007\u001b[2J')).toBe('\\u001b]0;title\\u0007\\u001b[2J');
  expect(JSON.parse(outgoing(JSON.stringify({ [TURNED]: TURNED })))).toEqual({ [TURNED]: TURNED });
});
