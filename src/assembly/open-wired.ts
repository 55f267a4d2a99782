import type { Place } from '../engine/engine.ts';
import type { Outside } from '../platform/outside.ts';
import { launchDir, readLaunched } from '../transport/launch-place.ts';
import { createWired, watchWired } from '../workspace/wired.ts';
import type { Looks } from './surroundings.ts';

/** How long it counts which files call us. */
const FRESH_MS = 1_000;

export interface OpenWiredOptions extends Pick<Outside, 'files' | 'program'> {
  readonly state: string;
  readonly resident: boolean;
  /** For a process whose calls run: what is gone is put back. */
  readonly puts: boolean;
  now(): number;
  isOff(now: number): boolean;
  onFailure(what: string, error: unknown): void;
}

/** What agents start us by: what calls would do to it, and what has become of it. */
export function openWired(options: OpenWiredOptions): {
  readonly looks: Required<Pick<Looks, 'nodes' | 'wired'>> & { readonly program: string };
  look(): void;
  /** The place with what every session hears, shown to `saw`. */
  noting(saw: (place: Place) => void): (place: Place) => Place;
} {
  const { files, state, program, resident, puts, now, isOff, onFailure } = options;
  const watch = watchWired({ files, state, now }, puts);
  return {
    looks: {
      program: program.dir,
      nodes: () => [program.node, readLaunched(files, launchDir(state))?.node].filter((node) => node !== undefined),
      wired: createWired({ files, state, now }, resident ? FRESH_MS : Infinity),
    },
    look() {
      try {
        if (!isOff(now())) watch.look();
      } catch (error) {
        onFailure('looking at what calls us', error);
      }
    },
    noting: (saw) => (place) => {
      saw(place);
      const urgent = watch.notices();
      return urgent.length === 0 ? place : { ...place, policy: { ...place.policy, urgent } };
    },
  };
}
