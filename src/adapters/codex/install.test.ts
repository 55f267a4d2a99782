import { describe, expect, it } from 'vitest';
import type { EventName } from '../../event/event.ts';
import type { Delivery } from '../installer.ts';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { EVENTS } from './names.ts';
import { codexInstaller as installer } from './install.ts';

const NODE: Delivery = {
  launch: { command: '/bin/sh', args: ['/home/a b/fairlead'], homeArgs: ['--config', '/c', '--state', "/it's"] },
  failsClosed: () => false,
};
const CLOSED: Delivery = { ...NODE, failsClosed: (event: EventName) => event === 'tool.before' };
const MOVED: Delivery = { ...NODE, launch: { ...NODE.launch, args: ['/elsewhere/fairlead'] } };

function added(text: string, delivery = NODE) {
  const result = installer.add(text, delivery);
  if ('refusal' in result) throw new Error(result.refusal);
  return { ...result, text: applyEdits(text, result.edits) };
}

const OTHERS = `{
  "description": "ours",
  "hooks": {
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "lint", "timeout": 5 }] }],
    "Stop": []
  }
}
`;

describe('entries', () => {
  it.each([
    ['no file', ''],
    ['an empty object', '{}\n'],
    ['hooks of others', OTHERS],
    ['one line', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}'],
  ])('there and back, with %s', (_, before) => {
    const { text, edits, kept } = added(before);
    const { own, problems, foreign } = installer.read(text);
    expect([own.map(({ event }) => event).sort(), problems]).toEqual([EVENTS.map(({ name }) => name).sort(), []]);
    expect(foreign).toBe(before === '' || before === '{}\n' ? 0 : 1);
    expect(applyEdits(text, invertEdits(edits))).toBe(before);
    if (before.trim().length > 2) expect(applyEdits(text, installer.remove(text, kept))).toBe(before);
    expect(added(text).text, 'again').toBe(text);
  });

  it('are one line for a shell, and read back as words', () => {
    const [first] = installer.read(added('').text).own;
    expect(first?.words).toEqual([
      ...['/bin/sh', '/home/a b/fairlead', 'hook', '--agent', 'codex', '--event', 'SessionStart'],
      ...['--config', '/c', '--state', "/it's"],
    ]);
    const { hooks } = JSON.parse(added('').text) as { hooks: Record<string, [{ hooks: [{ timeout: number }] }]> };
    expect(Object.fromEntries(EVENTS.map(({ name }) => [name, hooks[name]?.[0].hooks[0].timeout]))).toMatchObject({
      PreToolUse: 60,
      PermissionRequest: 60,
      PostToolUse: 10,
      SessionEnd: 3,
      Interrupt: 3,
    });
  });

  it('stop the client where the program cannot start, if a rule must not be skipped', () => {
    const blocking = (delivery: Delivery) =>
      installer.read(added('', delivery).text).own.flatMap(({ event, blocks }) => (blocks ? [event] : []));
    expect(blocking(NODE)).toEqual([]);
    expect(blocking(CLOSED)).toEqual(['PreToolUse', 'PermissionRequest']);
    expect(EVENTS.filter(({ name }) => installer.mustBlock?.(name, CLOSED.failsClosed ?? (() => false)))).toHaveLength(
      2,
    );
  });

  it('follow the program and the rules, and what a person set stays', () => {
    const before = added(OTHERS).text.replace('"timeout": 60', '"timeout": 30, "statusMessage": "looks"');
    const after = added(before, { ...MOVED, ...{ failsClosed: CLOSED.failsClosed } } as Delivery).text;
    expect(after).toContain('"timeout": 30, "statusMessage": "looks"');
    expect(installer.read(after).own.every(({ words }) => words[1] === '/elsewhere/fairlead')).toBe(true);
    expect(after.match(/exit 2/g)).toHaveLength(2);
    const heard = added(after, { ...MOVED, hears: (event) => event === 'tool.before' });
    expect(installer.read(heard.text).own.map(({ event }) => event)).toEqual(['PreToolUse']);
  });

  it.each([
    ['no JSON', '{', ''],
    ['a key that the client does not know', '{"hooks":{},"more":1}', 'more'],
    ['an entry that it cannot read', '{"hooks":{"Stop":[{"hooks":[{"type":"x"}]}]}}', 'hooks.Stop.0.hooks.0.type'],
    [
      'a limit that is no number',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"1"}]}]}}',
      'hooks.Stop.0.hooks.0.timeout',
    ],
  ])('%s makes the client leave out the whole file', (_, text, path) => {
    expect(installer.read(text).problems).toMatchObject([{ path, disables: 'file' }]);
  });

  it('a matcher, or one that is not waited for, narrows an entry', () => {
    const text = added('').text.replace('"PreToolUse": [{ ', '"PreToolUse": [{ "matcher": "Bash", ');
    expect(installer.read(text).own.find(({ event }) => event === 'PreToolUse')?.narrowed).toEqual([
      { setting: 'matcher', value: 'Bash' },
    ]);
    expect(
      installer.read('{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"fairlead hook --agent other"}]}]}}').own,
    ).toEqual([]);
  });
});

