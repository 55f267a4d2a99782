import { describe, expect, it } from 'vitest';
import { applyEdits, invertEdits } from '../json-edit.ts';
import { ADOPTING } from './adopt-edit.ts';
import { claudeCodeInstaller } from './install.ts';

const LAUNCH = { command: '/s/launch/fairlead-client', args: [], homeArgs: ['--config', '/c', '--state', '/s'] };
const DENY = { type: 'command', command: 'deny.sh' };
const NOTE = { type: 'command', command: 'note.sh', timeout: 5 };
const POST = { type: 'http', url: 'http://127.0.0.1:9/' };
const SETTINGS = {
  model: 'x',
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [DENY, NOTE] },
      { matcher: 'Edit|Write', hooks: [NOTE, POST] },
      { matcher: 'Read', hooks: [DENY] },
    ],
    Stop: [{ hooks: [NOTE] }],
  },
};

/** As people lay their files out. */
const LAYOUTS: readonly [string, string][] = [
  ['two blanks', JSON.stringify(SETTINGS, null, 2)],
  ['tabs and a last line feed', `${JSON.stringify(SETTINGS, null, '\t')}\n`],
  ['one line', JSON.stringify(SETTINGS)],
  ['a byte order mark and carriage returns', `\uFEFF${JSON.stringify(SETTINGS, null, 4).replaceAll('\n', '\r\n')}`],
];

function takeAll(text: string) {
  const hooks = ADOPTING.list(text).filter(({ objection }) => objection === undefined);
  const set = {
    id: 'abc',
    hooks: hooks.map(({ event, matcher, entry, shown }) => ({
      ...{ name: shown, event, entry },
      ...(matcher !== undefined && { matcher }),
    })),
  };
  const edits = ADOPTING.take(text, set, new Set(hooks.map(({ path }) => path)), LAUNCH);
  return { set, edits, after: applyEdits(text, edits) };
}

describe.each(LAYOUTS)('a file with %s', (_, text) => {
  it('has one entry per event afterwards, and what was left', () => {
    const { after } = takeAll(text);
    expect(claudeCodeInstaller.read(after)).toMatchObject({ problems: [], own: [], foreign: 1 });
    const { hooks, model } = JSON.parse(after.replace('\uFEFF', '')) as typeof SETTINGS;
    expect(model).toBe('x');
    expect(hooks.PreToolUse).toEqual([
      {
        matcher: 'Bash|Edit|Write|Read',
        hooks: [
          {
            type: 'command',
            command: LAUNCH.command,
            args: expect.arrayContaining([
              'hook',
              '--event',
              'PreToolUse',
              '--adopted',
              'abc',
              '--within',
              '610000',
            ]) as unknown,
            timeout: 620,
            onFailure: 'block',
          },
        ],
      },
      { matcher: 'Edit|Write', hooks: [POST] },
    ]);
    expect(hooks.Stop).toEqual([{ hooks: [expect.objectContaining({ timeout: 25 })] }]);
    expect(hooks.Stop[0]?.hooks[0]).not.toHaveProperty('onFailure');
    expect(ADOPTING.setsIn(after)).toEqual(['abc']);
  });

  it('gets every byte back', () => {
    const { edits, after } = takeAll(text);
    expect(applyEdits(after, invertEdits(edits))).toBe(text);
  });

  it('gets its hooks back after a change, and keeps the change', () => {
    const { set, after } = takeAll(text);
    const back = ADOPTING.giveBack(after.replace('"x"', '"y"'), set) ?? '';
    const { hooks, model } = JSON.parse(back.replace('\uFEFF', '')) as typeof SETTINGS;
    expect(model).toBe('y');
    expect(ADOPTING.setsIn(back)).toEqual([]);
    expect(hooks.PreToolUse).toEqual([
      { matcher: 'Edit|Write', hooks: [POST] },
      { matcher: 'Bash', hooks: [DENY] },
      { matcher: 'Bash', hooks: [NOTE] },
      { matcher: 'Edit|Write', hooks: [NOTE] },
      { matcher: 'Read', hooks: [DENY] },
    ]);
    expect(hooks.Stop).toEqual([{ hooks: [NOTE] }]);
  });
});

it.each([
  ['an empty file', '', undefined],
  ['no hooks any more', '{ "model": "y" }', undefined],
  ['something else', '[]', 'nothing'],
])('gives hooks back into %s', (_, text, nothing) => {
  const { set } = takeAll(JSON.stringify(SETTINGS));
  const back = ADOPTING.giveBack(text, set);
  if (nothing !== undefined) expect(back).toBe(undefined);
  else expect(ADOPTING.list(back ?? '')).toHaveLength(5);
});

it('has no matcher where patterns and names are mixed', () => {
  const settings = {
    hooks: {
      PreToolUse: [
        { matcher: '^B', hooks: [DENY] },
        { matcher: 'Edit', hooks: [NOTE] },
      ],
    },
  };
  expect((JSON.parse(takeAll(JSON.stringify(settings)).after) as typeof SETTINGS).hooks.PreToolUse).toEqual([
    { hooks: [expect.anything()] },
  ]);
});

it.each<[string, string, object, string]>([
  ['another type', 'PreToolUse', POST, 'only the agent can run a hook of the type http'],
  ['a filter of the agent', 'PreToolUse', { ...DENY, if: 'Bash(git *)' }, '`if`'],
  ['the background', 'PreToolUse', { ...DENY, async: true }, 'background'],
  ['a shell of its own', 'PreToolUse', { ...DENY, shell: 'powershell' }, 'shell of its own'],
  ['an event that nobody tried', 'TaskCreated', DENY, 'TaskCreated'],
  ['words of a plugin', 'PreToolUse', { ...DENY, command: '${CLAUDE_PLUGIN_ROOT}/x' }, 'plugin'],
])('leaves %s to the agent', (_, event, entry, why) => {
  const [hook] = ADOPTING.list(JSON.stringify({ hooks: { [event]: [{ hooks: [entry] }] } }));
  expect(hook?.objection).toContain(why);
});
