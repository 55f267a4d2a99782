import { expect } from 'vitest';
import type { createKeyPair } from '../../platform/ed25519.ts';
import { CHECKPOINT, HEAD, KEY, LOST, MACHINE, PREVIOUS, SEQUENCE, SIGNATURE } from '../record/chain.ts';
import { attribute, recordsIn, rehash, resourceIn, scopeIn, sequenceOf, spoil, versionOf } from './damage.fixture.ts';
import type { Line, Record } from './damage.fixture.ts';
import type { FindingKind } from './report.ts';

/** Whose records are damaged; the test says. */
export const victim = { machine: '' };

const machineOf = (line: Line) => attribute(recordsIn(line)[0] as Record, MACHINE).stringValue;
export const victims = (all: readonly Line[]) => all.filter((line) => machineOf(line) === victim.machine);
export const chained = (all: readonly Line[]): Record[] =>
  victims(all)
    .flatMap(recordsIn)
    .filter(({ eventName }) => eventName !== 'fairlead.checkpoint');
/** A batch of the first machine from its middle, with several decisions. */
export const batchIn = (all: readonly Line[]): Line => {
  const found = victims(all).findLast((line, at) => at > 0 && recordsIn(line).length >= 4 && !hasCheckpoint(line));
  if (!found) throw new Error('no batch');
  return found;
};
const hasCheckpoint = (line: Line) => recordsIn(line).some(({ eventName }) => eventName === 'fairlead.checkpoint');
export const rowIn = (all: readonly Line[], at = 1): Record => recordsIn(batchIn(all))[at] as Record;
const namedIn = (all: readonly Line[], name: string): Record => {
  const found = victims(all)
    .flatMap(recordsIn)
    .findLast(({ eventName }) => eventName === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};
export const dropped = (all: readonly Line[], isGone: (record: Record) => boolean): Line[] => {
  for (const line of all) scopeIn(line).logRecords = recordsIn(line).filter((record) => !isGone(record));
  return all.filter((line) => recordsIn(line).length > 0);
};
export const isVictims = (record: Record) => attribute(record, MACHINE).stringValue === victim.machine;
/** What a restarted chain would look like, by who has some key. */
export const resign = (all: readonly Line[], pair: ReturnType<typeof createKeyPair>, from = 0) => {
  const mine = victims(all).filter((line) => recordsIn(line).some((record) => sequenceOf(record) >= from));
  rehash(mine.flatMap(recordsIn), pair.secret, versionOf(mine[0] as Line));
  for (const line of mine) attribute({ attributes: resourceIn(line) }, KEY).stringValue = pair.public;
};

export type Damage = readonly [what: string, kind: FindingKind, damage: (all: Line[]) => Line[] | string | void];

const each = <T extends string>(names: readonly T[], make: (name: T) => readonly Damage[]): Damage[] =>
  names.flatMap(make);

const FIELDS = [
  'timeUnixNano',
  'severityNumber',
  'severityText',
  'body',
  'flags',
  'traceId',
  'spanId',
  'eventName',
] as const;
const spoilField = (record: Record, field: (typeof FIELDS)[number]) => {
  if (field === 'body') return spoil(record.body);
  if (field === 'severityNumber' || field === 'flags') record[field] = (record[field] ?? 0) + 1;
  else if (field === 'timeUnixNano') record[field] = String(BigInt(record[field]) + 1n);
  else record[field] = `${(record[field] ?? '').slice(0, -1)}9`;
};

const ATTRIBUTES = [
  ...['fairlead.decision.id', MACHINE, SEQUENCE, 'fairlead.decision', 'fairlead.rule.id'],
  ...['fairlead.delivery', 'fairlead.event', 'fairlead.session.sequence', 'fairlead.attention.characters'],
  ...['fairlead.duration.microseconds', 'fairlead.rules.version', 'fairlead.workspace.name', 'gen_ai.agent.name'],
  ...['gen_ai.conversation.id', 'gen_ai.operation.name', 'gen_ai.tool.name', 'gen_ai.tool.call.id'],
  ...['gen_ai.tool.call.arguments', 'fairlead.policy.name', 'fairlead.policy.version', 'fairlead.policy.stage'],
  ...['fairlead.policy.ring', HEAD, PREVIOUS, SIGNATURE],
];

export const changes: readonly Damage[] = [
  ...each(ATTRIBUTES, (name) => [
    [`${name} changed`, 'changed', (all) => spoil(attribute(rowIn(all), name))],
    [`${name} taken out`, 'changed', (all) => drop(rowIn(all), name)],
  ]),
  ...each(FIELDS, (name) => [
    [`${name} changed`, 'changed', (all) => spoilField(rowIn(all), name)],
    [`${name} taken out`, 'changed', (all) => void Reflect.deleteProperty(rowIn(all), name)],
  ]),
  ...each(['service.name', 'service.version', 'service.instance.id', KEY], (name) => [
    [
      `${name} of the resource changed`,
      'changed',
      (all) => spoil(attribute({ attributes: resourceIn(batchIn(all)) }, name)),
    ],
    [`${name} of the resource taken out`, 'changed', (all) => drop({ attributes: resourceIn(batchIn(all)) }, name)],
  ]),
  ['the name of the scope changed', 'changed', (all) => void (scopeIn(batchIn(all)).scope.name = 'other')],
  ['the version of the scope changed', 'changed', (all) => void (scopeIn(batchIn(all)).scope.version = '9.9.9')],
  [
    'both versions changed',
    'changed',
    (all) => {
      scopeIn(batchIn(all)).scope.version = '9.9.9';
      attribute({ attributes: resourceIn(batchIn(all)) }, 'service.version').stringValue = '9.9.9';
    },
  ],
  [
    'an attribute added',
    'changed',
    (all) => void rowIn(all).attributes.push({ key: 'x', value: { stringValue: 'y' } }),
  ],
  [
    'an attribute twice',
    'changed',
    (all) => void rowIn(all).attributes.push({ key: 'fairlead.decision', value: { stringValue: 'allow' } }),
  ],
  ['a number as a text', 'changed', (all) => void (attribute(rowIn(all), SEQUENCE).stringValue = '7')],
  [
    'two bodies swapped',
    'changed',
    (all) => {
      const [one, other] = [rowIn(all, 0), rowIn(all, 1)];
      [one.body, other.body] = [other.body, one.body];
    },
  ],
  [
    'two numbers swapped',
    'changed',
    (all) => {
      const [one, other] = [attribute(rowIn(all, 0), SEQUENCE), attribute(rowIn(all, 1), SEQUENCE)];
      [one.intValue, other.intValue] = [other.intValue, one.intValue] as [string, string];
    },
  ],
  [
    'the marks of two records swapped',
    'changed',
    (all) => {
      for (const name of [HEAD, PREVIOUS, SIGNATURE]) {
        const [one, other] = [attribute(rowIn(all, 0), name), attribute(rowIn(all, 1), name)];
        [one.stringValue, other.stringValue] = [other.stringValue, one.stringValue] as [string, string];
      }
    },
  ],
  [
    'the signature of another record',
    'changed',
    (all) => {
      attribute(rowIn(all, 0), SIGNATURE).stringValue = attribute(rowIn(all, 1), SIGNATURE).stringValue ?? '';
    },
  ],
  [
    'the copy of a record changed',
    'changed',
    (all) => {
      const copy = structuredClone(rowIn(all));
      copy.body.stringValue = 'allow';
      recordsIn(batchIn(all)).splice(2, 0, copy);
    },
  ],
  [
    'the copy of a batch changed',
    'changed',
    (all) => {
      const copy = structuredClone(batchIn(all));
      spoil(attribute(recordsIn(copy)[0] as Record, 'fairlead.decision'));
      return [...all, copy];
    },
  ],
  [
    'a machine renamed in all of its records',
    'changed',
    (all) => {
      for (const line of victims(all)) {
        attribute({ attributes: resourceIn(line) }, 'service.instance.id').stringValue = 'other';
        for (const record of recordsIn(line)) attribute(record, MACHINE).stringValue = 'other';
      }
    },
  ],
  [
    'a denial made an approval, hashes made anew',
    'changed',
    (all) => {
      attribute(rowIn(all), 'fairlead.decision').stringValue = 'allow';
      rehash([rowIn(all)]);
    },
  ],
  [
    'a denial made an approval, all hashes behind it made anew',
    'changed',
    (all) => {
      attribute(rowIn(all), 'fairlead.decision').stringValue = 'allow';
      rehash(chained(all).slice(chained(all).indexOf(rowIn(all))));
    },
  ],
  [
    'a record removed, numbers and hashes behind it made anew',
    'changed',
    (all) => {
      const gone = sequenceOf(rowIn(all));
      const left = dropped(all, (record) => isVictims(record) && sequenceOf(record) === gone);
      const behind = chained(left).filter((record) => sequenceOf(record) > gone);
      for (const record of behind) attribute(record, SEQUENCE).intValue = String(sequenceOf(record) - 1);
      rehash(behind);
      return left;
    },
  ],
  ...each([LOST, 'fairlead.decisions.lost.total', SEQUENCE], (name) => [
    [`${name} of a loss changed`, 'changed', (all) => spoil(attribute(namedIn(all, 'fairlead.decisions.lost'), name))],
  ]),
  ...each(['fairlead.sequence.from', 'fairlead.sequence.to', SEQUENCE], (name) => [
    [
      `${name} of what resumed changed`,
      'changed',
      (all) => spoil(attribute(namedIn(all, 'fairlead.record.resumed'), name)),
    ],
  ]),
  ...each([CHECKPOINT, PREVIOUS, HEAD, SIGNATURE, KEY], (name) => [
    [
      `${name} of a checkpoint changed`,
      'changed',
      (all) => spoil(attribute(namedIn(all, 'fairlead.checkpoint'), name)),
    ],
  ]),
  [
    'the time of a checkpoint changed',
    'changed',
    (all) => spoilField(namedIn(all, 'fairlead.checkpoint'), 'timeUnixNano'),
  ],
  [
    'a loss made up in the place of records',
    'changed',
    (all) => {
      const forged = structuredClone(namedIn(all, 'fairlead.decisions.lost'));
      attribute(forged, SEQUENCE).intValue = String(sequenceOf(rowIn(all)));
      attribute(forged, PREVIOUS).stringValue = attribute(rowIn(all), PREVIOUS).stringValue ?? '';
      rehash([forged]);
      recordsIn(batchIn(all)).splice(1, 1, forged);
    },
  ],
];

function drop(holder: Pick<Record, 'attributes'>, name: string): void {
  const at = holder.attributes.findIndex(({ key }) => key === name);
  expect(at).toBeGreaterThanOrEqual(0);
  holder.attributes.splice(at, 1);
}
