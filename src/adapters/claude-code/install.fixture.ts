import type { EventName } from '../../event/event.ts';
import type { Delivery, Launch } from '../installer.ts';
import { applyEdits } from '../json-edit.ts';
import { claudeCodeInstaller as installer } from './install.ts';

const LAUNCH: Launch = {
  command: '/usr/bin/node',
  args: ['/opt/f/bin/fairlead'],
  homeArgs: ['--config', '/c', '--state', '/s'],
};
export const NODE: Delivery = { launch: LAUNCH };
export const MOVED: Delivery = { launch: { ...LAUNCH, args: ['/elsewhere/bin/fairlead'] } };
export const NATIVE: Delivery = {
  launch: {
    command: '/opt/f/dist/fairlead-client',
    args: [],
    homeArgs: ['--config', '/c', '--state', '/s', '--node', '/usr/bin/node', '--launcher', '/opt/f/bin/fairlead'],
    takesWithin: true,
  },
};
export const TOKEN = 'ab'.repeat(32);
export const http = (...closed: EventName[]): Delivery => ({
  ...NATIVE,
  http: {
    url: 'http://127.0.0.1:20001/hook/claude-code',
    token: TOKEN,
    failsClosed: (event) => closed.includes(event),
  },
});
export const DELIVERIES = {
  node: NODE,
  native: NATIVE,
  http: http(),
  'http, closed': http('tool.before', 'turn.stop'),
};

export function added(text: string, delivery = NODE) {
  const result = installer.add(text, delivery);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}

export function removed(text: string, kept = {}): string {
  return applyEdits(text, installer.remove(text, kept));
}

export const hook = (command: string) => ({ type: 'command', command });
export const posting = (url: string, name = 'Authorization') => ({
  type: 'http',
  url,
  headers: { [name]: `Bearer ${TOKEN}` },
});
export const settings = (hooks: object, more: object = {}) => ({ ...more, hooks });
