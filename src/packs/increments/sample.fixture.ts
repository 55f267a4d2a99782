import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createOwnWrites } from '../../jobs/own-writes.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Ran } from '../../jobs/run-job.ts';
import type { JobResult } from '../../jobs/job.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { Files } from '../../platform/files.ts';
import { jobs } from './jobs.ts';
import type { JobFound } from './jobs.ts';
import type { JobKind } from './layout.ts';

/** A project on disk whose jobs can be run. */
export interface Sample {
  readonly root: string;
  now: number;
  put(path: string, text: string): void;
  read(path: string): string;
  /** Every file by its path, with when it was written. */
  times(): Record<string, number>;
  files(under: string): string[];
  attempt(kind: JobKind, subject: string, options?: Readonly<Record<string, unknown>>, files?: Files): Promise<Ran>;
  run(
    kind: JobKind,
    subject: string,
    options?: Readonly<Record<string, unknown>>,
  ): Promise<JobResult & { readonly found?: JobFound }>;
  remove(): void;
}

/** A copy of the sample project, or an empty one with these files. */
export function openSample(given?: Readonly<Record<string, string>>): Sample {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-increments-'))), 'shop');
  mkdirSync(root);
  if (given === undefined) cpSync('test/fixtures/specweave/project', root, { recursive: true });
  const sample: Sample = {
    root,
    now: Date.parse('2027-03-02T10:00:00Z'),
    put(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    times: () => Object.fromEntries(sample.files('.').map((path) => [path, statSync(join(root, path)).mtimeMs])),
    files: (under) =>
      readdirSync(join(root, under), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
        .toSorted(),
    attempt(kind, subject, options = {}, files = nodeFiles) {
      const job = jobs.find((each) => each.kind === kind);
      if (!job) throw new Error(`no job ${kind}`);
      const marked = { first: sample.now - 200, last: sample.now - 150, marks: 2 };
      return runJob(job, { root, pack: 'increments', subject, kind }, options, marked, {
        files,
        ownWrites: createOwnWrites(files, () => sample.now),
        mayWrite: () => true,
        now: () => sample.now,
        soon() {},
      });
    },
    async run(kind, subject, options) {
      const ran = await sample.attempt(kind, subject, options);
      if (ran.state !== 'done') throw new Error(`${kind} ${ran.state}`, { cause: ran });
      return ran.result as JobResult & { readonly found?: JobFound };
    },
    remove: () => rmSync(dirname(root), { recursive: true }),
  };
  for (const [path, text] of Object.entries(given ?? {})) sample.put(path, text);
  return sample;
}
