import { isPublicKey } from '../../platform/ed25519.ts';

/** What an auditor knows of a machine from elsewhere: its keys, and how far its record went when somebody looked. */
export interface KnownMachine {
  readonly machine: string;
  readonly keys: readonly string[];
  readonly at?: KnownHead;
}

export interface KnownHead {
  readonly sequence: number;
  readonly head: string;
}

const HEAD = /^[\da-f]{64}$/;

/** `SEQUENCE:HEAD`, as `fairlead policy machine` prints it; undefined for anything else. */
export function knownHead(text: string): KnownHead | undefined {
  const [sequence = '', head = ''] = text.split(':');
  return /^\d{1,15}$/.test(sequence) && HEAD.test(head) ? { sequence: Number(sequence), head } : undefined;
}

/** Lines of `MACHINE KEY [SEQUENCE:HEAD]`; a machine with several keys has several lines. Throws which line is none. */
export function readKnown(text: string): readonly KnownMachine[] {
  const known = new Map<string, KnownMachine>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [machine = '', key = '', head, ...more] = line.trim().split(/\s+/);
    if (machine === '' || machine.startsWith('#')) continue;
    const at = head === undefined ? undefined : knownHead(head);
    if (!isPublicKey(key) || more.length > 0 || (head !== undefined && !at))
      throw new Error(`line ${index + 1} is not "MACHINE KEY" or "MACHINE KEY SEQUENCE:HEAD"`);
    const before = known.get(machine);
    const newest = [before?.at, at]
      .filter((one) => one !== undefined)
      .toSorted((one, other) => other.sequence - one.sequence)[0];
    known.set(machine, { machine, keys: [...(before?.keys ?? []), key], ...(newest && { at: newest }) });
  }
  return [...known.values()];
}
