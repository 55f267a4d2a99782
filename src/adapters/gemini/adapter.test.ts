import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { recordedOf } from '../../../test/fixtures/recorded-payloads.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { gemini } from './index.ts';

const recorded = recordedOf('gemini');

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  AfterAgent: 'turn.stop',
  AfterTool: 'tool.after',
  BeforeAgent: 'prompt.submit',
  BeforeTool: 'tool.before',
  Notification: 'notification',
  PreCompress: 'compact.before',
  SessionEnd: 'session.end',
  SessionStart: 'session.start',
};
const FAILED = ['AfterTool/read-file-failed.json', 'AfterTool/run-shell-command-nonzero.json'];

testAdapter(gemini, {
  fixtures: recorded.all().map(({ file, event, payload }) => ({
    file,
    canonical: FAILED.includes(file) ? 'tool.failed' : (EXPECTED[event] ?? 'unknown'),
    payload,
  })),
  isValidReply,
});

/** What of a reply the client takes for something else, by its own reading of replies (0.61.0). */
function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  let reply: Readonly<Record<string, unknown>>;
  try {
    reply = JSON.parse(stdout) as typeof reply;
  } catch {
    return 'not JSON, so it is shown to the person and nothing else';
  }
  const { decision, reason, systemMessage, hookSpecificOutput: own, ...others } = reply;
  if (Object.keys(others).length > 0) return `unknown fields ${Object.keys(others).join(', ')}`;
  if (decision !== undefined && decision !== 'deny') return `the decision ${JSON.stringify(decision)}`;
  if (decision === 'deny' && (typeof reason !== 'string' || reason.trim() === '')) return 'a denial without a reason';
  if (systemMessage !== undefined && typeof systemMessage !== 'string') return 'a message that is no text';
  if (own === undefined) return true;
  const { hookEventName, additionalContext, tool_input: input, ...more } = own as Readonly<Record<string, unknown>>;
  if (Object.keys(more).length > 0) return `unknown fields ${Object.keys(more).join(', ')}`;
  if (hookEventName !== event) return `it is for ${JSON.stringify(hookEventName)}`;
  if (additionalContext !== undefined && !['SessionStart', 'BeforeAgent', 'AfterTool'].includes(event))
    return `${event} takes no context`;
  return input === undefined || event === 'BeforeTool' ? true : `${event} takes no input`;
}

const ROOT = '/home/dev/project';
const read = (file: string): Event => gemini.parse(callOf(recorded.one(file)));
const changed = (file: string, more: object): Event => gemini.parse(callOf({ ...recorded.one(file), ...more }));

