import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { recordedOf } from '../../../test/fixtures/recorded-payloads.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { qwen } from './index.ts';

const recorded = recordedOf('qwen');

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  InstructionsLoaded: 'instructions.loaded',
  MessageDisplay: 'message.display',
  Notification: 'notification',
  PermissionDenied: 'permission.denied',
  PermissionRequest: 'permission.request',
  PostCompact: 'compact.after',
  PostToolBatch: 'tool.batch',
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
  UserPromptExpansion: 'prompt.expand',
  UserPromptSubmit: 'prompt.submit',
};

testAdapter(qwen, {
  fixtures: recorded.all().map(({ file, event, payload }) => ({
    file,
    canonical: EXPECTED[event] ?? 'unknown',
    payload,
  })),
  isValidReply,
});

/** What of a reply the client takes for something else, by its own reading of replies (0.24.4). */
function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  let reply: Readonly<Record<string, unknown>>;
  try {
    reply = JSON.parse(stdout) as typeof reply;
  } catch {
    return 'not JSON, so nothing of it counts';
  }
  const { decision, reason, systemMessage, continue: goesOn, stopReason, hookSpecificOutput: own, ...others } = reply;
  if (Object.keys(others).length > 0) return `unknown fields ${Object.keys(others).join(', ')}`;
  if (decision !== undefined && !['UserPromptSubmit', 'UserPromptExpansion', 'Stop', 'SubagentStop'].includes(event))
    return `${event} takes no decision`;
  if (decision !== undefined && (decision !== 'block' || typeof reason !== 'string' || reason.trim() === ''))
    return 'a block without a reason';
  if (goesOn !== undefined && (event !== 'PreToolUse' || goesOn !== false || typeof stopReason !== 'string'))
    return 'it would end the turn';
  if (systemMessage !== undefined && event !== 'Stop') return `nobody sees the message on ${event}`;
  if (own === undefined) return true;
  const { hookEventName, additionalContext, ...more } = own as Readonly<Record<string, unknown>>;
  if (hookEventName !== event) return `it is for ${JSON.stringify(hookEventName)}`;
  const TOLD = ['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PostToolUse', 'PostToolUseFailure'];
  if (additionalContext !== undefined && ![...TOLD, 'PostToolBatch', 'PreCompact'].includes(event))
    return `${event} takes no context`;
  const keys = Object.keys(more).join();
  if (event === 'PreToolUse') return keys === 'permissionDecision,permissionDecisionReason' ? true : `it has ${keys}`;
  if (event === 'PermissionRequest') return keys === 'decision' ? true : `it has ${keys}`;
  return keys === '' ? true : `${event} takes no ${keys}`;
}

const ROOT = '/home/dev/project';
const read = (file: string): Event => qwen.parse(callOf(recorded.one(file)));
const changed = (file: string, more: object): Event => qwen.parse(callOf({ ...recorded.one(file), ...more }));

