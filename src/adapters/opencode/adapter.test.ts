import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { recordedOf } from '../../../test/fixtures/recorded-payloads.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { opencode } from './index.ts';

const recorded = recordedOf('opencode');
const ROOT = '/home/dev/project';

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  'chat.message': 'prompt.submit',
  dispose: 'session.end',
  'experimental.session.compacting': 'compact.before',
  'message.part.updated': 'tool.failed',
  'permission.asked': 'notification',
  'session.compacted': 'compact.after',
  'session.created': 'session.start',
  'session.error': 'turn.failed',
  'session.idle': 'turn.stop',
  'tool.execute.after': 'tool.after',
  'tool.execute.before': 'tool.before',
};
const OTHERS: Readonly<Record<string, EventName>> = {
  'event.session.created/sent-plain-subagent.json': 'subagent.start',
  'event.session.created/subagent.json': 'subagent.start',
  'event.session.idle/sent-plain-subagent.json': 'subagent.stop',
  'tool.execute.after/bash-nonzero.json': 'tool.failed',
  'tool.execute.after/sent-bash-nonzero.json': 'tool.failed',
};

testAdapter(opencode, {
  fixtures: recorded.all().map(({ file, event, payload }) => ({
    file,
    canonical: OTHERS[file] ?? EXPECTED[event] ?? 'unknown',
    hint: event,
    payload,
  })),
  isValidReply,
});

/** What of a reply our plugin cannot do with the client. */
function isValidReply(event: string, stdout: string): true | string {
  if (stdout === '') return true;
  const { deny, args, note, show, ...others } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0) return `unknown fields ${Object.keys(others).join(', ')}`;
  for (const text of [deny, note, show])
    if (text !== undefined && (typeof text !== 'string' || text.trim() === '')) return 'a text that says nothing';
  if (deny !== undefined && !['tool.execute.before', 'chat.message', 'session.idle'].includes(event))
    return `${event} stops nothing`;
  if (args !== undefined && event !== 'tool.execute.before') return `${event} takes no input`;
  if (note !== undefined && ['tool.execute.before', 'session.idle', 'dispose'].includes(event))
    return `nothing goes to the model from ${event}`;
  return true;
}

const read = (file: string, more: object = {}): Event => {
  const { event = '' } = recorded.all().find((each) => each.file === file) ?? {};
  return opencode.parse(callOf({ ...recorded.one(file), ...more }, { eventHint: event }));
};
const called = (tool: string, args: object, more: object = {}): Event =>
  read('tool.execute.before/bash.json', { input: { tool, sessionID: 's', callID: 'c' }, output: { args }, ...more });

