import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { recordedOf } from '../../../test/fixtures/recorded-payloads.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { kimi } from './index.ts';

const recorded = recordedOf('kimi');

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  Interrupt: 'turn.failed',
  Notification: 'notification',
  PermissionRequest: 'permission.request',
  PostCompact: 'compact.after',
  PostToolUse: 'tool.after',
  PostToolUseFailure: 'tool.failed',
  PreCompact: 'compact.before',
  PreToolUse: 'tool.before',
  SessionEnd: 'session.end',
  SessionStart: 'session.start',
  Stop: 'turn.stop',
  StopFailure: 'turn.failed',
  SubagentStart: 'subagent.start',
  SubagentStop: 'subagent.stop',
  UserPromptSubmit: 'prompt.submit',
};

testAdapter(kimi, {
  fixtures: recorded.all().map(({ file, event, payload }) => ({
    file,
    canonical: file === 'PostToolUseFailure/bash-denied.json' ? 'permission.denied' : (EXPECTED[event] ?? 'unknown'),
    payload,
  })),
  isValidReply,
});

/** What of a reply the client takes for something else, by its own reading of replies (2.1.0). */
function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  if (!['PreToolUse', 'UserPromptSubmit', 'Stop'].includes(event)) return `nobody reads a reply to ${event}`;
  const { message, hookSpecificOutput: own, ...others } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return `unknown fields ${Object.keys(others).join(', ')}`;
  if (own === undefined) {
    if (event !== 'UserPromptSubmit') return `${event} takes no message`;
    return typeof message === 'string' && message.trim() !== '' ? true : 'a message without a text';
  }
  if (message !== undefined) return 'a message, which is shown instead of the reason';
  const { permissionDecision, permissionDecisionReason: reason, ...more } = own as Readonly<Record<string, unknown>>;
  if (Object.keys(more).length > 0) return `unknown fields ${Object.keys(more).join(', ')}`;
  if (permissionDecision !== 'deny') return `${JSON.stringify(permissionDecision)}, which lets the call run`;
  return typeof reason === 'string' && reason.trim() !== '' ? true : 'a denial without a reason';
}

const ROOT = '/home/dev/project';
const read = (file: string): Event => kimi.parse(callOf(recorded.one(file)));
const changed = (file: string, more: object): Event => kimi.parse(callOf({ ...recorded.one(file), ...more }));

