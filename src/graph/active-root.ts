import type { PlaceReason } from '../engine/engine.ts';
import type { Files } from '../platform/files.ts';
import { graphPlace } from './store/place.ts';

/** Where a session that was started in one directory works by now. */
export interface ActiveRoot {
  readonly version: 1;
  readonly root: string;
  /** Which part of an event led there. */
  readonly reason: PlaceReason;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const MAX_BYTES = 16_384;

/** `dir` is where the session was started; what is damaged counts as none. */
export function readActiveRoot(
  files: Pick<Files, 'readText' | 'realpath'>,
  state: string,
  dir: string,
): ActiveRoot | undefined {
  const text = files.readText(graphPlace(state, files.realpath(dir) ?? dir).active, MAX_BYTES);
  try {
    const { version, root, reason, at } = JSON.parse(text ?? '') as Partial<ActiveRoot>;
    if (version !== 1 || typeof root !== 'string' || typeof reason !== 'string' || typeof at !== 'number')
      return undefined;
    return { version, root, reason, at };
  } catch {
    return undefined;
  }
}

/** With undefined: the session works where it was started. */
export function writeActiveRoot(
  files: Pick<Files, 'realpath' | 'makeDir' | 'writeDerived' | 'remove'>,
  state: string,
  dir: string,
  active: Omit<ActiveRoot, 'version'> | undefined,
): void {
  const place = graphPlace(state, files.realpath(dir) ?? dir);
  if (active === undefined) return files.remove(place.active);
  files.makeDir(place.workspace, 0o700);
  const { root, reason, at } = active;
  const text = `${JSON.stringify({ version: 1, root, reason, at } satisfies ActiveRoot)}\n`;
  return files.writeDerived(place.active, new TextEncoder().encode(text), 0o600);
}
