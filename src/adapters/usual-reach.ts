import type { Capabilities } from './adapter.ts';

export const SILENT: Capabilities = {
  allow: 'none',
  rewrite: 'none',
  ask: 'none',
  deny: 'none',
  note: 'none',
  warn: 'none',
};

/** No channel to the model: every text is shown to the person. */
export const SHOWN: Capabilities = { ...SILENT, ask: 'person', deny: 'person', note: 'person', warn: 'person' };

/** The model reads context here, but what happened cannot be taken back. */
export const TOLD: Capabilities = { ...SHOWN, ask: 'advised', deny: 'advised', note: 'advised' };