it('has the events that are wired, and is found by name and by its marks', () => {
  expect(Object.fromEntries(kimi.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('kimi')).toBe(kimi);
  expect(recorded.all().every(({ event, payload }) => kimi.marks?.(payload) === event in EXPECTED)).toBe(true);
  for (const other of [recordedByClaude('PreToolUse/bash.json'), {}, undefined, 'x'])
    expect(kimi.marks?.(other)).toBe(false);
});

describe('what a payload becomes', () => {
  it('a command, where it runs, and how it ended', () => {
    expect(read('PreToolUse/bash.json')).toMatchObject({
      name: 'tool.before',
      cwd: ROOT,
      asksPerson: false,
      tool: { kind: 'shell', name: 'Bash', id: 'call_mock00002', command: 'echo hello from kimi && ls' },
    });
    expect(read('PreToolUse/bash-elsewhere.json')).toMatchObject({ cwd: ROOT, tool: { dir: '/home/dev' } });
    expect(read('PostToolUse/bash.json').tool?.outputText).toBe('hello from kimi\nREADME.md\n');
    expect(read('PostToolUse/bash-background.json').tool).toMatchObject({ background: true });
    expect(read('PostToolUseFailure/bash-nonzero.json')).toMatchObject({
      name: 'tool.failed',
      tool: { failed: true, error: expect.stringMatching(/No such file.*\nCommand failed with exit code: 3\.$/) },
    });
  });

  it('a denial of ours is none of a command that failed, whatever a command prints', () => {
    expect(read('PostToolUseFailure/bash-denied.json')).toMatchObject({
      name: 'permission.denied',
      error: expect.stringContaining('[user/no-touch]'),
    });
    const printed = { error: { message: '[webpack/cli] no config\nCommand failed with exit code: 2.' } };
    expect(changed('PostToolUseFailure/bash-denied.json', printed).name).toBe('tool.failed');
  });

  it('files, searches, and a tool of a server', () => {
    expect(read('PreToolUse/read-lines.json').tool).toMatchObject({
      kind: 'read',
      paths: [`${ROOT}/README.md`],
      lines: { first: 1, count: 5 },
    });
    expect(read('PreToolUse/grep.json').tool).toMatchObject({ kind: 'search', query: 'hi', paths: [] });
    expect(read('PreToolUse/glob.json').tool).toMatchObject({ kind: 'glob', query: '*.md' });
    expect(read('PreToolUse/write-append.json').tool).toMatchObject({
      kind: 'edit',
      edits: [{ path: `${ROOT}/notes.txt`, operation: 'insert', new: 'more\n' }],
    });
    expect(read('PreToolUse/mcp.json').tool).toMatchObject({
      kind: 'mcp',
      mcp: { server: 'files', tool: 'read_file' },
      paths: [`${ROOT}/README.md`],
    });
    expect(read('PreToolUse/agent.json').tool).toMatchObject({ kind: 'agent', paths: [] });
    const all = { tool_input: { path: 'a.ts', old_string: 'x', new_string: '', replace_all: true } };
    expect(changed('PreToolUse/edit.json', all).tool?.edits).toEqual([
      { path: `${ROOT}/a.ts`, operation: 'replace', old: 'x', new: '', all: true },
    ]);
    const own = { tool_input: { path: '~/.kimi-code/config.toml', content: '' } };
    expect(changed('PreToolUse/write.json', own).tool?.paths).toEqual(['/home/dev/.kimi-code/config.toml']);
  });

  it('what nobody can read is said to be so', () => {
    expect(changed('PreToolUse/bash.json', { tool_input: { command: 7 } }).tool?.unread).toBe('its command is no text');
    expect(changed('PreToolUse/write.json', { tool_input: {} }).tool?.unread).toBe('it names no file');
    expect(changed('PreToolUse/write.json', { tool_name: '' }).tool?.unread).toBe('it names no tool');
  });

  it('sessions, turns and what is told of them', () => {
    expect(read('SessionStart/startup.json').start).toMatchObject({ source: 'startup', model: 'mock' });
    expect(read('SessionEnd/exit.json').end).toEqual({ reason: 'exit' });
    expect(read('StopFailure/plain.json').error).toBe('400 bad request');
    expect(read('Interrupt/cancelled.json').error).toBe('interrupted');
    expect(read('SubagentStop/plain.json').stop?.lastMessage).toBe('hi from sub');
    expect(read('PreCompact/manual.json').compact).toEqual({ trigger: 'manual' });
    expect(read('Notification/task-completed.json').notification).toEqual({
      kind: 'task.completed',
      message: expect.stringContaining('a task completed.'),
    });
  });

  it('a session of a server works where it said at its start', () => {
    const served = recorded.one('PreToolUse/write-served.json');
    expect(kimi.parse(callOf(served)).tool?.paths).toEqual(['/home/dev/server/rel.txt']);
    expect(read('SessionStart/served.json').start).toMatchObject({ dir: ROOT });
    expect(kimi.parse(callOf(served, { sessionDir: ROOT }))).toMatchObject({
      cwd: ROOT,
      tool: { paths: [`${ROOT}/rel.txt`] },
    });
  });

  it('is the same as another agent’s payload of the same action', () => {
    const about = ({ tool, prompt }: Event) => ({
      kind: tool?.kind,
      command: tool?.command,
      paths: tool?.paths,
      edits: tool?.edits,
      query: tool?.query,
      prompt: prompt?.text,
    });
    const other = (file: string, more: object) =>
      about(adapterNamed('claude-code')?.parse(callOf({ ...recordedByClaude(file), cwd: ROOT, ...more })) as Event);
    expect(about(read('PreToolUse/write.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('PreToolUse/edit.json'))).toEqual(other('PreToolUse/edit.json', { tool_input: edit }));
    expect(about(read('PreToolUse/bash.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from kimi && ls' } }),
    );
    expect(about(read('PreToolUse/grep.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_name: 'Grep', tool_input: { pattern: 'hi' } }),
    );
    expect(about(read('UserPromptSubmit/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: 'Please list files' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(kimi.render(decisionOf(...decision), read(file)).stdout || '{}') as object;
  const denial = (reason: string) => ({
    hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: reason },
  });
  const notes = [noteOf('and this')];

  it('a denial, with the notes for which there is no other room; an ask before a call is one too', () => {
    for (const action of ['deny', 'ask'] as const)
      expect(reply('PreToolUse/bash.json', action, { reason: 'no', notes })).toEqual(denial('no\n\nand this'));
    expect(reply('UserPromptSubmit/plain.json', 'deny', { reason: 'no', notes })).toEqual(denial('no\n\nand this'));
    expect(reply('Stop/plain.json', 'deny', { reason: 'not yet' })).toEqual(denial('not yet'));
  });

  it('a message at a prompt, and nothing where nobody reads it', () => {
    expect(reply('UserPromptSubmit/plain.json', 'pass', { notes })).toEqual({ message: 'and this' });
    for (const file of ['PreToolUse/bash.json', 'PostToolUse/bash.json', 'SessionStart/startup.json'])
      expect(reply(file, 'pass', { notes })).toEqual({});
    expect(reply('PreToolUse/bash.json', 'rewrite', { input: { command: 'ls' } })).toEqual({});
  });
});
