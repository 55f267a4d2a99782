import { expect, it } from 'vitest';
import { readRecorded } from '../../../test/fixtures/claude-code.ts';
import type { EventName } from '../../event/event.ts';
import { EVENT_NAMES } from '../../event/event.ts';
import { testAdapter } from '../contract.ts';
import { adapterNamed } from '../registry.ts';
import { claudeCode } from './index.ts';
import { isValidReply } from './reply-schema.ts';

/** Written out once more, so that a slip in the table of names is not its own proof. */
const EXPECTED: Readonly<Record<string, EventName>> = {
  ConfigChange: 'config.changed',
  CwdChanged: 'cwd.changed',
  DirectoryAdded: 'directory.added',
  Elicitation: 'elicitation',
  ElicitationResult: 'elicitation.result',
  FileChanged: 'file.changed',
  InstructionsLoaded: 'instructions.loaded',
  MessageDisplay: 'message.display',
  Notification: 'notification',
  PermissionDenied: 'permission.denied',
  PermissionRequest: 'permission.request',
  PostCompact: 'compact.after',
  PostModelSwitch: 'model.after',
  PostToolBatch: 'tool.batch',
  PostToolUse: 'tool.after',
  PostToolUseFailure: 'tool.failed',
  PreCompact: 'compact.before',
  PreModelSwitch: 'model.before',
  PreToolUse: 'tool.before',
  SessionEnd: 'session.end',
  SessionStart: 'session.start',
  Setup: 'session.setup',
  Stop: 'turn.stop',
  StopFailure: 'turn.failed',
  SubagentStart: 'subagent.start',
  SubagentStop: 'subagent.stop',
  TaskCompleted: 'task.completed',
  TaskCreated: 'task.created',
  TeammateIdle: 'teammate.idle',
  UserPromptExpansion: 'prompt.expand',
  UserPromptSubmit: 'prompt.submit',
  WorktreeCreate: 'worktree.create',
  WorktreeRemove: 'worktree.remove',
};

testAdapter(claudeCode, {
  fixtures: readRecorded().map(({ file, event, payload }) => ({
    file,
    canonical: EXPECTED[event] ?? 'unknown',
    payload,
  })),
  isValidReply,
});

it('has all 33 events, one for each canonical name', () => {
  expect(Object.fromEntries(claudeCode.events.map((event) => [event.name, event.canonical]))).toEqual(EXPECTED);
  expect(claudeCode.events).toHaveLength(33);
  expect([...claudeCode.events.map((event) => event.canonical), 'unknown'].sort()).toEqual([...EVENT_NAMES].sort());
});

it('never wires the event that would replace the creation of work trees', () => {
  expect(claudeCode.events.filter((event) => event.wiring === 'never').map((event) => event.canonical)).toEqual([
    'worktree.create',
  ]);
});

it('is found by name', () => {
  expect(adapterNamed('claude-code')).toBe(claudeCode);
  expect(adapterNamed('toString')).toBeUndefined();
});
