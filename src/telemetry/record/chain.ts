import { sha256 } from '../../platform/hash.ts';

/** What a log record may hold: as it is made here, and as it is read out of an export. */
export type Value = string | number | boolean | readonly Value[] | { readonly unknown: string };
export type Attributes = Readonly<Record<string, Value | undefined>>;

/** All of a log record but for what the chain adds to it, and for when somebody received it. */
export interface Content {
  /** Nanoseconds since 1970. */
  readonly at: string;
  readonly severity: number;
  readonly severityText: string;
  readonly body: Value;
  /** As pairs, since an export may hold a key twice. */
  readonly attributes: readonly (readonly [key: string, value: Value])[];
  readonly flags: number;
  /** In hex; empty without a trace. */
  readonly trace: string;
  readonly span: string;
  readonly name: string;
}

/** The names of records. Each but the checkpoint is a link of the chain and takes a number. */
export const NAMES = {
  decision: 'fairlead.decision',
  lost: 'fairlead.decisions.lost',
  refused: 'fairlead.decisions.refused',
  resumed: 'fairlead.record.resumed',
  checkpoint: 'fairlead.checkpoint',
} as const;
export type LinkName = keyof typeof NAMES;

/** The attributes that say where a record stands. */
export const MACHINE = 'fairlead.machine.id';
export const SEQUENCE = 'fairlead.sequence';
/** How far a checkpoint goes. */
export const CHECKPOINT = 'fairlead.checkpoint.sequence';
export const FROM = 'fairlead.sequence.from';
export const TO = 'fairlead.sequence.to';
export const LOST = 'fairlead.decisions.lost';
/** All that were lost so far: one loss may be told twice. */
export const LOST_TOTAL = 'fairlead.decisions.lost.total';
export const REFUSED = 'fairlead.decisions.refused';
export const KEY = 'fairlead.machine.key';
/** Of a key that took the place of another: that one, and its signature under the new one. */
export const KEY_BEFORE = 'fairlead.machine.key.before';
export const HANDOVER = 'fairlead.machine.key.handover';

/** The metric that has the newest number. */
export const NEWEST_SEQUENCE = 'fairlead.record.sequence';

/** What the chain adds, and does not cover with itself. */
export const HEAD = 'fairlead.chain.head';
export const PREVIOUS = 'fairlead.chain.previous';
export const SIGNATURE = 'fairlead.chain.signature';
export const OWN: ReadonlySet<string> = new Set([HEAD, PREVIOUS, SIGNATURE]);

const DOMAIN = 'fairlead record 1';

/** The same for the same content, in whichever order and encoding it arrived. */
function canonicalOf({ attributes, ...content }: Content): string {
  const { at, severity, severityText, body, flags, trace, span, name } = content;
  const sorted = attributes.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return JSON.stringify([at, severity, severityText, body, sorted, flags, trace, span, name]);
}

/** What stands before the first record of a machine. */
export const genesisOf = (machine: string): string => sha256(`${DOMAIN}\n${machine}`);

/** The head of the chain after a record: it covers the record and, by the head before it, all before it. */
export const headAfter = (previous: string, content: Content): string =>
  sha256(`${DOMAIN}\n${previous}\n${canonicalOf(content)}`);

/** What a machine signs of a record. The version is that of the sender: the same record may be sent again by a newer one. */
export const signedText = (head: string, version: string): string => `${DOMAIN}\n${head}\n${version}`;

/** What a key signs to have another take its place. */
export const handoverText = (next: string): string => `${DOMAIN}\nkey\n${next}`;
