import { describe, expect, it } from 'vitest';
import type { EventName } from '../../event/event.ts';
import type { Decision } from '../../event/verdict.ts';
import type { Capabilities } from '../adapter.ts';
import { callOf, decisionOf, decisionWith, noteOf } from '../contract.ts';
import { claudeCode } from './index.ts';
import { CONTEXT_CAP } from './render.ts';
import { isValidReply } from './reply-schema.ts';

const KINDS: readonly (keyof Capabilities)[] = ['deny', 'ask', 'allow', 'rewrite', 'note', 'warn'];

function renderOn(name: EventName, decision: Decision): string {
  const agentEvent = claudeCode.events.find((event) => event.canonical === name)?.name ?? '';
  const { stdout } = claudeCode.render(decision, claudeCode.parse(callOf({ hook_event_name: agentEvent })));
  expect(isValidReply(agentEvent, stdout)).toBe(true);
  return stdout;
}

function replyOn(name: EventName, decision: Decision): unknown {
  return JSON.parse(renderOn(name, decision));
}

describe('golden replies', () => {
  it.each(claudeCode.events.map((event) => [event.name, event.canonical] as const))('%s', (_, canonical) => {
    const replies = KINDS.map((kind) => {
      const reach = claudeCode.capabilities(canonical)[kind];
      return `${kind} (${reach}): ${renderOn(canonical, decisionWith(kind, `text of the ${kind}`))}`;
    });
    expect(`\n${replies.join('\n')}\n`).toMatchSnapshot();
  });
});

describe('a decision in company', () => {
  const notes = [noteOf('first note'), noteOf('second note')];
  const warns = [noteOf('a warning')];

  it('puts notes beside a deny and warnings before the person', () => {
    expect(replyOn('tool.before', decisionOf('deny', { reason: 'no', notes, warns }))).toEqual({
      systemMessage: 'a warning',
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
        additionalContext: 'first note\n\nsecond note',
      },
    });
  });

  it('says a deny that came too late first, then the notes', () => {
    expect(replyOn('tool.after', decisionOf('deny', { reason: 'no', notes }))).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'no\n\nfirst note\n\nsecond note' },
    });
  });

  it('keeps the turn going with a reason and the notes', () => {
    expect(replyOn('turn.stop', decisionOf('deny', { reason: 'tests are red', notes }))).toEqual({
      decision: 'block',
      reason: 'tests are red',
      hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'first note\n\nsecond note' },
    });
  });

  it('asks about a rewritten call and rewrites an allowed one', () => {
    const input = { command: 'ls', description: 'List' };
    expect(replyOn('tool.before', decisionOf('ask', { reason: 'sure?', input }))).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask', updatedInput: input },
    });
    expect(replyOn('permission.request', decisionOf('allow', { input }))).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: input } },
    });
    expect(renderOn('permission.request', decisionOf('rewrite', { input }))).toBe('');
  });

  it('lets notes go along with a reason where they have no field of their own', () => {
    expect(replyOn('permission.request', decisionOf('deny', { reason: 'no', notes, warns }))).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: 'no\n\nfirst note\n\nsecond note' },
      },
    });
    expect(replyOn('task.created', decisionOf('deny', { reason: 'no', notes, warns }))).toEqual({
      decision: 'block',
      reason: 'no\n\nfirst note\n\nsecond note',
    });
  });

  it('leaves the dialog of a permission request alone when a rule asks', () => {
    expect(renderOn('permission.request', decisionOf('ask', { reason: 'it deletes', notes, warns }))).toBe('');
  });

  it('gives compaction bare text, or the reply that blocks it', () => {
    const pass = decisionOf('pass');
    expect(renderOn('compact.before', { ...pass, notes, warns })).toBe('first note\n\nsecond note');
    expect(renderOn('compact.before', { ...pass, notes: [noteOf(' {"a":1}')] })).toBe('Note:  {"a":1}');
    expect(renderOn('compact.before', { ...pass, notes: [noteOf(' \n')], warns })).toBe('');
    expect(renderOn('compact.after', { ...pass, notes, warns })).toBe('a warning\n\nfirst note\n\nsecond note');
    expect(replyOn('compact.before', decisionOf('deny', { reason: 'not now', notes, warns }))).toEqual({
      decision: 'block',
      reason: 'not now',
    });
  });
});

describe('reasons', () => {
  it.each([
    [decisionOf('deny'), 'Stopped by the rule pack/rule.'],
    [decisionOf('deny', { by: [], reason: '' }), 'Stopped by a rule.'],
    [decisionOf('ask'), 'Held for confirmation by the rule pack/rule.'],
  ])('falls back to the name of the rule', (decision, expected) => {
    expect(replyOn('tool.before', decision)).toMatchObject({
      hookSpecificOutput: { permissionDecisionReason: expected },
    });
  });
});

it('answers allow only when the decision is to allow', () => {
  for (const { canonical } of claudeCode.events) {
    for (const action of ['pass', 'rewrite', 'ask', 'deny'] as const) {
      const decision = decisionOf(action, { reason: 'r', input: { a: 1 }, notes: [noteOf('n')], warns: [noteOf('w')] });
      expect(renderOn(canonical, decision)).not.toMatch(/allow|approve/);
    }
  }
});

it('cuts long context at a line end, below the cap', () => {
  const line = 'a line of some length\n';
  const reply = replyOn('tool.after', { ...decisionOf('pass'), notes: [noteOf(line.repeat(1000))] });
  const { additionalContext } = (reply as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput;
  expect(additionalContext.length).toBeLessThanOrEqual(CONTEXT_CAP);
  expect(additionalContext.length).toBeGreaterThan(CONTEXT_CAP - line.length);
  expect(additionalContext.endsWith('length')).toBe(true);
});

it('sends the rest when a rule made an input that JSON does not know', () => {
  const decision = decisionOf('ask', { reason: 'sure?', input: { n: 1n }, notes: [noteOf('n')] });
  expect(replyOn('tool.before', decision)).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
      additionalContext: 'n',
    },
  });
});
