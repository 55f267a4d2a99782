import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { qwenInstaller as installer } from './install.ts';

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

/** A settings file as people write it: comments, other settings, hooks of others. */
const COMMENTED = `{
  // what the team agreed on
  "theme": "Default", /* not "Dark" */
  "hooks": {
    "PreToolUse": [
      // theirs
      { "matcher": "write_file", "hooks": [{ "type": "command", "command": "./check.sh", "timeout": 5 }] } // last
    ]
  }, // end
  "$version": 4
}
`;

describe('entries in the settings of the client', () => {
  it('are lines for a shell, with limits in seconds; those for calls stop where nothing starts', () => {
    const { hooks } = JSON.parse(added('').text) as { hooks: Record<string, [{ hooks: [Record<string, unknown>] }]> };
    expect(Object.keys(hooks)).toEqual(installer.wired.map(({ name }) => name));
    const line = (event: string) =>
      `/opt/f/fairlead-client hook --agent qwen --event ${event} --state '/s p'\\''ace' --within 55000 || /bin/sh -c 'echo "Fairlead cannot start: run fairlead init again, or take its hooks out of .qwen/settings.json" >&2; exit 2'`;
    for (const event of ['PreToolUse', 'PermissionRequest'])
      expect(hooks[event]?.[0].hooks[0]).toEqual({ type: 'command', command: line(event), timeout: 60 });
    expect(hooks['PostToolUse']?.[0].hooks[0]).toEqual({
      type: 'command',
      command: `/opt/f/fairlead-client hook --agent qwen --event PostToolUse --state '/s p'\\''ace'`,
      timeout: 10,
    });
    expect(installer.wired.map(({ name }) => name)).not.toContain('MessageDisplay');
  });

  it('wait no longer than a person has set, in seconds or in what the client takes for milliseconds', () => {
    const first = added('').text;
    const within = (limit: string) => {
      const moved = added(first.replace('"timeout": 60', `"timeout": ${limit}`), deliveryOf('/new/fairlead')).text;
      expect(moved).toContain(`"timeout": ${limit}`);
      return /PreToolUse [^"]*--within (\d+)/.exec(moved)?.[1];
    };
    expect(within('20')).toBe('19000');
    expect(within('20000')).toBe('19000');
  });

  it('stand beside those of others, in a file with comments, and go without a trace', () => {
    const { text, kept } = added(COMMENTED);
    expect(text).toContain('// theirs');
    expect(text).toContain('/* not "Dark" */');
    const { own, foreign, problems } = installer.read(text);
    expect({ own: own.length, foreign, problems }).toEqual({ own: installer.wired.length, foreign: 1, problems: [] });
    expect(own.find(({ event }) => event === 'PreToolUse')).toMatchObject({ blocks: true });
    expect(added(text).text, 'a second time').toBe(text);
    expect(applyEdits(text, installer.remove(text, kept))).toBe(COMMENTED);
  });

  it('leave every file as it was, whatever is in it', () => {
    const blank = fc.constantFrom('', ' ', '\n', '// x\n', '/* y */', '\t');
    const member = fc.tuple(fc.constantFrom('a', 'theme', 'ui'), fc.json({ maxDepth: 2 }));
    const file = fc
      .tuple(fc.array(fc.tuple(member, blank, blank), { maxLength: 4 }), blank, fc.constantFrom('\n', ''))
      .map(([members, lead, end]) => {
        const inner = members.map(([[key, value], before, after], at) => `${before}"${key}${at}": ${value}${after}`);
        return `{${lead}${inner.join(',')}}${end}`;
      });
    fc.assert(
      fc.property(file, (before) => {
        const { text, edits } = added(before);
        expect(installer.read(text).problems).toEqual([]);
        expect(applyEdits(text, invertEdits(edits)), 'by what was recorded').toBe(before);
      }),
      cases(300),
    );
  });

  it('are named where the client would leave them out', () => {
    const of = (settings: object) => installer.read(JSON.stringify(settings)).switches;
    expect(of({ disableAllHooks: true })).toEqual(['disableAllHooks']);
    expect(of({ tools: { executionSandbox: { filesystem: 'read-only' } } })).toEqual(['tools.executionSandbox']);
    expect(of({ disableAllHooks: false, tools: { core: [] } })).toEqual([]);
    const wrong = { hooks: { PreToolUse: [{ hooks: [{ type: 'http' }] }], Stop: [{ hooks: [{ type: 'nope' }] }] } };
    expect(installer.read(JSON.stringify(wrong)).problems).toMatchObject([
      { path: 'hooks.PreToolUse.0.hooks.0.url', disables: 'entry' },
      { path: 'hooks.Stop.0.hooks.0.type', disables: 'entry' },
    ]);
  });

  it('lie where the client looks', () => {
    const at = { root: '/p', home: '/home/dev', env: {} };
    expect(installer.settingsPath('user', at)).toBe('/home/dev/.qwen/settings.json');
    expect(installer.settingsPath('user', { ...at, env: { QWEN_HOME: '/q' } })).toBe('/q/settings.json');
    expect(installer.settingsPath('project', at)).toBe('/p/.qwen/settings.json');
    expect(installer.settingsPath('local', at)).toBeUndefined();
    expect(installer.policyPaths('linux', () => [])).toEqual(['/etc/qwen-code/settings.json']);
  });
});
