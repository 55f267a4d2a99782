import { describe, expect, it } from 'vitest';
import { recorded as recordedByClaude } from '../../../test/fixtures/claude-code.ts';
import { readRecorded, recorded } from '../../../test/fixtures/codex.ts';
import type { Event, EventName } from '../../event/event.ts';
import { callOf, decisionOf, noteOf, testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { codex } from './index.ts';
import { isValidReply } from './reply-schema.fixture.ts';

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  Interrupt: 'turn.failed',
  PermissionRequest: 'permission.request',
  PostCompact: 'compact.after',
  PostToolUse: 'tool.after',
  PreCompact: 'compact.before',
  PreToolUse: 'tool.before',
  SessionEnd: 'session.end',
  SessionStart: 'session.start',
  Stop: 'turn.stop',
  SubagentStart: 'subagent.start',
  SubagentStop: 'subagent.stop',
  UserPromptSubmit: 'prompt.submit',
};

testAdapter(codex, {
  fixtures: readRecorded().map(({ file, event, payload }) => ({
    file,
    canonical: EXPECTED[event] ?? 'unknown',
    payload,
  })),
  isValidReply,
});

const ROOT = '/home/dev/project';
const read = (file: string): Event => codex.parse(callOf(recorded(file)));
const patched = (command: unknown): Event =>
  codex.parse(callOf({ ...recorded('PreToolUse/apply-patch-add.json'), tool_input: { command } }));

