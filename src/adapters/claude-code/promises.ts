import type { Promises } from '../installer.ts';

export const PROMISES: Promises = {
  undo: 'What a call would destroy is copied before it runs, and the model is told with the call.',
  failure:
    'Where a rule in force must not be skipped, an entry for tool calls and permission requests stops the call when it cannot start or answer (`onFailure`), in a file of one person. After three denials in a session a person is asked. In a shared file entries fail open.',
  gaps: [
    'Started in a mode without hooks, or with settings from elsewhere, it calls nobody. `guard/circumvention` holds such a start by an agent.',
  ],
};
