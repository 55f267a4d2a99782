import { describe, expect, it } from 'vitest';
import { INSTEAD, INSTEAD_OF_FORCE, INSTEAD_OF_LEAVING, insteadOf, LOOK_FIRST } from './instead.ts';
import { BUILT_IN } from '../index.generated.ts';
import { judge } from '../guard.fixture.ts';
import { EFFECT_KINDS } from '../../event/effect.ts';

const READS_ENV = { kind: 'read-secret', target: '.env', seen: '', road: [] } as const;
const commands = [
  ...new Set(
    [
      ...Object.values(INSTEAD),
      ...Object.values(LOOK_FIRST),
      INSTEAD_OF_FORCE,
      INSTEAD_OF_LEAVING,
      insteadOf(READS_ENV),
    ].flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map((m) => m[1] as string)),
  ),
];

describe('what the guard proposes, it lets through', () => {
  it.each(commands)('%s', async (command) => {
    expect([await judge(command), await judge(command, { careful: true })]).toEqual(['pass', 'pass']);
  });
});

it('there is a proposal for every kind of effect that a rule with one speaks about', () => {
  const spoken = BUILT_IN.filter(({ meta }) => Object.values(meta.messages).some((text) => text.includes('{instead}')));
  const kinds = new Set(spoken.flatMap(({ meta }) => meta.on.flatMap(({ effect }) => effect ?? [])));
  kinds.delete('settings');
  for (const kind of kinds) expect(insteadOf({ kind, target: '', seen: '', road: [] }), kind).not.toBe('');
});

it.each([
  ['destroy-cloud', 'terraform destroy', /terraform plan/],
  ['destroy-cloud', 'gh repo delete x', /^Most tools/],
  ['publish', 'docker push x', /^Build and inspect/],
  ['destroy-data', 'redis-cli FLUSHALL', /^Look at what it hits first/],
] as const)('%s by `%s` gets a way that fits', (kind, seen, way) => {
  expect(insteadOf({ kind, target: '', seen, road: [] })).toMatch(way);
});

it('names only kinds of effects that there are', () => {
  const kinds = Object.keys(INSTEAD).map((key) => key.split(/[:@]/)[0]);
  expect(kinds.filter((kind) => !EFFECT_KINDS.some((known) => known === kind))).toEqual([]);
});
