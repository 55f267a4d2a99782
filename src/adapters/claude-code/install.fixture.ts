import type { EventName } from '../../event/event.ts';
import type { Delivery, Launch } from '../installer.ts';
import { applyEdits } from '../json-edit.ts';
import { claudeCodeInstaller as installer } from './install.ts';

const LAUNCH: Launch = {
  command: '/usr/bin/node',
  args: ['/opt/f/bin/fairlead'],
  homeArgs: ['--config', '/c', '--state', '/s'],
};
export const closing = (...events: EventName[]): Pick<Delivery, 'failsClosed'> => ({
  failsClosed: (event) => events.includes(event),
});
/** Of a shared file, for which no rules are asked. */
export const SHARED: Delivery = { launch: LAUNCH };
export const NODE: Delivery = { ...SHARED, ...closing() };
export const MOVED: Delivery = { ...NODE, launch: { ...LAUNCH, args: ['/elsewhere/bin/fairlead'] } };
export const NATIVE: Delivery = {
  ...closing(),
  launch: {
    command: '/opt/f/dist/fairlead-client',
    args: [],
    homeArgs: ['--config', '/c', '--state', '/s', '--node', '/usr/bin/node', '--launcher', '/opt/f/bin/fairlead'],
  },
};
export const TOKEN = 'ab'.repeat(32);
export const http = (...closed: EventName[]): Delivery => ({
  ...NATIVE,
  ...closing(...closed),
  http: { url: 'http://127.0.0.1:20001/hook/claude-code', token: TOKEN },
});
export const DELIVERIES = {
  node: NODE,
  native: NATIVE,
  'native, closed': { ...NATIVE, ...closing('tool.before', 'prompt.submit') },
  'in a project': { ...NATIVE, ...closing('tool.before'), inProject: true },
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