it('has all twelve events, and is found by name', () => {
  expect(Object.fromEntries(codex.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(adapterNamed('codex')).toBe(codex);
});

describe('what a payload becomes', () => {
  it('a command', () => {
    expect(read('PreToolUse/bash.json')).toMatchObject({
      session: '01a1dcd2-81f7-7ca3-9338-30a99923ac03',
      promptId: '01a1dcd2-8218-7212-92c4-ac89968020c6',
      cwd: ROOT,
      permissionMode: 'bypassPermissions',
      approvesItself: true,
      asksPerson: false,
      tool: { kind: 'shell', name: 'Bash', id: 'call_mock00003', command: 'echo hello from codex && ls' },
    });
    expect(read('PostToolUse/bash-nonzero.json').tool?.outputText).toContain('No such file');
  });

  it('a patch: every file with what is done to it, where it goes, and its new text', () => {
    const { tool } = read('PreToolUse/apply-patch-many.json');
    expect(tool).toMatchObject({ kind: 'edit', name: 'apply_patch' });
    expect(tool?.paths).toEqual(
      ['docs/new.md', 'a.txt', 'moved/a2.txt', 'b.txt', 'gone.txt'].map((path) => `${ROOT}/${path}`),
    );
    expect(tool?.edits).toEqual([
      { path: `${ROOT}/docs/new.md`, operation: 'write', new: '# New\n\ntext\n' },
      { path: `${ROOT}/a.txt`, operation: 'remove', movedTo: `${ROOT}/moved/a2.txt` },
      { path: `${ROOT}/moved/a2.txt`, operation: 'replace', old: 'one\ntwo\nthree', new: 'one\nzwei\nthree' },
      { path: `${ROOT}/b.txt`, operation: 'replace', old: 'k\nl', new: 'k\nbetween\nl' },
      { path: `${ROOT}/gone.txt`, operation: 'remove' },
    ]);
  });

  it('a patch that nobody can read is one of which nothing is known', () => {
    for (const command of ['', 'rm -rf /', '*** Begin Patch\n*** End Patch', 7, undefined])
      expect(patched(command).tool?.unread, String(command)).toBe('it names no file');
    expect(read('PreToolUse/bash.json').tool?.unread).toBeUndefined();
  });

  it('a file that only moves, and paths outside', () => {
    const { tool } = patched('*** Begin Patch\n*** Update File: ../x\n*** Move to: /etc/y\n*** End Patch');
    expect(tool?.paths).toEqual(['/home/dev/x', '/etc/y']);
  });

  it('sub-agents, their prompts, tools of servers, and what a turn ends with', () => {
    expect(read('PreToolUse/spawn-agent.json').tool).toMatchObject({ kind: 'agent', paths: [] });
    const prompt = read('UserPromptSubmit/subagent.json');
    expect(prompt).toMatchObject({ subagent: { type: 'default' }, prompt: { origin: 'system' } });
    expect(read('UserPromptSubmit/plain.json')).toMatchObject({
      prompt: { origin: 'human', text: 'Please list files' },
    });
    const call = { tool_name: 'mcp__files__read_file', tool_input: { path: 'a.ts', query: 'q' } };
    expect(codex.parse(callOf({ ...recorded('PreToolUse/bash.json'), ...call })).tool).toMatchObject({
      kind: 'mcp',
      mcp: { server: 'files', tool: 'read_file' },
      paths: [`${ROOT}/a.ts`],
      query: 'q',
    });
    expect(read('PreToolUse/view-image.json').tool).toMatchObject({ kind: 'read', paths: [`${ROOT}/README.md`] });
    expect(read('Stop/active.json').stop).toMatchObject({ again: true, lastMessage: 'Finished, tests pass.' });
    expect(read('SessionStart/compact.json').start).toEqual({ source: 'compact', model: 'gpt-5.5' });
    expect(read('PermissionRequest/bash.json').asksPerson).toBeUndefined();
  });

  it('is the same as another agent’s payload of the same action', () => {
    const about = ({ tool, prompt }: Event) => ({
      kind: tool?.kind,
      command: tool?.command,
      paths: tool?.paths,
      edits: tool?.edits,
      prompt: prompt?.text,
    });
    const other = (file: string, more: object) =>
      about(adapterNamed('claude-code')?.parse(callOf({ ...recordedByClaude(file), cwd: ROOT, ...more })) as Event);
    expect(about(read('PreToolUse/apply-patch-add.json'))).toEqual(
      other('PreToolUse/write.json', { tool_input: { file_path: `${ROOT}/notes.txt`, content: 'hello\n' } }),
    );
    const edit = { file_path: `${ROOT}/notes.txt`, old_string: 'hello', new_string: 'hello world' };
    expect(about(read('PreToolUse/apply-patch-update.json'))).toEqual(
      other('PreToolUse/edit.json', { tool_input: edit }),
    );
    expect(about(read('PreToolUse/bash.json'))).toEqual(
      other('PreToolUse/bash.json', { tool_input: { command: 'echo hello from codex && ls' } }),
    );
    expect(about(read('UserPromptSubmit/plain.json'))).toEqual(
      other('UserPromptSubmit/plain.json', { prompt: 'Please list files' }),
    );
  });
});

describe('what a decision becomes', () => {
  const reply = (file: string, ...decision: Parameters<typeof decisionOf>) =>
    JSON.parse(codex.render(decisionOf(...decision), read(file)).stdout || '{}') as object;

  it('a denial, and an ask, which would let the tool run', () => {
    for (const action of ['deny', 'ask'] as const)
      expect(reply('PreToolUse/bash.json', action, { reason: 'no' })).toEqual({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'no',
        },
      });
    expect(reply('PreToolUse/bash.json', 'deny')).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: 'Stopped by the rule pack/rule.' },
    });
  });

  it('a new input, which the client takes with an allow alone; a bare allow is nothing', () => {
    expect(reply('PreToolUse/bash.json', 'rewrite', { input: { command: 'ls' } })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { command: 'ls' },
      },
    });
    expect(reply('PreToolUse/bash.json', 'allow')).toEqual({});
  });

  it('an answer to its own question; an ask leaves it to the person', () => {
    const decision = (action: 'allow' | 'deny') => reply('PermissionRequest/bash.json', action, { reason: 'no' });
    expect(decision('deny')).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } });
    expect(decision('allow')).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
    expect(reply('PermissionRequest/bash.json', 'ask', { reason: 'sure?' })).toEqual({});
  });

  it('at the end of a turn a reason to go on, with the notes for which there is no other room', () => {
    const notes = [noteOf('and this')];
    expect(reply('Stop/plain.json', 'deny', { reason: 'not yet', notes })).toEqual({
      decision: 'block',
      reason: 'not yet\n\nand this',
    });
    expect(reply('Stop/plain.json', 'pass', { notes })).toEqual({});
  });
});
