import type { BorrowedReader } from '../event/pack.ts';
import { PACK_BORROWED } from './index.generated.ts';

/** How files that a pack borrows are read. */
export async function loadBorrowed(pack: string): Promise<BorrowedReader> {
  const entry = PACK_BORROWED.find((each) => each.pack === pack);
  if (!entry) throw new Error(`the pack ${pack} has no borrowed.ts`);
  return entry.load();
}
