import type { MessageValues } from '../engine/advice/messages.ts';

/** The jobs of one pack: `src/packs/<pack>/jobs.ts` exports them as `jobs`. They load when the first of them is due. */
export type PackJobs = readonly Job[];

/** One line of `PACK_JOBS`. */
export interface PackJobsEntry {
  readonly pack: string;
  load(): Promise<PackJobs>;
}

/**
 * Background work of a pack on one subject, such as a directory it keeps in order. It is marked as due by rules
 * (`context.later.run`), runs after the reply, once for many marks, and again after a crash: it reads what is there now
 * and must come to the same result however often it runs.
 */
export interface Job {
  readonly kind: string;
  /** The rule it belongs to: it runs where that rule is in force, with its options, and speaks in its words and mode. */
  readonly rule: string;
  /** Kinds that run first when they are due for the same subject. */
  readonly after?: readonly string[];
  /** It answers something that happened: whoever runs all jobs of a pack leaves it out. */
  readonly onlyWhenDue?: true;
  run(context: JobContext): JobResult | Promise<JobResult>;
}

export interface JobContext {
  readonly root: string;
  readonly subject: string;
  /** As the rule has them in this workspace; what the user wrote may be of any type. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly now: number;
  /** When it was first and last marked since its last run. */
  readonly marked: { readonly first: number; readonly last: number; readonly marks: number };
  readonly files: JobFiles;
}

/** Paths are absolute. */
export interface JobFiles {
  /** A byte order mark stays in the text, so that the file can be written again as it was. */
  readText(path: string, maxBytes?: number): string | undefined;
  stat(
    path: string,
  ): { readonly kind: 'file' | 'dir' | 'other'; readonly size: number; readonly mtimeMs: number } | undefined;
  /** Names in a directory, sorted; no more than `max` are read. */
  list(dir: string, max: number): readonly string[];
  /**
   * Replaces a file in one step and keeps its mode. `expected` is the text it was made from, `undefined` for a file that
   * was not there. When the file holds something else by now, this throws and the job runs again from the start, so a
   * job lets the error pass. A text that is there already is not written again.
   */
  write(path: string, text: string, expected: string | undefined): void;
  /** Throws what `write` would, and writes nothing: for a job that changes several files or none. */
  check(path: string, expected: string | undefined): void;
  /** For a change that must not be lost when the file moves meanwhile: it is made again on what is there then. */
  update(path: string, change: (text: string) => string): void;
  /** With those above it; one that is there is fine. */
  makeDir(path: string): void;
}

/** What came of a run. A job that throws has failed: it stays due, and its breaker counts it. */
export interface JobResult {
  /** For the agents whose edits marked it, with their next event. */
  readonly notes?: readonly Saying[];
  /** For the persons at these sessions. */
  readonly warns?: readonly Saying[];
  /** For the log and those who subscribed to it. */
  readonly relay?: readonly {
    readonly variant: string;
    readonly text: string;
    readonly variables?: Readonly<Record<string, string | number>>;
  }[];
  /** Added to the pack's telemetry in this workspace; times are milliseconds. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, number>>;
  /** Jobs of the pack that are due because of this run; the subject is the same unless one is named. */
  readonly marks?: readonly { readonly kind: string; readonly subject?: string }[];
  /** A program the user configured and its arguments; started at the root once the job is done, one at a time. */
  readonly command?: readonly string[];
  /** Arguments of our own command line, for work that would hold events up; started like `command`. */
  readonly own?: readonly string[];
  /** For whoever asked for this run, such as a command; background runs ignore it. */
  readonly found?: unknown;
}

/** A message of the job's rule. */
export interface Saying {
  readonly variant: string;
  readonly values?: MessageValues;
  /** Says a session the same about this topic only once in a row; without a topic it is said every time. */
  readonly topic?: string;
}
