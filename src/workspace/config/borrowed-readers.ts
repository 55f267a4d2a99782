import type { BorrowedReader } from '../../event/pack.ts';
import { borrowingOf } from './borrowed-files.ts';
import type { Borrowing } from './borrowed-files.ts';

export type ReaderOf = (borrowing: Borrowing) => BorrowedReader;

/** How those of these files are read that packs borrow. A reader that cannot be loaded makes each of them a problem. */
export async function borrowedReaders(
  files: readonly { readonly name: string }[],
  load: (pack: string) => Promise<BorrowedReader>,
): Promise<ReaderOf> {
  const packs = new Set(files.flatMap(({ name }) => borrowingOf(name)?.pack ?? []));
  const readers = new Map<string, BorrowedReader>();
  for (const pack of packs) readers.set(pack, await load(pack).catch(() => UNREADABLE));
  return ({ pack }) => readers.get(pack) ?? UNREADABLE;
}

const UNREADABLE: BorrowedReader = {
  get options() {
    return noReader();
  },
  messageNames: {},
  parseTemplate: noReader,
};

function noReader(): never {
  throw new Error('its reader could not be loaded');
}