describe('consent', () => {
  const location = { root: '/p', home: '/h', env: {} };
  const hooks = { path: '/h/.codex/hooks.json', text: added(OTHERS).text };
  const files = (text: string) => ({ readText: () => text });
  const trust = (text = hooks.text, scope: 'user' | 'project' = 'user') => {
    const settings = installer.trust?.(scope, location, files(text));
    if (!settings) throw new Error('no consent');
    return settings;
  };
  const agreed = (before: string, given = hooks) => {
    const result = trust(given.text).add(before, given);
    if ('refusal' in result) throw new Error(result.refusal);
    return { text: applyEdits(before, result.edits), edits: result.edits };
  };

  it('is the hash that the client has for an entry', () => {
    // By `hooks/list` of client 0.166.0.
    const command = '/usr/bin/node /opt/f/bin/fairlead hook --agent codex --event PreToolUse';
    const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 60 }] }] } });
    expect(agreed('', { path: '/home/dev/.codex/hooks.json', text }).text).toBe(
      '\n[hooks.state."/home/dev/.codex/hooks.json:pre_tool_use:0:0"]\n' +
        'trusted_hash = "sha256:4022aaa2cc80e33476681acf321daacdb84abb63941b01225e4f71083708ac57"\n',
    );
  });

  it.each([
    '[hooks]\n  [hooks.state."/h/.codex/hooks.json:stop:0:0"]\n  trusted_hash = "x"\n',
    '[ hooks . state . "/h/.codex/hooks.json:stop:0:0" ]\ntrusted_hash = "x"\n',
    '[hooks.state]\n"/h/.codex/hooks.json:stop:0:0" = { trusted_hash = "x" }\n',
    '[hooks]\nstate = {}\n',
    'hooks = { state = {} }\n',
    'hooks.state."k".trusted_hash = "x"\n',
  ])('is not added to what would then be written twice: %j', (before) => {
    expect(trust().add(before, hooks)).toMatchObject({ refusal: expect.stringContaining('Say yes in /hooks instead') });
  });

  it('is added beside hooks that stand there in another table', () => {
    const before = '[hooks]\nmanaged_dir = "x"\n\n[[hooks.Stop]]\n[features]\nstate = true\n';
    expect(agreed(before).text.startsWith(before)).toBe(true);
  });

  it.each([
    ['no file', ''],
    ['settings with comments', '# mine\nmodel = "x"\n\n[features] # y\na = true\n'],
    ['settings without a last line end', 'model = "x"'],
  ])('there and back, with %s', (_, before) => {
    const { text, edits } = agreed(before);
    expect(trust().objections(before, hooks)).toEqual([`${EVENTS.length} entries are not agreed to by a person`]);
    expect(trust().objections(text, hooks)).toEqual([]);
    expect(applyEdits(text, invertEdits(edits))).toBe(before);
    const more = `${text}\n[projects."/q"]\ntrust_level = "trusted"\n`;
    const left = applyEdits(more, trust().remove(more, {}));
    expect(left).toBe(
      `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}\n[projects."/q"]\ntrust_level = "trusted"\n`,
    );
    expect(agreed(text).text, 'again').toBe(text);
  });

  it('is gone with any change of an entry, and is brought to it', () => {
    const { text } = agreed('');
    const moved = { ...hooks, text: added(hooks.text, MOVED).text };
    expect(trust().objections(text, moved)).toEqual([
      `${EVENTS.length} entries are changed since a person agreed to them`,
    ]);
    const again = agreed(text, moved).text;
    expect(trust().objections(again, moved)).toEqual([]);
    expect(again.match(/trusted_hash/g)).toHaveLength(EVENTS.length);
  });

  it('counts only while hooks are on, and in a project that is trusted', () => {
    const { text } = agreed('');
    expect(trust().objections(`${text}\n[features]\nhooks = false\n`, hooks)).toEqual([
      'all entries are off, by `hooks = false` under [features]',
    ]);
    const off = text.replace('trusted_hash', 'enabled = false\ntrusted_hash');
    expect(trust().objections(off, hooks)).toEqual(['1 entry is switched off in the list of hooks']);
    const shared = { path: '/p/.codex/hooks.json', text: hooks.text };
    const inProject = agreed('', shared).text;
    expect(trust(hooks.text, 'project').objections(inProject, shared)).toEqual([
      'the project is not marked as trusted',
    ]);
    const trusted = `${inProject}[projects."/p"]\ntrust_level = "trusted"\n`;
    expect(trust(hooks.text, 'project').objections(trusted, shared)).toEqual([]);
  });
});
