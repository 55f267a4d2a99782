import type { Borrowed } from '../../event/pack.ts';
import { PACKS } from '../../event/packs.generated.ts';
import type { Files } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { openScan } from './scan.ts';
import type { Scan } from './scan.ts';
import { sign } from './signature.ts';
import type { Signature } from './signature.ts';

export interface Borrowing extends Borrowed {
  readonly pack: string;
  /** The pack's directory in a project. */
  readonly dir: string;
  readonly messageDir: string;
  readonly messageEnding: string;
}

/**
 * Files of other programs in a project's root, which packs take over. Their names count from the root and begin with a dot,
 * which no name below `.fairlead` does.
 */
export const BORROWINGS: readonly Borrowing[] = Object.entries(PACKS).flatMap(([pack, { dir = '', borrows }]) => {
  if (!borrows) return [];
  const [messageDir = '', messageEnding = ''] = borrows.messages.split('/*');
  return [{ pack, dir, ...borrows, messageDir, messageEnding }];
});
/** The directories of packs whose text is given to agents once a person has accepted it. */
export const TEXT_DIRS: readonly string[] = Object.values(PACKS).flatMap(({ dir }) => dir ?? []);

/** Whether this is what people call a program whose files are borrowed. */
export function isOtherProgram(name: string): boolean {
  return BORROWINGS.some(({ program }) => program === name);
}

export function isBorrowedName(name: string): boolean {
  return name.startsWith('.');
}

/** Whose file has this name. */
export function borrowingOf(name: string): Borrowing | undefined {
  return BORROWINGS.find(({ settings, messageDir }) => name === settings || name.startsWith(`${messageDir}/`));
}

/** The places whose absence means that a project brings none of them. */
export function borrowedPlaces(root: string): readonly string[] {
  return BORROWINGS.flatMap(({ settings, messageDir }) => [join(root, settings), join(root, messageDir)]);
}

export function isBorrowedPath(root: string, path: string): boolean {
  return borrowedPlaces(root).some((place) => path === place || path.startsWith(`${place}/`));
}

/** None of them is worth more than a warning: people who do not use the pack have such files too. */
export function scanBorrowed(root: string, files: Files): Scan {
  const { scan, isRefused, read, readTree } = openScan(root, files, files.realpath(root) ?? root);
  const places: Signature[] = [];
  const isThere = (name: string): boolean => {
    const path = join(root, name);
    if (!files.exists(path)) places.push({ path });
    else if (isRefused(path)) places.push(sign(path, files, true));
    else return true;
    return false;
  };
  for (const { settings, messageDir, messageEnding } of BORROWINGS) {
    if (isThere(settings)) read(settings, 'borrowed-settings');
    if (isThere(messageDir)) readTree(messageDir, messageEnding, 'borrowed-message');
  }
  return {
    found: scan.found,
    signatures: [...places, ...scan.signatures],
    problems: scan.problems.map((problem) => ({ ...problem, severity: 'warning' })),
  };
}
