/** What the jobs say. The rule that queues them carries these, so that people can reword them like its own. */
export const JOB_MESSAGES = {
  synced:
    'Fairlead ticked {criteria} in {spec}: all tasks that name them are complete. The file has changed, so read it again before editing it.',
  conflict:
    '{increment}: {criteria} ticked in spec.md while tasks that name them are open. Fairlead unticks nothing; either complete these tasks or untick the criteria.',
} as const;
