import { handoverText } from '../record/chain.ts';
import type { createVerifier } from '../../platform/ed25519.ts';
import type { Collected } from './collected.ts';
import { rangesOf } from './ranges.ts';
import type { Finding, MachineReport } from './report.ts';

export interface Trusted {
  /** Where keys are given, no other machine is believed. */
  readonly hasKeys: boolean;
  readonly verify: ReturnType<typeof createVerifier>;
  /** Whose a key is. */
  readonly owners: Map<string, string>;
}

interface KeyReport extends Pick<MachineReport, 'trust' | 'findings' | 'notes'> {}

const FORGED =
  'Whoever wrote them does not have the key of the machine; or its key was taken away and made anew, which nobody can tell apart. Compare with `fairlead policy machine` there.';

const BORROWED = 'One machine wrote records in the name of another.';
const STOLEN = 'Somebody has the old key of the machine and writes with it.';
const UNPINNED = 'Whoever wrote all of it anew, with a key of their own, is found with --keys alone.';

const leastOf = (numbers: Iterable<number>): number =>
  [...numbers].reduce((least, number) => Math.min(least, number), Infinity);

/** Whether the keys that signed a machine's records are its own. */
export async function keyFindings(collected: Collected, trusted: Trusted): Promise<KeyReport> {
  const { machine, known, signers } = collected;
  const { hasKeys, owners } = trusted;
  const used = [...signers].toSorted(([, one], [, other]) => leastOf(one) - leastOf(other)).map(([key]) => key);
  const roots = known?.keys ?? (hasKeys ? [] : used.slice(0, 1));
  const handed = await vouchedFor(roots, collected, trusted);
  const strangers = used.filter((key) => !roots.includes(key) && !handed.has(key));
  const foreign = used.filter((key) => (owners.get(key) ?? machine) !== machine);
  for (const key of used) if (!owners.has(key)) owners.set(key, machine);
  const by = (key: string, what: string, means: string) => signedBy(collected, signers.get(key) ?? [], what, means);
  const isBelieved = !known && !hasKeys && used.length > 0;
  return {
    trust: known ? 'pinned' : hasKeys ? 'none' : 'first sight',
    findings: [
      ...strangers.map((key) => by(key, `Records are signed by ${key}, and nobody vouches for that key.`, FORGED)),
      ...foreign.map((key) => by(key, `Records are signed by ${key}, the key of ${owners.get(key)}.`, BORROWED)),
      ...stale(handed, collected),
    ],
    notes: [
      ...(isBelieved ? [`Its key ${used[0]} is believed at first sight. ${UNPINNED}`] : []),
      ...[...handed].map(([key, before]) => `The key ${before} handed over to ${key}.`),
    ],
  };
}

function signedBy({ machine }: Collected, numbers: Iterable<number>, what: string, means: string): Finding {
  const ranges = rangesOf(numbers);
  const [first, last] = [ranges[0], ranges.at(-1)];
  return { kind: 'key', machine, ...(first && last && { from: first.from, to: last.to }), what, means };
}

/** Keys that one which counts has signed, with that one. */
async function vouchedFor(
  roots: readonly string[],
  { checkpoints }: Collected,
  { verify }: Trusted,
): Promise<ReadonlyMap<string, string>> {
  const handed = new Map<string, string>();
  const offers = new Map(
    [...checkpoints.values()].flatMap(({ key, handover }) => (handover ? [[key, handover] as const] : [])),
  );
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const [key, { before, signature }] of offers) {
      if (handed.has(key) || roots.includes(key) || !(roots.includes(before) || handed.has(before))) continue;
      if (!(await verify(before, handoverText(key), signature))) continue;
      handed.set(key, before);
      isMoving = true;
    }
  }
  return handed;
}

/** What a key signed alone after it had been handed over; a record that was sent again is signed by both. */
function stale(handed: ReadonlyMap<string, string>, collected: Collected): Finding[] {
  const { signers } = collected;
  return [...handed].flatMap(([key, before]) => {
    const since = signers.get(key) ?? new Set<number>();
    const least = leastOf(since);
    const late = [...(signers.get(before) ?? [])].filter((number) => number >= least && !since.has(number));
    const what = `Records are signed by ${before} after it was handed over to ${key}.`;
    return late.length === 0 ? [] : [signedBy(collected, late, what, STOLEN)];
  });
}