it('has the events that are wired, and is found by name', () => {
  expect(Object.fromEntries(opencode.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('opencode')).toBe(opencode);
});

describe('what a payload becomes', () => {
  it('a command, where it runs, and how it ended', () => {
    expect(read('tool.execute.before/bash.json')).toMatchObject({
      name: 'tool.before',
      cwd: ROOT,
      asksPerson: false,
      tool: { kind: 'shell', name: 'bash', id: 'call_mock00003', command: 'echo hello from opencode && ls' },
    });
    expect(read('tool.execute.before/bash-workdir.json')).toMatchObject({ cwd: ROOT, tool: { dir: `${ROOT}/sub` } });
    expect(read('tool.execute.after/bash.json')).toMatchObject({ name: 'tool.after' });
    expect(read('tool.execute.after/bash.json').tool?.outputText).toContain('hello from opencode');
    expect(read('tool.execute.after/bash-nonzero.json')).toMatchObject({ name: 'tool.failed', tool: { failed: true } });
    expect(read('event.message.part.updated/read-failed.json')).toMatchObject({
      name: 'tool.failed',
      tool: { kind: 'read', failed: true, error: `File not found: ${ROOT}/missing.md`, paths: [`${ROOT}/missing.md`] },
    });
  });

  it('files, searches, a patch, and a tool of a server', () => {
    expect(read('tool.execute.before/read-lines.json').tool).toMatchObject({
      kind: 'read',
      paths: [`${ROOT}/missing.md`],
      lines: { first: 3, count: 5 },
    });
    expect(read('tool.execute.before/grep.json').tool).toMatchObject({ kind: 'search', query: 'hi', paths: [] });
    expect(read('tool.execute.before/glob.json').tool).toMatchObject({ kind: 'glob', paths: [`${ROOT}/sub`] });
    expect(read('tool.execute.before/apply-patch.json').tool).toMatchObject({
      kind: 'edit',
      paths: [`${ROOT}/fresh.txt`, `${ROOT}/README.md`],
      edits: [
        { path: `${ROOT}/fresh.txt`, operation: 'write', new: 'one\n' },
        { path: `${ROOT}/README.md`, operation: 'replace' },
      ],
    });
    expect(read('tool.execute.before/apply-patch-delete.json').tool?.edits).toEqual([
      { path: `${ROOT}/fresh.txt`, operation: 'remove' },
    ]);
    const server = { kind: 'mcp', mcp: { server: 'files', tool: 'read_it' }, paths: [`${ROOT}/a.ts`] };
    expect(read('tool.execute.before/sent-mcp.json').tool).toMatchObject(server);
    expect(read('tool.execute.after/sent-mcp.json').tool).toMatchObject({ ...server, outputText: 'MCP SAYS a.ts' });
    // Without the settings nobody knows whose tool it is.
    expect(read('tool.execute.before/mcp.json').tool).toMatchObject({ kind: 'other', paths: [`${ROOT}/a.ts`] });
    expect(called('edit', { filePath: 'a.ts', oldString: 'x', newString: 'y', replaceAll: true }).tool?.edits).toEqual([
      { path: `${ROOT}/a.ts`, operation: 'replace', old: 'x', new: 'y', all: true },
    ]);
  });

  it('what nobody can read is said to be so', () => {
    expect(called('bash', { command: 7 }).tool?.unread).toBe('its command is no text');
    expect(called('write', {}).tool?.unread).toBe('it names no file');
    expect(called('apply_patch', { patchText: 7 }).tool?.unread).toBe('it names no file');
    expect(called('', {}).tool?.unread).toBe('it names no tool');
  });

  it('a sub-agent works in the session that started it', () => {
    const begun = read('event.session.created/subagent.json');
    expect(begun).toMatchObject({ name: 'subagent.start', session: 'ses_e232cb451ffeo732QF8GIppaM7' });
    expect(begun.subagent).toEqual({ id: 'ses_e232ca7dcffegO62rzjpP5emQk', type: 'general' });
    const { session } = read('chat.message/sent-plain.json');
    const subagent = { id: expect.stringMatching(/^ses_/) as string, type: 'general' };
    expect(read('tool.execute.before/sent-bash-subagent.json')).toMatchObject({ session, subagent });
    expect(read('event.session.idle/sent-plain-subagent.json')).toMatchObject({
      ...{ session, subagent },
      stop: { lastMessage: 'hi from sub' },
    });
    expect(read('chat.message/sent-plain-subagent.json').prompt).toEqual({
      text: '[[lane:sub]] say hi',
      origin: 'system',
    });
    expect(read('dispose/sent-plain.json')).toMatchObject({ session, end: { reason: 'other' } });
  });

  it('a session that goes on, a turn that ends, and what the client tells a person', () => {
    expect(read('event.session.created/plain.json', { source: 'resume' }).start).toEqual({ source: 'resume' });
    const told = { last_message: 'All is well.', stop_hook_active: true };
    expect(read('event.session.idle/plain.json', told).stop).toEqual({
      lastMessage: 'All is well.',
      again: true,
      background: [],
    });
    expect(read('event.session.error/plain.json').error).toBe('bad request');
    expect(read('event.permission.asked/plain.json').notification).toEqual({
      kind: 'permission_prompt',
      message: 'bash: touch made.txt',
    });
    const parts = [
      { type: 'text', text: 'mine' },
      { type: 'text', text: 'not mine', synthetic: true },
    ];
    const prompt = (more: object) => read('chat.message/plain.json', { output: { parts }, ...more }).prompt;
    expect(prompt({})).toEqual({ text: 'mine', origin: 'human' });
    expect(prompt({ own: true })?.origin).toBe('system');
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
    expect(about(read('tool.execute.before/write.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('tool.execute.before/edit.json'))).toEqual(other('PreToolUse/edit.json', { tool_input: edit }));
    expect(about(read('tool.execute.before/bash.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from opencode && ls' } }),
    );
    expect(about(read('tool.execute.before/grep.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_name: 'Grep', tool_input: { pattern: 'hi' } }),
    );
    expect(about(read('chat.message/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: '"Please list files"' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(opencode.render(decisionOf(...decision), read(file)).stdout || '{}') as object;
  const CALL = 'tool.execute.before/bash.json';
  const notes = [noteOf('look here')];

  it('a denial, with the notes for which there is no other room; an ask is one too', () => {
    for (const action of ['deny', 'ask'] as const)
      expect(reply(CALL, action, { reason: 'no', notes })).toEqual({ deny: 'no\n\nlook here' });
    expect(reply(CALL, 'pass', { notes })).toEqual({});
    expect(reply('event.session.idle/plain.json', 'deny', { reason: 'not yet' })).toEqual({ deny: 'not yet' });
  });

  it('a new input, whole, read again as if the client had sent it', () => {
    expect(reply(CALL, 'rewrite', { input: { command: 'ls' } })).toEqual({ args: { command: 'ls' } });
    const changed = opencode.withInput?.(read(CALL), { command: 'ls', workdir: 'sub' }, '/home/dev');
    expect(changed?.tool).toMatchObject({ command: 'ls', dir: `${ROOT}/sub`, id: 'call_mock00003' });
  });

  it('a text for the model, and one for the person', () => {
    const files = ['tool.execute.after/bash.json', 'chat.message/plain.json', 'event.session.created/plain.json'];
    for (const file of files) expect(reply(file, 'pass', { notes })).toEqual({ note: 'look here' });
    expect(reply(CALL, 'pass', { warns: [noteOf('mind')] })).toEqual({ show: 'mind' });
  });
});
