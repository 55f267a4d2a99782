import * as v from 'valibot';
import { isPublicKey } from '../platform/ed25519.ts';

/** How far a policy goes on a machine: it only records, it says, or it acts. */
export const STAGES = ['audit', 'warn', 'enforce'] as const;
export type Stage = (typeof STAGES)[number];

/** Machines that are in it: those with one of the labels, those of the share, or all. */
export interface Ring {
  readonly stage: Stage;
  readonly labels?: readonly string[];
  /** Percent of all machines. */
  readonly share?: number;
}

/** What a policy says beside its files. */
export interface PolicyHead {
  readonly name: string;
  /** Each one is above all that machines have seen. */
  readonly version: number;
  readonly expires: string;
  /** What becomes of settings of a machine that are weaker than the policy. */
  readonly weakening: 'refuse' | 'report';
  /** The first ring that a machine is in counts; a machine in none audits. */
  readonly rings: readonly Ring[];
  /** The oldest version of Fairlead that understands it. */
  readonly requires?: string;
  /** Packs that a machine must have. */
  readonly packs?: readonly string[];
  /** Keys that count from now on beside the pinned ones, and those that count no more. */
  readonly keys?: { readonly add?: readonly string[]; readonly retire?: readonly string[] };
}

export interface Bundle extends PolicyHead {
  /** By name, as in a config directory. */
  readonly files: Readonly<Record<string, string>>;
}

const text = (what: string, pattern: RegExp) => v.pipe(v.string(), v.regex(pattern, `expected ${what}`));
const key = v.pipe(v.string(), v.check(isPublicKey, 'expected a key, as ed25519:…'));
const label = text('a label of letters, digits, - and .', /^[\w.-]{1,64}$/);
const ring = v.strictObject({
  stage: v.picklist(STAGES, `expected one of ${STAGES.join(', ')}`),
  labels: v.exactOptional(v.array(label)),
  share: v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
});

const head = {
  name: text('a name of small letters, digits and -', /^[a-z0-9][a-z0-9-]{0,63}$/),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1, 'expected a whole number from 1')),
  expires: v.pipe(
    v.string(),
    v.check((at) => isDate(at), 'expected a day or a time in UTC, as 2027-06-30 or 2027-06-30T12:00:00Z'),
  ),
  weakening: v.optional(v.picklist(['refuse', 'report'], 'expected refuse or report'), 'refuse'),
  rings: v.optional(v.array(ring), [{ stage: 'enforce' as const }]),
  requires: v.exactOptional(text('a version, as 0.1.0', /^\d+\.\d+\.\d+$/)),
  packs: v.exactOptional(v.array(v.string())),
  keys: v.exactOptional(v.strictObject({ add: v.exactOptional(v.array(key)), retire: v.exactOptional(v.array(key)) })),
};

/** The files that a policy may hold. */
export const POLICY_FILE = /^(?:config\.yaml|rules\/[\w.-]+\.md|messages\/(?:[\w.-]+\/){1,3}[\w.-]+\.md)$/;

function isDate(written: string): boolean {
  const day = /^\d{4}-\d\d-\d\d(?=$|T\d\d:\d\d(?::\d\d)?Z$)/.exec(written)?.[0];
  const at = Date.parse(written);
  return day !== undefined && Number.isFinite(at) && new Date(at).toISOString().startsWith(day);
}

const HEAD = v.strictObject(head);
const BUNDLE = v.strictObject({
  ...head,
  files: v.record(text('a name of a file of a policy', POLICY_FILE), v.string()),
});

export const parseHead = (value: unknown): PolicyHead => parsed(HEAD, value);

export function parseBundle(payload: Uint8Array): Bundle {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw new Error('holds no JSON');
  }
  return parsed(BUNDLE, value);
}

function parsed<const Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = (issue.path ?? []).map((step) => String(step.key)).join('.');
  throw new Error(`says of ${path === '' ? 'itself' : path}: ${issue.message}`);
}
