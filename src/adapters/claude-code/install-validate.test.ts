import { expect, it } from 'vitest';
import { validateSettings } from './install-validate.ts';

const good = { type: 'command', command: 'true', args: ['x'], timeout: 5 };
const on = (event: string, ...hooks: unknown[]) => ({ hooks: { [event]: [{ hooks }] } });

/** Most rows, or the same fault on a neighbouring event, were tried with client 2.1.325; a missing command is by its schema alone. */
const ROWS: readonly (readonly [string, unknown, ('file' | 'entry')?, string?])[] = [
  ['a valid entry', on('PreToolUse', good)],
  ['an unknown key in an entry', on('PreToolUse', { ...good, marker: 1 })],
  ['an unknown key in a group', { hooks: { PreToolUse: [{ note: 5, hooks: [good] }] } }],
  ['an unknown event', { hooks: { NoSuch: 5 } }],
  ['no hooks', { model: 'opus' }],
  ['an unknown type', on('PreToolUse', { type: 'nope' }), 'file', 'hooks.PreToolUse.0.hooks.0.type'],
  ['an unknown type elsewhere', on('PostToolUse', { type: 'nope' }), 'entry', 'hooks.PostToolUse.0.hooks.0.type'],
  ['no timeout at all', on('PreToolUse', { ...good, timeout: 0 }), 'file', 'hooks.PreToolUse.0.hooks.0.timeout'],
  [
    'a timeout as text',
    on('PermissionRequest', { ...good, timeout: '5' }),
    'file',
    'hooks.PermissionRequest.0.hooks.0.timeout',
  ],
  ['a number among the arguments', on('PreToolUse', { ...good, args: [1] }), 'file', 'hooks.PreToolUse.0.hooks.0.args'],
  ['a flag as text', on('PreToolUse', { ...good, async: 'yes' }), 'file', 'hooks.PreToolUse.0.hooks.0.async'],
  [
    'an unknown word',
    on('PreToolUse', { ...good, onFailure: 'maybe' }),
    'file',
    'hooks.PreToolUse.0.hooks.0.onFailure',
  ],
  ['a group without hooks', { hooks: { PreToolUse: [{ matcher: 'Read' }] } }, 'file', 'hooks.PreToolUse.0.hooks'],
  [
    'a matcher that is a number',
    { hooks: { PreToolUse: [{ matcher: 5, hooks: [] }] } },
    'file',
    'hooks.PreToolUse.0.matcher',
  ],
  ['an event that is no list', { hooks: { PreToolUse: {} } }, 'file', 'hooks.PreToolUse'],
  ['such an event elsewhere', { hooks: { Stop: {} } }, 'entry', 'hooks.Stop'],
  ['hooks that are nothing', { hooks: null }, 'entry', 'hooks'],
  ['a missing command', on('PreToolUse', { type: 'command' }), 'file', 'hooks.PreToolUse.0.hooks.0.command'],
];

it.each(ROWS)('%s', (_, value, disables, path) => {
  expect(validateSettings(JSON.stringify(value)).map((problem) => [problem.disables, problem.path])).toEqual(
    disables ? [[disables, path]] : [],
  );
});

it.each([
  ['\uFEFF{}', 0],
  ['{"a":1,}', 1],
  ['{ /* x */ }', 1],
  ['', 1],
])('JSON as the client takes it: %j', (text, problems) => {
  expect(validateSettings(text)).toHaveLength(problems);
});
