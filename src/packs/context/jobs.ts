import type { Job, PackJobs } from '../../jobs/job.ts';

/** Which of the pack's jobs `check-journal` asks for; the subject is the session. */
export const EXPORT_JOB = 'journal-export';

/** A transcript may be long: it is read by a process of its own, which holds no event up. */
const exportSession: Job = {
  kind: EXPORT_JOB,
  rule: 'context/check-journal',
  run: ({ subject }) => ({ own: ['journal', 'export', '--session', subject] }),
};

export const jobs: PackJobs = [exportSession];
