import type { Looking, Seen } from './observer.ts';

export interface JobMark {
  readonly root: string;
  readonly pack: string;
  readonly subject: string;
  readonly kind: string;
}

/** What looks between events work with. */
export interface LooksOptions extends Pick<Looking, 'files'> {
  soon(ms: number, work: () => void): void;
  /** Marks a job as due; false where it is due already. */
  mark(seen: Seen, job: JobMark): boolean;
  isOff(): boolean;
  onFailure(what: string, error: unknown): void;
}

/** Long enough for the edits of one moment to be looked at together. */
const LOOK_MS = 150;

export type LookLater = (pack: string, root: string, seen: Seen, look: (at: Looking) => void) => void;

/** Looks that wait, one for each pack and root; the newest event's is taken. */
export function createLooks({ files, soon, mark, isOff, onFailure }: LooksOptions): LookLater {
  const looks = new Map<string, () => void>();

  function run(key: string, pack: string): void {
    const due = looks.get(key);
    looks.delete(key);
    try {
      if (!isOff()) due?.();
    } catch (error) {
      onFailure(`looking for ${pack}`, error);
    }
  }

  return (pack, root, seen, look) => {
    const key = `${pack} ${root}`;
    const isWaiting = looks.has(key);
    looks.set(key, () =>
      look({
        files,
        run(rule, kind, subject) {
          const { mode = 'off' } = seen.place.policy.index.rules.find(({ meta }) => meta.id === rule) ?? {};
          return mode !== 'off' && mode !== 'shadow' && mark(seen, { root, pack, subject, kind });
        },
      }),
    );
    if (!isWaiting) soon(LOOK_MS, () => run(key, pack));
  };
}
