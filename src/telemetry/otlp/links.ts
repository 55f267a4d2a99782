import { VERSION } from '../../platform/build.ts';
import { genesisOf, headAfter, signedText } from '../record/chain.ts';
import type { Content } from '../record/chain.ts';
import type { MachineKey } from '../record/machine-key.ts';
import { encodeRecord } from './requests.ts';

/** A record that is ready to leave. */
export interface Link {
  readonly record: Uint8Array;
  readonly sequence: number;
  /** Of the chain after it. */
  readonly head: string;
  /** The row that it tells of. */
  readonly n?: number;
}

export interface Unlinked {
  readonly n?: number;
  contentAt(sequence: number): Content;
}

/** Numbers records, hangs each on the one before, and signs them, a few at a time and beside this thread. */
export async function linkAll(
  machine: string,
  after: Pick<Link, 'sequence' | 'head'>,
  unlinked: readonly Unlinked[],
  key: MachineKey,
): Promise<readonly Link[]> {
  let { sequence, head } = after;
  const linked = unlinked.map(({ n, contentAt }) => {
    const previous = head === '' ? genesisOf(machine) : head;
    sequence += 1;
    const content = contentAt(sequence);
    head = headAfter(previous, content);
    return { content, previous, head, sequence, ...(n !== undefined && { n }) };
  });
  return Promise.all(
    linked.map(async ({ content, previous, ...link }) => ({
      ...link,
      record: encodeRecord(content, {
        previous,
        head: link.head,
        signature: await key.sign(signedText(link.head, VERSION)),
      }),
    })),
  );
}
