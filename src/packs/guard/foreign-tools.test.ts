import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, SEED } from '../../../test/cases.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { callWith } from '../../engine/engine.fixture.ts';
import { judge } from '../guard.fixture.ts';

const call = (tool_name: string, tool_input: unknown) =>
  claudeCode.parse(callWith({ hook_event_name: 'PreToolUse', session_id: 's', tool_name, tool_input }));
const verdict = async (tool: string, input: unknown) =>
  (await judge(call(tool, input))).split(' ').slice(0, 2).join(' ');

/** Ways to hide a thing in what a tool is given. */
const HIDES: readonly ((value: unknown) => unknown)[] = [
  (value) => ({ options: value }),
  (value) => ({ steps: [value] }),
  (value) => ({ request: { body: { items: [{ id: 1 }, value] } } }),
  (value) => ({ note: 'x', more: [[value]] }),
];
const hidden = (value: unknown) =>
  fc
    .array(fc.constantFrom(...HIDES), { maxLength: 3 })
    .map((hides) => hides.reduce((inner, hide) => hide(inner), value));

const COMMANDS: readonly unknown[] = [
  { command: 'rm -rf /' },
  { command: 'rm', args: ['-rf', '/'] },
  { program: 'rm', arguments: ['-rf', '/'] },
  { executable: '/bin/rm', args: '-rf /' },
  { args: ['-c', 'rm -rf /'] },
  { args: ['rm', '-rf', '/'] },
  { argv: ['bash', '-c', 'rm -rf /'] },
  { command: ['rm', '-rf', '/'] },
  { command: { program: 'rm', args: ['-rf', '/'] } },
  { commands: ['cd /', 'rm -rf *'] },
  { command: 'rm -rf *', cwd: '/' },
  { cmd: 'sh', stdin: 'rm -rf /' },
  { cmdline: 'rm -rf /' },
  { command: '', args: 'rm -rf /' },
  { command: [['rm', '-rf', '/']] },
  { payload: '{"command":"rm -rf /"}' },
];

it('a command is found wherever a tool of another server is given it', async () => {
  const cases = fc.tuple(
    fc.constantFrom('mcp__x__run_command', 'mcp__shell__do', 'mcp__x__apply', 'mcp__x__bash'),
    fc.constantFrom(...COMMANDS).chain(hidden),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([tool, input]) => {
      expect(await verdict(tool, input)).toBe('deny guard/catastrophe');
    }),
    { numRuns: countOf(1_000), seed: SEED },
  );
});

const PATHS: readonly unknown[] = [
  { path: '.claude/settings.json' },
  { files: [{ path: '.claude/settings.json', content: '{}' }] },
  { file_path: '~/.config/fairlead/config.yaml' },
  { outputPath: '.fairlead/config.yaml' },
  { anything: '.claude/settings.local.json' },
  { x: ['a', '/home/dev/.local/state/fairlead/trust.json'] },
  { uri: 'file:///home/dev/.claude/settings.json' },
  { filename: 'settings.json', directory: '.claude', content: '' },
  { path: ['.claude', 'settings.json'] },
  { patch: '--- a/.claude/settings.json\n+++ b/.claude/settings.json\n' },
  { input: '*** Begin Patch\n*** Update File: .claude/settings.json\n' },
];

it('a file of ours is found wherever a tool of another server is given it', async () => {
  const cases = fc.tuple(
    fc.constantFrom('mcp__fs__write_files', 'mcp__fs__delete_file', 'mcp__x__apply', 'mcp__x__edit', 'mcp__x__do'),
    fc.constantFrom(...PATHS).chain(hidden),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([tool, input]) => {
      expect(await verdict(tool, input)).toMatch(/^(?:deny|ask) guard\/self-protection$/);
    }),
    { numRuns: countOf(1_000), seed: SEED },
  );
});

it.each<[string, unknown, string]>([
  ['mcp__x__shell', { run: 'rm -rf /' }, 'deny guard/catastrophe'],
  ['mcp__x__terminal', { keystrokes: 'rm -rf /\n' }, 'deny guard/catastrophe'],
  ['mcp__x__exec', { code: 'import os; os.system("rm -rf /")' }, 'deny guard/catastrophe'],
  ['mcp__x__python', { code: 'import shutil; shutil.rmtree("/")' }, 'deny guard/catastrophe'],
  ['mcp__x__bash', { command: 7 }, 'ask guard/unknown'],
  ['mcp__x__bash', { command: {} }, 'ask guard/unknown'],
])('%s %j: %s', async (tool, input, expected) => {
  expect(await verdict(tool, input)).toBe(expected);
});

it.each<[string, unknown]>([
  ['mcp__x__explain', { command: 'rm -rf /' }],
  ['mcp__x__search', { query: '.claude/settings.json', args: ['rm', '-rf', '/'] }],
  ['mcp__fs__read_file', { path: '.claude/settings.json' }],
  ['mcp__github__push_files', { owner: 'a', repo: 'b', files: [{ path: '.claude/settings.json', content: '{}' }] }],
  ['mcp__x__apply', { command: 'view', path: 'src/a.ts' }],
  ['mcp__x__apply', { text: 'please edit .claude/settings.json' }],
])('%s %j passes', async (tool, input) => {
  expect(await verdict(tool, input)).toBe('pass');
});
