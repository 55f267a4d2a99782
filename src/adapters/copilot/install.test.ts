import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { copilotInstaller as installer } from './install.ts';

const deliveryOf = (command: string, hears: (event: EventName) => boolean = () => true): Delivery => ({
  launch: { command, args: [], homeArgs: ['--state', "/s p'ace"] },
  hears,
  failsClosed: (event) => event === 'tool.before',
});
const OURS = deliveryOf('/opt/f/fairlead-client');

function added(text: string, delivery = OURS) {
  const result = installer.add(text, delivery);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}

type Hooks = Readonly<Record<string, readonly [{ readonly hooks: readonly [Readonly<Record<string, unknown>>] }]>>;
const hooksIn = (text: string): Hooks => (JSON.parse(text) as { hooks: Hooks }).hooks;

/** As people write it: entries in a flat list, in either spelling, and such in groups. */
const THEIRS = `{
  "version": 1,
  "hooks": {
    "preToolUse": [{ "type": "command", "bash": "./check.sh", "timeoutSec": 5 }],
    "PostToolUse": [{ "matcher": "Edit", "hooks": [{ "type": "command", "command": "./format.sh" }] }]
  }
}
`;

describe('entries in a file of hooks', () => {
  it('are lines for a shell, with limits in seconds', () => {
    const hooks = hooksIn(added('').text);
    expect(Object.keys(hooks)).toEqual(installer.wired.map(({ name }) => name));
    const { command, ...rest } = hooks['preToolUse']?.[0].hooks[0] ?? {};
    expect(rest).toEqual({ type: 'command', timeout: 60 });
    expect(command).toMatch(
      /^\/opt\/f\/fairlead-client hook --agent copilot --event preToolUse --state '\/s p'\\''ace' --within 55000 \|\| \/bin\/sh -c /,
    );
    expect(hooks['postToolUse']?.[0].hooks[0]).toMatchObject({ timeout: 10 });
    expect(hooks['postToolUse']?.[0].hooks[0]['command']).toMatch(/ \|\| true$/);
  });

  it('deny in the words of the client where nothing starts, and go on in a file of many people', () => {
    const ran = (event: string, delivery?: Delivery) => {
      const line = hooksIn(added('', delivery).text)[event]?.[0].hooks[0]['command'] as string;
      const { status, stdout } = spawnSync('/bin/bash', ['-c', line], { encoding: 'utf8' });
      return { status, said: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) };
    };
    expect(ran('preToolUse')).toEqual({
      status: 2,
      said: {
        permissionDecision: 'deny',
        permissionDecisionReason:
          'Fairlead cannot start: run fairlead init again, or take its hooks out of .copilot/hooks/fairlead.json',
      },
    });
    expect(ran('permissionRequest')).toMatchObject({ status: 2, said: { behavior: 'deny' } });
    expect(ran('agentStop')).toEqual({ status: 0, said: undefined });
    const { failsClosed: _, ...shared } = OURS;
    expect(ran('preToolUse', shared)).toEqual({ status: 0, said: undefined });
  });

  it('are made for calls that failed in both events that tell of them', () => {
    const delivery = deliveryOf('/f/fairlead', (event) => event === 'tool.failed');
    expect(Object.keys(hooksIn(added('', delivery).text))).toEqual(['postToolUse', 'postToolUseFailure']);
  });

  it('stand beside those of others in any form, and go without a trace', () => {
    const { text, kept } = added(THEIRS);
    const { own, foreign, problems, others } = installer.read(text);
    expect({ own: own.length, foreign, problems }).toEqual({ own: installer.wired.length, foreign: 2, problems: [] });
    expect(others).toEqual(['./check.sh', './format.sh']);
    expect(own.find(({ event }) => event === 'preToolUse')).toMatchObject({ blocks: true });
    expect(added(text).text, 'a second time').toBe(text);
    expect(applyEdits(text, installer.remove(text, kept))).toBe(THEIRS);
  });

  it('are brought to where the program is now', () => {
    const first = added(THEIRS).text;
    const moved = added(first, deliveryOf('/new/fairlead-client')).text;
    expect(moved).not.toContain('/opt/f/');
    expect(moved.length).toBe(first.replaceAll('/opt/f/', '/new/').length);
  });

  it('come and go byte for byte in any file', () => {
    const event = fc.constantFrom('preToolUse', 'PreToolUse', 'agentStop', 'other');
    const entry = fc.constantFrom(
      { type: 'command', bash: 'x' },
      { hooks: [{ type: 'command', command: 'y' }] },
      { matcher: 'bash', hooks: [] },
    );
    const file = fc.record(
      { version: fc.constant(1), hooks: fc.dictionary(event, fc.array(entry)) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const { edits, kept, text: now } = added(text);
        expect(applyEdits(now, installer.remove(now, kept))).toBe(text);
        expect(applyEdits(now, invertEdits(edits))).toBe(text);
      }),
      cases(300),
    );
  });
});

describe('what is wrong in a file of hooks', () => {
  it('is said: comments, which the client does not read, switches, and entries that it leaves out', () => {
    expect(installer.read('{ // mine\n "hooks": {} }').problems).toMatchObject([{ disables: 'file' }]);
    expect(installer.add('{ // mine\n "hooks": {} }', OURS)).toHaveProperty('refusal');
    expect(installer.read('{"disableAllHooks": true}').switches).toEqual(['disableAllHooks']);
    expect(installer.read('{"allowManagedHooksOnly": true}').switches).toEqual(['allowManagedHooksOnly']);
    const wrong = '{"hooks": {"preToolUse": [{"type": "nope"}, {"hooks": [{"type": "http"}]}]}}';
    expect(installer.read(wrong).problems.map(({ path, disables }) => [path, disables])).toEqual([
      ['hooks.preToolUse.0.type', 'entry'],
      ['hooks.preToolUse.1.hooks.0.url', 'entry'],
    ]);
  });

  it('an entry of ours that is narrowed, in its group or by itself', () => {
    const handler = hooksIn(added('').text)['preToolUse']?.[0].hooks[0];
    const text = JSON.stringify({ hooks: { preToolUse: [{ ...handler, matcher: 'view' }] } });
    expect(installer.read(text).own).toMatchObject([{ narrowed: [{ setting: 'matcher', value: 'view' }] }]);
    expect(applyEdits(text, installer.remove(text, {}))).toBe('{}');
  });
});

it('lies in a file of its own, of the person or of the project', () => {
  const at = { root: '/p', home: '/h', env: {} };
  expect(installer.settingsPath('user', at)).toBe('/h/.copilot/hooks/fairlead.json');
  expect(installer.settingsPath('user', { ...at, env: { COPILOT_HOME: '/c' } })).toBe('/c/hooks/fairlead.json');
  expect(installer.settingsPath('project', at)).toBe('/p/.github/hooks/fairlead.json');
  expect(installer.settingsPath('local', at)).toBeUndefined();
});
