/** What the jobs say. The rule that queues them carries these, so that people can reword them like its own. */
export const JOB_MESSAGES = {
  synced:
    'Fairlead ticked {criteria} in {spec}; the tasks behind that are all complete. The file has changed, so read it again before editing it.',
  conflict:
    '{increment}: ticked in spec.md while tasks behind it are open: {criteria}. Fairlead unticks nothing; the next step is to complete these tasks or to take the tick back.',
} as const;
