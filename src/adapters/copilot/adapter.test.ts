import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { recordedOf } from '../../../test/fixtures/recorded-payloads.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { copilot } from './index.ts';

const camel = recordedOf('copilot');
const pascal = recordedOf('copilot-pascal');

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  agentStop: 'turn.stop',
  errorOccurred: 'turn.failed',
  notification: 'notification',
  permissionRequest: 'permission.request',
  postToolUse: 'tool.after',
  postToolUseFailure: 'tool.failed',
  preCompact: 'compact.before',
  preToolUse: 'tool.before',
  sessionEnd: 'session.end',
  sessionStart: 'session.start',
  subagentStart: 'subagent.start',
  subagentStop: 'subagent.stop',
  userPromptSubmitted: 'prompt.submit',
};
const PASCAL: Readonly<Record<string, string>> = { Stop: 'agentStop', UserPromptSubmit: 'userPromptSubmitted' };
const wired = (key: string): string => PASCAL[key] ?? key.slice(0, 1).toLowerCase() + key.slice(1);
/** What a payload is instead of what its key says. */
const OTHERWISE: Readonly<Record<string, EventName>> = {
  'postToolUse/bash-nonzero.json': 'tool.failed',
  'PostToolUse/bash-nonzero.json': 'tool.failed',
  'agentStop/subagent.json': 'unknown',
  'Stop/subagent.json': 'unknown',
};

testAdapter(copilot, {
  fixtures: [...camel.all(), ...pascal.all()].map(({ file, event, payload }) => ({
    file,
    hint: event,
    canonical: OTHERWISE[file] ?? EXPECTED[wired(event)] ?? ('unknown' as const),
    payload,
  })),
  isValidReply,
});

const TOOL_EVENTS = ['preToolUse', 'postToolUse', 'postToolUseFailure'];
const CONTEXT = ['sessionStart', 'userPromptSubmitted', 'subagentStart', ...TOOL_EVENTS];
const BLOCKED = ['userPromptSubmitted', 'agentStop', 'subagentStop'];

/** What of a reply the client does not take as it is meant, by what client 1.0.102 did with such replies. */
function isValidReply(key: string, stdout: string): true | string {
  if (stdout === '') return true;
  const event = wired(key);
  const reply = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  const { additionalContext: context, decision, reason, behavior, message, ...call } = reply;
  const { permissionDecision: held, permissionDecisionReason: why, modifiedArgs, ...others } = call;
  const isSaid = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
  if (Object.keys(others).length > 0) return `unknown fields ${Object.keys(others).join(', ')}`;
  if (context !== undefined && !(CONTEXT.includes(event) && isSaid(context))) return `${event} takes no such context`;
  if (typeof context === 'string' && context.length > 10_240) return 'context that it cuts';
  if (decision !== undefined && !(decision === 'block' && BLOCKED.includes(event) && isSaid(reason)))
    return `${event} does not know the decision ${JSON.stringify(decision)}`;
  if (behavior !== undefined && event !== 'permissionRequest') return `${event} knows no behavior`;
  if (behavior === 'deny' && !isSaid(message)) return 'a denial without a message';
  if (held === undefined) return modifiedArgs === undefined || event === 'preToolUse' ? true : `${event} has no input`;
  if (event !== 'preToolUse') return `${event} holds no call`;
  if (held !== 'allow' && !(['deny', 'ask'].includes(held as string) && isSaid(why))) return 'held without a reason';
  return true;
}

const ROOT = '/home/dev/project';
const hinted = (file: string) => ({ eventHint: file.split('/')[0] ?? '' });
const read = (file: string): Event =>
  copilot.parse(callOf((/^[A-Z]/.test(file) ? pascal : camel).one(file), hinted(file)));
const changed = (file: string, more: object): Event =>
  copilot.parse(callOf({ ...camel.one(file), ...more }, hinted(file)));

