import type { Pack } from '../../event/pack.ts';

export const pack = {
  about: 'decisions, tasks and reminders of .context/ reach the agent',
  variables: ['FAIRLEAD_BACKUP_SMB_URL', 'CTX_BACKUP_SMB_URL'],
  holds: ['relay', 'sessions'],
  dir: '.context',
  borrows: {
    program: 'ctx',
    settings: '.ctxrc',
    switch: 'read_ctxrc',
    messages: '.context/hooks/messages/*.txt',
  },
} as const satisfies Pack;
