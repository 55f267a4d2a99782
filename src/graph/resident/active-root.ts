import type { Place, PlaceReason } from '../../engine/engine.ts';
import type { Event } from '../../event/event.ts';
import type { Files } from '../../platform/files.ts';
import { graphPaths } from '../store/graph-paths.ts';

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
  const text = files.readText(graphPaths(state, files.realpath(dir) ?? dir).active, MAX_BYTES);
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
  const location = graphPaths(state, files.realpath(dir) ?? dir);
  if (active === undefined) return files.remove(location.active);
  files.makeDir(location.workspace, 0o700);
  const { root, reason, at } = active;
  const text = `${JSON.stringify({ version: 1, root, reason, at } satisfies ActiveRoot)}\n`;
  return files.writeDerived(location.active, new TextEncoder().encode(text), 0o600);
}

export interface ActiveRootsOptions {
  now(): number;
  afterReply(work: () => void): void;
  /** Where sessions work that were started in a directory; undefined: there. */
  writeActive(dir: string, active: Omit<ActiveRoot, 'version'> | undefined): void;
  onFailure(what: string, error: unknown): void;
}

const MAX_SESSIONS = 2_000;

/** Writes down where a session works whenever that changes. */
export function watchActiveRoots(options: ActiveRootsOptions): {
  see(
    event: Pick<Event, 'session' | 'projectDir'>,
    place: Pick<Place, 'root' | 'reason' | 'project'> & { readonly workspace: { readonly markerBacked: boolean } },
  ): void;
} {
  const roots = new Map<string, string>();
  return {
    see({ session, projectDir }, { root, reason, project, workspace }) {
      if (!workspace.markerBacked || roots.get(session) === root) return;
      if (roots.size >= MAX_SESSIONS) roots.clear();
      roots.set(session, root);
      options.afterReply(() => {
        try {
          const active = root === project ? undefined : { root, reason, at: options.now() };
          options.writeActive(projectDir ?? project, active);
        } catch (error) {
          options.onFailure('writing down where a session works', error);
        }
      });
    },
  };
}