it('has the events that are wired, and is found by name', () => {
  expect(Object.fromEntries(copilot.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('copilot')).toBe(copilot);
});

/** What rules see of an event. */
const about = ({ name, tool, prompt, stop, subagent, start, end, compact, notification }: Event) => ({
  name,
  kind: tool?.kind,
  command: tool?.command,
  paths: tool?.paths,
  edits: tool?.edits,
  query: tool?.query,
  lines: tool?.lines,
  text: tool?.outputText,
  failed: tool?.failed,
  prompt: prompt?.text,
  origin: prompt?.origin,
  ...{ stop, start, end, compact, notification, subagent: subagent?.type },
});

describe('both spellings of the client', () => {
  it.each([
    ['preToolUse/bash.json', 'PreToolUse/bash.json'],
    ['preToolUse/bash-subagent.json', 'PreToolUse/bash-subagent.json'],
    ['preToolUse/create.json', 'PreToolUse/write.json'],
    ['preToolUse/edit.json', 'PreToolUse/edit.json'],
    ['preToolUse/view-range.json', 'PreToolUse/view-range.json'],
    ['preToolUse/patch-add.json', 'PreToolUse/patch-add.json'],
    ['preToolUse/patch-move-delete.json', 'PreToolUse/patch-move-delete.json'],
    ['preToolUse/rg.json', 'PreToolUse/rg.json'],
    ['preToolUse/glob.json', 'PreToolUse/glob.json'],
    ['preToolUse/server-tool.json', 'PreToolUse/server-tool.json'],
    ['preToolUse/task.json', 'PreToolUse/agent.json'],
    ['postToolUse/bash-nonzero.json', 'PostToolUse/bash-nonzero.json'],
    ['postToolUse/edit.json', 'PostToolUse/edit.json'],
    ['postToolUseFailure/view.json', 'PostToolUseFailure/read.json'],
    ['userPromptSubmitted/plain.json', 'UserPromptSubmit/plain.json'],
    ['userPromptSubmitted/subagent.json', 'UserPromptSubmit/subagent.json'],
    ['sessionStart/new.json', 'SessionStart/new.json'],
    ['sessionEnd/complete.json', 'SessionEnd/complete.json'],
    ['agentStop/active.json', 'Stop/active.json'],
    ['subagentStart/subagent.json', 'SubagentStart/subagent.json'],
    ['subagentStop/subagent.json', 'SubagentStop/subagent.json'],
    ['permissionRequest/edit.json', 'PermissionRequest/edit.json'],
    ['preCompact/auto.json', 'PreCompact/auto.json'],
    ['notification/shell-completed.json', 'Notification/shell-completed.json'],
  ])('%s is %s', (one, other) => {
    expect(about(read(one))).toEqual(about(read(other)));
  });

  it('are told from those of other agents', () => {
    const all = [...camel.all(), ...pascal.all()];
    expect(all.filter(({ payload }) => !copilot.marks?.(payload)).map(({ file }) => file)).toEqual([]);
    for (const agent of ['gemini', 'codex'])
      expect(
        recordedOf(agent)
          .all()
          .filter(({ payload }) => copilot.marks?.(payload)),
      ).toEqual([]);
  });
});

describe('what a payload becomes', () => {
  it('a command, and how it ended', () => {
    const event = read('preToolUse/bash.json');
    expect(event).toMatchObject({
      name: 'tool.before',
      cwd: ROOT,
      tool: { kind: 'shell', name: 'bash', command: 'echo hello from copilot && ls' },
    });
    expect(event.asksPerson).toBeUndefined();
    expect(read('postToolUse/bash.json')).toMatchObject({ name: 'tool.after' });
    const failed = read('postToolUse/bash-nonzero.json');
    expect(failed).toMatchObject({ name: 'tool.failed', tool: { failed: true } });
    expect(failed.tool?.error).toContain('No such file');
    expect(read('postToolUse/bash-background.json').tool?.background).toBe(true);
    const result = { resultType: 'success', textResultForLlm: '<shellId: 7 completed with exit code 3>\nand more' };
    expect(changed('postToolUse/bash.json', { toolResult: result }).name, 'in the output').toBe('tool.after');
  });

  it('a patch, whose whole input is a text', () => {
    expect(read('preToolUse/patch-add.json').tool).toMatchObject({
      kind: 'write',
      paths: [`${ROOT}/new.txt`],
      edits: [{ path: `${ROOT}/new.txt`, operation: 'write', new: 'hello\n' }],
    });
    expect(read('PreToolUse/patch-move-delete.json').tool).toMatchObject({
      kind: 'edit',
      name: 'Edit',
      edits: [
        { path: `${ROOT}/README.md`, operation: 'remove', movedTo: `${ROOT}/docs/README.md` },
        { path: `${ROOT}/docs/README.md`, operation: 'replace', old: 'hi', new: 'ho' },
        { path: `${ROOT}/new.txt`, operation: 'remove' },
      ],
    });
    expect(changed('preToolUse/patch-add.json', { toolArgs: {} }).tool?.unread).toBe('it names no file');
  });

  it('files, searches, servers and questions', () => {
    expect(read('preToolUse/view-range.json').tool).toMatchObject({ kind: 'read', lines: { first: 1, count: 1 } });
    expect(read('preToolUse/rg.json').tool).toMatchObject({
      kind: 'search',
      query: 'ho',
      paths: [`${ROOT}/src`, ROOT],
    });
    expect(read('preToolUse/server-tool.json').tool).toMatchObject({
      kind: 'mcp',
      mcp: { server: 'my-files', tool: 'read_file' },
      paths: [`${ROOT}/a.ts`],
    });
    expect(read('permissionRequest/server-tool.json').tool?.mcp).toEqual({ server: 'my-files', tool: 'read_file' });
    expect(read('permissionRequest/edit.json')).toMatchObject({
      asksPerson: false,
      tool: { kind: 'edit', paths: [`${ROOT}/notes.txt`], edits: [{ operation: 'replace' }] },
    });
    expect(read('preToolUse/sql.json').tool?.kind).toBe('plan');
  });

  it('a path is taken as it is written, and an input that is a text is read', () => {
    const of = (path: string) => changed('preToolUse/create.json', { toolArgs: { path, file_text: '' } }).tool?.paths;
    expect(of('~/x')).toEqual([`${ROOT}/~/x`]);
    expect(of('file:///x')).toEqual([`${ROOT}/file:/x`]);
    expect(of('/etc/%41')).toEqual(['/etc/%41']);
    expect(changed('preToolUse/bash.json', { toolArgs: '{"command":"ls"}' }).tool?.command).toBe('ls');
  });

  it('what nobody can read is said to be so', () => {
    expect(changed('preToolUse/bash.json', { toolArgs: 'rm x' }).tool?.unread).toBe('its command is no text');
    expect(changed('preToolUse/create.json', { toolArgs: {} }).tool?.unread).toBe('it names no file');
    expect(changed('preToolUse/create.json', { toolName: '' }).tool?.unread).toBe('it names no tool');
  });

  it('a sub-agent, of the session that started it; its end is told once', () => {
    const main = read('preToolUse/task.json').session;
    for (const file of ['preToolUse/bash-subagent.json', 'subagentStart/subagent.json', 'subagentStop/subagent.json'])
      expect(read(file)).toMatchObject({ session: main, subagent: { type: 'explore' } });
    expect(read('agentStop/subagent.json')).toMatchObject({ name: 'unknown', session: main });
    expect(read('subagentStop/subagent.json').stop?.lastMessage).toBe('hi from sub');
    expect(read('userPromptSubmitted/subagent.json').prompt?.origin).toBe('system');
    const deep = read('preToolUse/bash-subagent-of-subagent.json');
    expect(deep.session).not.toBe(deep.subagent?.id);
  });

  it('is the same as another agent’s payload of the same action', () => {
    const other = (file: string, more: object) =>
      about(adapterNamed('claude-code')?.parse(callOf({ ...recordedByClaude(file), cwd: ROOT, ...more })) as Event);
    expect(about(read('preToolUse/create.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('PreToolUse/edit.json'))).toEqual(other('PreToolUse/edit.json', { tool_input: edit }));
    expect(about(read('preToolUse/bash.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from copilot && ls' } }),
    );
    expect(about(read('preToolUse/grep.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_name: 'Grep', tool_input: { pattern: 'hi' } }),
    );
    expect(about(read('UserPromptSubmit/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: 'Please list files' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(copilot.render(decisionOf(...decision), read(file)).stdout || '{}') as object;
  const CALL = 'preToolUse/bash.json';
  const notes = [noteOf('and this')];

  it('a denial or a question, with the notes beside it', () => {
    for (const action of ['deny', 'ask'] as const)
      expect(reply(CALL, action, { reason: 'no', notes })).toEqual({
        permissionDecision: action,
        permissionDecisionReason: 'no',
        additionalContext: 'and this',
      });
    expect(reply(CALL, 'allow')).toEqual({ permissionDecision: 'allow' });
  });

  it('a new input, whole; that of a patch is a text again', () => {
    expect(reply(CALL, 'rewrite', { input: { command: 'ls' } })).toEqual({ modifiedArgs: { command: 'ls' } });
    expect(reply('preToolUse/patch-add.json', 'rewrite', { input: { patch: '*** Begin' } })).toEqual({
      modifiedArgs: '*** Begin',
    });
    const event = read('preToolUse/patch-add.json');
    const patch = '*** Begin Patch\n*** Delete File: a\n*** End Patch';
    expect(copilot.withInput?.(event, { patch }, '/home/dev').tool?.edits).toEqual([
      { path: `${ROOT}/a`, operation: 'remove' },
    ]);
  });

  it('an answer to a permission request; where it would ask, it denies', () => {
    const file = 'permissionRequest/bash.json';
    expect(reply(file, 'allow')).toEqual({ behavior: 'allow' });
    for (const action of ['deny', 'ask'] as const)
      expect(reply(file, action, { reason: 'no' })).toEqual({ behavior: 'deny', message: 'no' });
  });

  it('context after a call; at the end of a turn and on a prompt a reason', () => {
    for (const file of ['postToolUse/bash.json', 'postToolUse/bash-nonzero.json', 'postToolUseFailure/view.json'])
      expect(reply(file, 'pass', { notes })).toEqual({ additionalContext: 'and this' });
    for (const file of ['agentStop/plain.json', 'subagentStop/subagent.json', 'userPromptSubmitted/plain.json'])
      expect(reply(file, 'deny', { reason: 'not yet' })).toEqual({ decision: 'block', reason: 'not yet' });
    expect(reply('agentStop/subagent.json', 'deny', { reason: 'not yet' })).toEqual({});
  });
});
