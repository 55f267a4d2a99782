import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** The copy of this program that installed hooks start. */
export interface Launched {
  readonly stamp: string;
  /** Its directory. */
  readonly root: string;
  readonly node: string;
}

/**
 * What hooks start lies with the person's own state and not in the package: a directory for each version, and a link to the
 * one that counts. Whatever becomes of the package, the hooks find something that answers.
 */
export function launchDir(state: string): string {
  return join(versionsDir(state), '..', 'current');
}

export function versionsDir(state: string): string {
  return join(state, 'bin', 'versions');
}

const ABOUT = 'about.json';

export function aboutLaunched(launched: Launched): { readonly name: string; readonly text: string } {
  return { name: ABOUT, text: `${JSON.stringify(launched, null, 2)}\n` };
}

/** Undefined where nothing was installed, or by a version that knew no such place. */
export function readLaunched(files: Files, dir: string): Launched | undefined {
  try {
    const found = JSON.parse(files.readText(join(dir, ABOUT)) ?? '') as Partial<Record<keyof Launched, unknown>> | null;
    const { stamp, root, node } = found ?? {};
    if (typeof stamp !== 'string' || typeof root !== 'string' || typeof node !== 'string') return undefined;
    return { stamp, root, node };
  } catch {
    return undefined;
  }
}

/** Why hooks could not start a copy; the launcher looks for the same files. */
export function problemOfLaunched(files: Files, { root, node }: Launched): string | undefined {
  const needed = [node, join(root, 'bin', 'fairlead'), join(root, 'dist', 'hook.js')];
  const missing = needed.find((path) => !files.exists(path));
  return missing === undefined ? undefined : `${missing} does not exist`;
}

/**
 * Whether a copy has to bring the place in line with itself: another version came in its own place, or what hooks start is
 * gone. Where hooks start another copy that works, a person decided that.
 */
export function mustRefresh(files: Files, state: string, own: Pick<Launched, 'stamp' | 'root'>): boolean {
  const launched = readLaunched(files, launchDir(state));
  if (!launched) return false;
  if (launched.root === own.root && launched.stamp !== own.stamp) return true;
  return problemOfLaunched(files, launched) !== undefined;
}

/** Which sessions were told that the package is gone; it is here again. */
export function forgetGone(files: Files, run: string): void {
  const dir = goneDir(run);
  for (const name of files.list(dir)) files.remove(join(dir, name));
}

export function goneDir(run: string): string {
  return join(run, 'gone');
}
