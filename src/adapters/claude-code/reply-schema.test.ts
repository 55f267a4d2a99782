import { describe, expect, it } from 'vitest';
import { isValidReply } from './reply-schema.ts';

const own = (hookEventName: string, fields: object): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, ...fields } });

describe('isValidReply', () => {
  it.each([
    ['PreToolUse', ''],
    ['PreToolUse', own('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'r' })],
    ['PreToolUse', own('PreToolUse', { updatedInput: { command: 'x'.repeat(20_000) } })],
    ['PermissionRequest', own('PermissionRequest', { decision: { behavior: 'allow' } })],
    ['Stop', '{"decision":"block","reason":"r"}'],
    ['PreCompact', 'keep the names'],
    ['PostCompact', 'for the person'],
    ['Stop', '{"systemMessage":"m"}'],
    ['PostToolUse', own('PostToolUse', { additionalContext: 'x'.repeat(10_000) })],
  ])('accepts %s %s', (event, stdout) => {
    expect(isValidReply(event, stdout)).toBe(true);
  });

  it.each([
    ['PreToolUse', '{"broken'],
    ['PreToolUse', '{}'],
    ['PreToolUse', '[]'],
    ['PreToolUse', 'plain text'],
    ['PreToolUse', '{"continue":false}'],
    ['PreToolUse', '{"typo":1}'],
    ['PreToolUse', '{"decision":"block","reason":"r"}'],
    ['PreToolUse', own('PostToolUse', { additionalContext: 'c' })],
    ['PreToolUse', JSON.stringify({ hookSpecificOutput: { additionalContext: 'c' } })],
    ['PreToolUse', own('PreToolUse', {})],
    ['PreToolUse', own('PreToolUse', { permissionDecision: 'block', permissionDecisionReason: 'r' })],
    ['PreToolUse', own('PreToolUse', { permissionDecision: 'deny' })],
    ['PreToolUse', own('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'r', updatedInput: {} })],
    ['PreToolUse', own('PreToolUse', { updatedInput: 'ls' })],
    ['PreModelSwitch', own('PreModelSwitch', { permissionDecision: 'defer', permissionDecisionReason: 'r' })],
    ['PreModelSwitch', own('PreModelSwitch', { additionalContext: 'c' })],
    ['PermissionRequest', own('PermissionRequest', { additionalContext: 'c' })],
    ['PermissionRequest', own('PermissionRequest', { decision: { behavior: 'ask' } })],
    ['PermissionRequest', own('PermissionRequest', { decision: { behavior: 'deny' } })],
    ['PermissionRequest', own('PermissionRequest', { decision: { behavior: 'allow', message: 'm' } })],
    ['Elicitation', own('Elicitation', { action: 'accept' })],
    ['PostToolUse', own('PostToolUse', { additionalContext: 'x'.repeat(10_001) })],
    ['PostToolUse', '{"decision":"block","reason":"r"}'],
    ['PostToolBatch', '{"decision":"block","reason":"r"}'],
    ['Stop', '{"decision":"block"}'],
    ['SessionEnd', own('SessionEnd', { additionalContext: 'c' })],
    ['SessionEnd', '{"systemMessage":"m"}'],
    ['PreCompact', '{"systemMessage":"m"}'],
    ['PostCompact', '{"systemMessage":"m"}'],
    ['Notification', own('Notification', { additionalContext: 'c' })],
    ['Stop', JSON.stringify({ systemMessage: 'x'.repeat(10_001) })],
    ['Stop', JSON.stringify({ systemMessage: '\ud83e' })],
    ['PreCompact', 'x'.repeat(10_001)],
    ['StopFailure', '{"systemMessage":"m"}'],
    ['WorktreeCreate', '{"systemMessage":"m"}'],
    ['MessageDisplay', '{"systemMessage":"m"}'],
  ])('rejects %s %s', (event, stdout) => {
    expect(isValidReply(event, stdout)).toBeTypeOf('string');
  });
});