it('has the events that the client has, and is found by name', () => {
  expect(Object.fromEntries(qwen.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('qwen')).toBe(qwen);
});

it('knows its own payloads among those of agents with events of the same names', () => {
  for (const { payload, file } of recorded.all()) expect(qwen.marks?.(payload), file).toBe(true);
  for (const file of ['PreToolUse/bash.json', 'UserPromptSubmit/plain.json'])
    expect(qwen.marks?.(recordedByClaude(file)), file).toBe(false);
});

describe('what a payload becomes', () => {
  it('a command, where it runs, and how it ended', () => {
    expect(read('PreToolUse/run-shell-command.json')).toMatchObject({
      name: 'tool.before',
      cwd: ROOT,
      permissionMode: 'yolo',
      approvesItself: true,
      tool: { kind: 'shell', command: 'echo hello from qwen && ls', id: 'toolu_1794706170740_zixwqn3jo' },
    });
    expect(read('PreToolUse/run-shell-command.json').asksPerson, 'it can ask').toBeUndefined();
    const elsewhere = { tool_input: { command: 'rm x', directory: `${ROOT}/other` } };
    expect(changed('PreToolUse/run-shell-command.json', elsewhere).tool?.dir).toBe(`${ROOT}/other`);
    expect(read('PreToolUse/monitor.json').tool).toMatchObject({ kind: 'shell', command: 'touch viamon.txt' });
    const failed = read('PostToolUseFailure/run-shell-command-nonzero.json');
    expect(failed).toMatchObject({ name: 'tool.failed', tool: { failed: true, durationMs: 18 } });
    expect(failed.tool?.error).toContain('No such file');
    expect(read('PostToolUse/run-shell-command.json').tool?.outputText).toContain('README.md');
    expect(read('PostToolBatch/read-file-error.json').batch).toMatchObject([
      { kind: 'read', failed: true, paths: [`${ROOT}/missing.md`], outputText: `File not found: ${ROOT}/missing.md` },
    ]);
    const background = { tool_input: { command: 'npm start', is_background: true } };
    expect(changed('PostToolUse/run-shell-command.json', background).tool?.background).toBe(true);
  });

  it('files, searches, and a tool of a server', () => {
    expect(read('PostToolUse/read-file.json').tool).toMatchObject({ kind: 'read', paths: [`${ROOT}/README.md`] });
    const lines = { tool_input: { file_path: `${ROOT}/a.ts`, offset: 2, limit: 5 } };
    expect(changed('PreToolUse/read-file.json', lines).tool?.lines).toEqual({ first: 3, count: 5 });
    const notebook = { tool_name: 'notebook_edit', tool_input: { notebook_path: `${ROOT}/a.ipynb`, new_source: 'x' } };
    expect(changed('PreToolUse/edit.json', notebook).tool?.edits).toEqual([
      { path: `${ROOT}/a.ipynb`, operation: 'replace', new: 'x' },
    ]);
    expect(read('PreToolUse/mcp-files-read-note.json').tool).toMatchObject({
      kind: 'mcp',
      mcp: { server: 'files', tool: 'read_note' },
      paths: [`${ROOT}/notes/a.md`],
    });
    expect(read('PostToolUse/mcp-files-read-note.json').tool?.outputText).toBe('note');
  });

  it('a prompt is what a person has typed, and nothing that the client sends on', () => {
    expect(read('UserPromptSubmit/plain.json').prompt).toMatchObject({ text: 'Please list files', origin: 'human' });
    expect(read('UserPromptSubmit/continuation.json').prompt).toMatchObject({ text: '', origin: 'system' });
    const longer = { prompt: 'Please list files\n\n--- Content of a.ts ---\nx' };
    expect(changed('UserPromptSubmit/plain.json', longer).prompt?.text).toBe('Please list files');
    expect(read('UserPromptExpansion/plain.json').prompt).toMatchObject({
      text: 'Say hello to world',
      command: 'greet',
      origin: 'human',
    });
  });

  it('sub-agents, turns, sessions, and what else happens', () => {
    const subagent = { id: 'general-purpose-call_mock00015' };
    expect(read('PreToolUse/run-shell-command-subagent.json')).toMatchObject({ subagent });
    expect(read('SubagentStart/subagent.json')).toMatchObject({ subagent: { ...subagent, type: 'general-purpose' } });
    expect(read('SubagentStop/subagent.json').stop).toMatchObject({ again: false, lastMessage: 'hi from sub' });
    expect(read('Stop/plain.json').stop).toMatchObject({
      again: false,
      background: [{ status: 'completed', kind: 'general-purpose', description: 'say hi' }],
    });
    expect(read('Stop/active.json').stop).toMatchObject({ again: true, lastMessage: 'Finished, tests pass.' });
    expect(read('SessionStart/startup.json').start).toEqual({ source: 'startup', model: 'mock-model' });
    expect(read('SessionEnd/prompt-input-exit.json').end).toEqual({ reason: 'prompt_input_exit' });
    expect(read('PreCompact/manual.json').compact).toEqual({ trigger: 'manual' });
    expect(read('Notification/auth-success.json').notification?.kind).toBe('auth_success');
    expect(read('PermissionRequest/run-shell-command.json').tool?.command).toBe('touch permallow.txt');
    expect(read('InstructionsLoaded/session-start.json').place?.change).toBe('session_start');
  });

  it('what nobody can read is said to be so', () => {
    expect(changed('PreToolUse/run-shell-command.json', { tool_input: { command: 7 } }).tool?.unread).toBe(
      'its command is no text',
    );
    expect(changed('PreToolUse/write-file.json', { tool_input: {} }).tool?.unread).toBe('it names no file');
    expect(changed('PreToolUse/write-file.json', { tool_name: '' }).tool?.unread).toBe('it names no tool');
  });

  it('is the same as another agent’s payload of the same action', () => {
    const about = ({ tool, prompt }: Event) => ({
      kind: tool?.kind,
      command: tool?.command,
      paths: tool?.paths,
      edits: tool?.edits,
      query: tool?.query,
      prompt: prompt?.text,
      origin: prompt?.origin,
    });
    const other = (file: string, more: object) =>
      about(adapterNamed('claude-code')?.parse(callOf({ ...recordedByClaude(file), cwd: ROOT, ...more })) as Event);
    expect(about(read('PreToolUse/write-file.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('PreToolUse/edit.json'))).toEqual(other('PreToolUse/edit.json', { tool_input: edit }));
    expect(about(read('PreToolUse/run-shell-command.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from qwen && ls' } }),
    );
    expect(about(read('PreToolUse/grep-search.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_name: 'Grep', tool_input: { pattern: 'hi' } }),
    );
    expect(about(read('UserPromptSubmit/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: 'Please list files' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(qwen.render(decisionOf(...decision), read(file)).stdout || '{}') as object;
  const CALL = 'PreToolUse/run-shell-command.json';

  it('a denial or a question that no other hook undoes, with the notes for which there is no other room', () => {
    const notes = [noteOf('and this')];
    const held = (permissionDecision: string, told: string) => ({
      continue: false,
      stopReason: told,
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: told },
    });
    expect(reply(CALL, 'deny', { reason: 'no', notes })).toEqual(held('deny', 'no\n\nand this'));
    expect(reply(CALL, 'ask', { reason: 'sure?' })).toEqual(held('ask', 'sure?'));
    expect(reply(CALL, 'pass', { notes }), 'the model reads nothing there').toEqual({});
    expect(reply(CALL, 'rewrite', { input: { command: 'ls' } }), 'it has no effect').toEqual({});
  });

  it('context after a call, also after one that failed; at the end of a turn a reason to go on', () => {
    const notes = [noteOf('look here')];
    for (const event of ['PostToolUse', 'PostToolUseFailure'])
      expect(reply(`${event}/read-file.json`, 'pass', { notes })).toEqual({
        hookSpecificOutput: { hookEventName: event, additionalContext: 'look here' },
      });
    const goOn = { decision: 'block', reason: 'not yet' };
    expect(reply('Stop/plain.json', 'deny', { reason: 'not yet' })).toEqual(goOn);
    expect(reply('SubagentStop/subagent.json', 'deny', { reason: 'not yet' })).toEqual(goOn);
  });

  it('a request for permission is granted, denied, or left to the dialog', () => {
    const REQUEST = 'PermissionRequest/run-shell-command.json';
    const decided = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
    expect(reply(REQUEST, 'deny', { reason: 'no' })).toEqual(decided({ behavior: 'deny', message: 'no' }));
    expect(reply(REQUEST, 'allow')).toEqual(decided({ behavior: 'allow' }));
    expect(reply(REQUEST, 'ask', { reason: 'sure?' })).toEqual({});
  });
});
