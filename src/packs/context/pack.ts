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
  original: {
    program: 'ctx',
    calls: String.raw`(?:^|[\s;&|('"/])ctx(?:\.exe)?\s+(?:system|agent)\b|^ctx@`,
    both: 'what both know is said twice',
  },
} as const satisfies Pack;
