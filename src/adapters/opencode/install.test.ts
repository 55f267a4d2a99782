import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { opencodeInstaller as installer } from './install.ts';

const deliveryOf = (command: string, hears: (event: EventName) => boolean = () => true): Delivery => ({
  launch: { command, args: [], homeArgs: ['--config', '/c', '--state', "/s p'ace"] },
  hears,
  failsClosed: (event) => event === 'tool.before',
});
const installed = (text: string, delivery = deliveryOf('/bin/fairlead')): string => {
  const addition = installer.add(text, delivery);
  if ('refusal' in addition) throw new Error(addition.refusal);
  return applyEdits(text, addition.edits);
};

describe('the plugin file', () => {
  it('has an entry for each event that somebody hears, and says which of them stop a call', () => {
    const { own, problems, differs } = installer.read(installed(''));
    expect([problems, differs]).toEqual([[], undefined]);
    expect(own.map(({ event }) => event)).toEqual(installer.wired.map(({ name }) => name));
    expect(own.filter(({ blocks }) => blocks).map(({ event }) => event)).toEqual(['tool.execute.before']);
    expect(own.find(({ event }) => event === 'tool.execute.before')?.words).toEqual([
      ...['/bin/fairlead', 'hook', '--agent', 'opencode', '--event', 'tool.execute.before'],
      ...['--config', '/c', '--state', "/s p'ace", '--within', '55000'],
    ]);
    const few = installer.read(
      installed(
        '',
        deliveryOf('/bin/fairlead', (event) => event === 'tool.failed'),
      ),
    );
    expect(few.own.map(({ event }) => event)).toEqual(['tool.execute.after', 'message.part.updated']);
    expect(installer.mustBlock?.('tool.execute.before', (event) => event === 'tool.before')).toBe(true);
    expect(installer.mustBlock?.('chat.message', () => true)).toBe(false);
  });

  it('is a module with one export, which the client calls', async () => {
    const text = installed('');
    const made = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<string, unknown>;
    expect(Object.entries(made).map(([name, value]) => [name, typeof value])).toEqual([['Fairlead', 'function']]);
  });

  it('is written once, brought to another program, and taken away as a whole', () => {
    const text = installed('');
    expect(installed(text)).toBe(text);
    const moved = installed(text, deliveryOf('/other/fairlead'));
    expect(moved).toBe(installed('', deliveryOf('/other/fairlead')));
    expect(applyEdits(moved, installer.remove(moved, {}))).toBe('');
    const addition = installer.add('', deliveryOf('/bin/fairlead'));
    if ('edits' in addition) expect(applyEdits(text, invertEdits(addition.edits))).toBe('');
  });

  it('of another version or changed by hand is said to be so, and written anew', () => {
    const text = installed('');
    const changed = text.replace('throw new Error', 'void new Error');
    expect(changed).not.toBe(text);
    expect(installer.read(changed).differs).toBe('changed');
    expect(installed(changed)).toBe(text);
    // So is one whose lines a checkout has ended otherwise.
    expect(installer.read(text.replaceAll('\n', '\r\n')).differs).toBe('changed');
    const [head = '', , ...rest] = text.split('\n');
    const body = rest.join('\n').replace('Fairlead cannot start', 'Fairlead did not start');
    const old = `${head}\n// sha256 ${createHash('sha256').update(body).digest('hex')}\n${body}`;
    expect(installer.read(old)).toMatchObject({ differs: 'old', own: installer.read(text).own });
    expect(installed(old)).toBe(text);
    // The list of events may be broken too.
    expect(installer.read(text.replace('"events"', '"')).own).toEqual([]);
    expect(installed(text.replace('"events"', '"'))).toBe(text);
  });

  it('with an entry that starts something else was changed, whatever its sum says', () => {
    const [head = '', , ...rest] = installed('').split('\n');
    const body = rest.join('\n').replace('"/bin/fairlead","hook"', '"sh","-c"');
    const text = `${head}\n// sha256 ${createHash('sha256').update(body).digest('hex')}\n${body}`;
    expect(installer.read(text)).toMatchObject({ differs: 'changed', foreign: 0 });
  });

  it.each([
    'export const Fairlead = async () => ({});\n',
    '// The plugin of Fairleads rival\nexport const Rival = async () => ({});\n',
    `${installed('').split('\n')[0]}\nexport const Rival = async () => ({});\n`,
    installed('').split('\n').slice(1).join('\n'),
    installed('').replace(/sha256 \w+/, 'sha256 0'),
  ])('of somebody else stays: %#', (theirs) => {
    expect(installer.add(theirs, deliveryOf('/bin/fairlead'))).toEqual({ refusal: 'it is a plugin of somebody else' });
    expect(installer.read(theirs)).toMatchObject({ own: [], foreign: 1 });
    expect(installer.remove(theirs, {})).toEqual([]);
  });
});

it('lies where the client looks for plugins of a person and of a project', () => {
  const place = { root: '/p', home: '/h', env: {} };
  expect(installer.settingsPath('user', place)).toBe('/h/.config/opencode/plugin/fairlead.js');
  expect(installer.settingsPath('user', { ...place, env: { XDG_CONFIG_HOME: '/x' } })).toBe(
    '/x/opencode/plugin/fairlead.js',
  );
  expect(installer.settingsPath('project', place)).toBe('/p/.opencode/plugin/fairlead.js');
  expect(installer.settingsPath('local', place)).toBeUndefined();
});
