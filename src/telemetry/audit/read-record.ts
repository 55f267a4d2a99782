import {
  CHECKPOINT,
  FROM,
  HANDOVER,
  HEAD,
  headAfter,
  KEY,
  KEY_BEFORE,
  LOST_TOTAL,
  MACHINE,
  NAMES,
  OWN,
  PREVIOUS,
  REFUSED,
  SEQUENCE,
  SIGNATURE,
  signedText,
  TO,
} from '../record/chain.ts';
import type { Content } from '../record/chain.ts';
import { numberIn, textIn } from './exported.ts';
import type { Group } from './exported.ts';

/** A record of a machine, as an export has it. */
export interface Reading {
  /** As it says itself. */
  readonly machine: string | undefined;
  readonly sequence: number | undefined;
  /** What is wrong with it, as a sentence goes on after it; else it is `link`. */
  readonly damage?: string;
  readonly link?: ReadLink;
}

/** One whose hash fits. Whether its machine signed it is another question. */
export interface ReadLink {
  readonly machine: string;
  readonly sequence: number;
  readonly isCheckpoint: boolean;
  readonly previous: string;
  readonly head: string;
  readonly key: string;
  readonly signature: string;
  readonly signed: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of which others it tells. */
  readonly about?: {
    readonly kind: 'refused' | 'resumed';
    readonly from: number;
    readonly to: number;
    readonly count: number;
  };
  /** All that the machine had lost by then. */
  readonly lost: number;
  readonly handover?: { readonly before: string; readonly signature: string };
}

const OURS = 'fairlead';

/** Whether a record is of our machines, or says so. */
export function isOurs({ resource }: Group, { name, attributes }: Content): boolean {
  return (
    textIn(resource, 'service.name') === OURS ||
    name.startsWith(`${OURS}.`) ||
    attributes.some(([key]) => key.startsWith(`${OURS}.`))
  );
}

export function readRecord(group: Group, record: Content, added: ReadonlySet<string>): Reading {
  const { attributes, name } = record;
  const isCheckpoint = name === NAMES.checkpoint;
  const machine = textIn(attributes, MACHINE);
  const sequence = numberIn(attributes, isCheckpoint ? CHECKPOINT : SEQUENCE);
  const reading = { machine, sequence };
  const [previous, head, signature] = [PREVIOUS, HEAD, SIGNATURE].map((key) => textIn(attributes, key));
  const key = textIn(group.resource, KEY);
  if (machine === undefined || sequence === undefined)
    return { ...reading, damage: 'does not say which machine it is of, or which number it has' };
  if (previous === undefined || head === undefined || signature === undefined)
    return { ...reading, damage: 'has lost what links it to the others' };
  const around = resourceDamage(group, machine);
  if (around !== undefined || key === undefined)
    return { ...reading, damage: around ?? 'has lost the key of its machine' };
  const covered = attributes.filter(([name_]) => !OWN.has(name_) && !added.has(name_));
  if (headAfter(previous, { ...record, attributes: covered }) !== head)
    return { ...reading, damage: 'is not what the machine sent: its content or its hash was changed' };
  const version = textIn(group.resource, 'service.version') ?? '';
  const link: ReadLink = {
    ...{ machine, sequence, isCheckpoint, previous, head, key, signature },
    signed: signedText(head, version),
    at: Number(BigInt(record.at) / 1_000_000n),
    lost: name === NAMES.lost ? (numberIn(attributes, LOST_TOTAL) ?? 0) : 0,
    ...aboutOf(record),
    ...handoverOf(record),
  };
  return { ...reading, link };
}

function resourceDamage({ resource, scope }: Group, machine: string): string | undefined {
  if (textIn(resource, 'service.instance.id') !== machine) return 'stands under another machine than it says';
  if (textIn(resource, 'service.name') !== OURS || scope.name !== OURS) return 'stands under another service than ours';
  if (textIn(resource, 'service.version') !== scope.version) return 'stands under two versions of Fairlead';
  return undefined;
}

function aboutOf({ attributes, name }: Content): Pick<ReadLink, 'about'> {
  const kind = name === NAMES.refused ? 'refused' : name === NAMES.resumed ? 'resumed' : undefined;
  const [from, to] = [numberIn(attributes, FROM), numberIn(attributes, TO)];
  if (kind === undefined || from === undefined || to === undefined) return {};
  return { about: { kind, from, to, count: numberIn(attributes, REFUSED) ?? to - from + 1 } };
}

function handoverOf({ attributes }: Content): Pick<ReadLink, 'handover'> {
  const [before, signature] = [textIn(attributes, KEY_BEFORE), textIn(attributes, HANDOVER)];
  return before !== undefined && signature !== undefined ? { handover: { before, signature } } : {};
}
