/** What the jobs say. The rule that queues them carries these, so that people can reword them like its own. */
export const JOB_MESSAGES = {
  synced:
    'Fairlead ticked {count} in {spec} because their tasks are complete: {criteria}. The file changed; read it again before editing it.',
  conflict:
    '{increment}: ticked in spec.md while tasks that cover them are open: {criteria}. Fairlead does not untick; complete the tasks or untick the criteria.',
} as const;