it('has the events that are wired, and is found by name', () => {
  expect(Object.fromEntries(gemini.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('gemini')).toBe(gemini);
});

describe('what a payload becomes', () => {
  it('a command, where it runs, and how it ended', () => {
    expect(read('BeforeTool/run-shell-command.json')).toMatchObject({
      name: 'tool.before',
      cwd: ROOT,
      asksPerson: false,
      tool: { kind: 'shell', name: 'run_shell_command', command: 'echo hello from gemini && ls' },
    });
    const elsewhere = { tool_input: { command: 'rm x', dir_path: 'sub/../other' } };
    expect(changed('BeforeTool/run-shell-command.json', elsewhere)).toMatchObject({
      cwd: ROOT,
      tool: { dir: `${ROOT}/other` },
    });
    const printed = { tool_response: { llmContent: 'Output: step 4\nExit Code: 3\nretry ok\nProcess Group PGID: 7' } };
    expect(changed('AfterTool/run-shell-command.json', printed).name, 'in the output').toBe('tool.after');
    const killed = { tool_response: { llmContent: 'Output: x\nSignal: 9\nProcess Group PGID: 7' } };
    expect(changed('AfterTool/run-shell-command.json', killed).name).toBe('tool.failed');
    expect(read('AfterTool/run-shell-command.json')).toMatchObject({ name: 'tool.after' });
    const failed = read('AfterTool/run-shell-command-nonzero.json');
    expect(failed).toMatchObject({ name: 'tool.failed', tool: { failed: true } });
    expect(failed.tool?.error).toContain('No such file');
    expect(read('AfterTool/read-file-failed.json').tool?.error).toContain('File not found');
  });

  it('files, searches, and a tool of a server', () => {
    expect(read('BeforeTool/read-file.json').tool).toMatchObject({ kind: 'read', paths: [`${ROOT}/README.md`] });
    expect(read('BeforeTool/grep-search.json').tool).toMatchObject({ kind: 'search', query: 'hi', paths: [] });
    const server = { server_name: 'files', tool_name: 'read_file', command: 'x' };
    const call = { tool_name: 'mcp_files_read_file', tool_input: { path: 'a.ts' }, mcp_context: server };
    expect(changed('BeforeTool/read-file.json', call).tool).toMatchObject({
      kind: 'mcp',
      mcp: { server: 'files', tool: 'read_file' },
      paths: [`${ROOT}/a.ts`],
    });
    // A server that the settings do not have is told by the name alone.
    expect(changed('BeforeTool/read-file.json', { tool_name: 'mcp_db_run_query' }).tool?.mcp).toEqual({
      server: 'db',
      tool: 'run_query',
    });
    const many = { tool_name: 'read_many_files', tool_input: { include: ['.env', 'src/*.ts', 7] } };
    expect(changed('BeforeTool/read-file.json', many).tool).toMatchObject({
      kind: 'read',
      paths: [`${ROOT}/.env`, `${ROOT}/src/*.ts`],
    });
    const lines = { tool_input: { file_path: 'a.ts', start_line: 3, end_line: 7 } };
    expect(changed('BeforeTool/read-file.json', lines).tool?.lines).toEqual({ first: 3, count: 5 });
  });

  it('a path is all that the client may take it for', () => {
    const of = (path: string) => changed('BeforeTool/read-file.json', { tool_input: { file_path: path } }).tool?.paths;
    expect(of('@.env')).toEqual([`${ROOT}/@.env`, `${ROOT}/.env`]);
    expect(of('%2Egemini/settings.json')).toEqual([`${ROOT}/.gemini/settings.json`, `${ROOT}/%2Egemini/settings.json`]);
    expect(of('100%')).toEqual([`${ROOT}/100%`]);
    expect(of('a\0b')).toEqual([`${ROOT}/ab`]);
    expect(changed('BeforeTool/grep-search.json', { tool_name: 'search_file_content' }).tool?.kind).toBe('search');
  });

  it('what nobody can read is said to be so', () => {
    expect(changed('BeforeTool/run-shell-command.json', { tool_input: { command: 7 } }).tool?.unread).toBe(
      'its command is no text',
    );
    expect(changed('BeforeTool/write-file.json', { tool_input: {} }).tool?.unread).toBe('it names no file');
    expect(changed('BeforeTool/write-file.json', { tool_name: '' }).tool?.unread).toBe('it names no tool');
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
    expect(about(read('BeforeTool/write-file.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('BeforeTool/replace.json'))).toEqual(other('PreToolUse/edit.json', { tool_input: edit }));
    expect(about(read('BeforeTool/run-shell-command.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from gemini && ls' } }),
    );
    expect(about(read('BeforeTool/grep-search.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_name: 'Grep', tool_input: { pattern: 'hi' } }),
    );
    expect(about(read('BeforeAgent/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: 'Please list files' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(gemini.render(decisionOf(...decision), read(file)).stdout || '{}') as object;
  const CALL = 'BeforeTool/run-shell-command.json';

  it('a denial, with the notes for which there is no other room; an ask is one too', () => {
    const notes = [noteOf('and this')];
    for (const action of ['deny', 'ask'] as const)
      expect(reply(CALL, action, { reason: 'no', notes })).toEqual({ decision: 'deny', reason: 'no\n\nand this' });
    expect(reply(CALL, 'pass', { notes })).toEqual({});
  });

  it('a new input, whole', () => {
    expect(reply(CALL, 'rewrite', { input: { command: 'ls' } })).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'ls' } },
    });
  });

  it('context after a call, also after one that failed; at the end of a turn a reason to go on', () => {
    const notes = [noteOf('look here')];
    for (const file of ['AfterTool/run-shell-command.json', 'AfterTool/run-shell-command-nonzero.json'])
      expect(reply(file, 'pass', { notes })).toEqual({
        hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'look here' },
      });
    expect(reply('AfterAgent/plain.json', 'deny', { reason: 'not yet' })).toEqual({
      decision: 'deny',
      reason: 'not yet',
    });
  });
});
