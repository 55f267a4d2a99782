import { describe, expect, it } from 'vitest';
import type { AdoptedHook, HookRun } from '../adopting.ts';
import type { Fields } from '../fields.ts';
import { HOOK_RUNNER } from './adopt-run.ts';

const hookOf = (more: Partial<AdoptedHook> = {}): AdoptedHook => ({
  ...{ name: 'h', event: 'PreToolUse', entry: { type: 'command', command: './h.sh' } },
  ...more,
});
const payloadOf = (event: string): Fields => ({
  hook_event_name: event,
  tool_name: 'Bash',
  tool_input: { command: 'x' },
});
const own = (fields: Fields, event = 'PreToolUse') =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } });

interface Ends extends Partial<Omit<HookRun, 'hook'>> {
  readonly entry?: Fields;
}

function answer(event: string, ...ends: readonly Ends[]) {
  const runs = ends.map(({ entry = {}, ...end }): HookRun => {
    const hook = hookOf({ event, entry: { type: 'command', command: './h.sh', ...entry } });
    return { hook, ...(end.failure === undefined && { code: 0 }), stdout: '', stderr: '', ms: 1, ...end };
  });
  const { reply, ...rest } = HOOK_RUNNER.answer(payloadOf(event), runs);
  return { reply: reply.startsWith('{') ? (JSON.parse(reply) as Fields) : reply, ...rest };
}

const decided = (permissionDecision: string, permissionDecisionReason?: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision,
    ...(permissionDecisionReason !== undefined && { permissionDecisionReason }),
  },
});
const BLOCK = { onFailure: 'block' };

describe('what one hook leaves', () => {
  it.each<[string, string, Ends, unknown]>([
    ['nothing', 'PreToolUse', {}, ''],
    ['plain text before a call reaches nobody', 'PreToolUse', { stdout: 'hello' }, ''],
    [
      'plain text at a prompt is context',
      'UserPromptSubmit',
      { stdout: ' hello\n' },
      { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'hello' } },
    ],
    [
      'plain text before a compaction is used as it stands',
      'PreCompact',
      { stdout: 'keep the names' },
      'keep the names',
    ],
    ['2 blocks with what it says', 'PreToolUse', { code: 2, stderr: 'no\n' }, decided('deny', '[./h.sh]: no\n')],
    [
      '2 blocks, and its context stays',
      'PreToolUse',
      { code: 2, stderr: 'no', stdout: own({ additionalContext: 'c' }) },
      { hookSpecificOutput: { ...decided('deny', '[./h.sh]: no').hookSpecificOutput, additionalContext: 'c' } },
    ],
    [
      '2 without a word takes the reason of its JSON',
      'PreToolUse',
      { code: 2, stdout: '{"reason":"because"}' },
      decided('deny', 'because'),
    ],
    ['2 keeps a turn going', 'Stop', { code: 2, stderr: 'tests' }, { decision: 'block', reason: 'tests' }],
    ['2 after a call is told', 'PostToolUse', { code: 2, stderr: 'look' }, { decision: 'block', reason: 'look' }],
    [
      '2 at a start is for the person',
      'SessionStart',
      { code: 2, stderr: 'hm' },
      { systemMessage: 'Hook ./h.sh: it ended with 2: hm' },
    ],
    [
      'another code is for the person',
      'PreToolUse',
      { code: 1, stderr: 'oh\nmore' },
      { systemMessage: 'Hook ./h.sh: it ended with 1: oh' },
    ],
    [
      'another code with JSON is honoured',
      'PreToolUse',
      { code: 1, stdout: own({ permissionDecision: 'deny', permissionDecisionReason: 'r' }) },
      decided('deny', 'r'),
    ],
    ['the older block', 'PreToolUse', { stdout: '{"decision":"block","reason":"r"}' }, decided('deny', 'r')],
    ['the older approval', 'PreToolUse', { stdout: '{"decision":"approve"}' }, decided('allow')],
    [
      'a block after a call',
      'PostToolUse',
      { stdout: '{"decision":"block","reason":"r"}' },
      { decision: 'block', reason: 'r' },
    ],
    [
      'a turn that ends',
      'PostToolUse',
      { stdout: '{"continue":false,"stopReason":"r"}' },
      { continue: false, stopReason: 'r' },
    ],
    [
      'fields that nobody knows go along',
      'PostToolUse',
      { stdout: own({ updatedToolOutput: { stdout: 'x' } }, 'PostToolUse') },
      { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: { stdout: 'x' } } },
    ],
    [
      'broken JSON',
      'PreToolUse',
      { stdout: '{"hookSpecificOutput":' },
      { systemMessage: 'Hook ./h.sh: its reply starts with a brace and is no JSON' },
    ],
    [
      'another event',
      'PreToolUse',
      { stdout: own({ permissionDecision: 'deny' }, 'Stop') },
      { systemMessage: 'Hook ./h.sh: its reply is not for PreToolUse' },
    ],
    [
      'a decision that there is not',
      'PreToolUse',
      { stdout: own({ permissionDecision: 'no' }) },
      { systemMessage: 'Hook ./h.sh: its reply has a wrong `permissionDecision`' },
    ],
    [
      'a wrong type',
      'PreToolUse',
      { stdout: '{"systemMessage":1}' },
      { systemMessage: 'Hook ./h.sh: its reply has a wrong `systemMessage`' },
    ],
    [
      'one that is late',
      'PreToolUse',
      { failure: 'time' },
      { systemMessage: 'Hook ./h.sh: it did not end in its time' },
    ],
    [
      'one that is late, and must not be',
      'PreToolUse',
      { failure: 'time', entry: BLOCK },
      decided('deny', '[./h.sh]: timed out; blocking because onFailure is "block"\n'),
    ],
    [
      'one that fails, and must not',
      'PreToolUse',
      { code: 3, stderr: 'x', entry: BLOCK },
      decided('deny', '[./h.sh]: failed; blocking because onFailure is "block"\nx'),
    ],
    [
      'one that goes into the background',
      'PreToolUse',
      { stdout: '{"async":true}\nmore' },
      { systemMessage: expect.stringContaining('into the background') as string },
    ],
  ])('%s', (_, event, end, reply) => {
    expect(answer(event, end).reply).toEqual(reply);
  });

  it('is told for doctor and the bill', () => {
    const { outcomes } = answer(
      'PreToolUse',
      {},
      { code: 1 },
      { code: 2, stderr: 'no' },
      { stdout: own({ additionalContext: 'c' }) },
    );
    expect(outcomes).toEqual([
      { verdict: 'none' },
      { verdict: 'none', problem: 'it ended with 1' },
      { verdict: 'deny' },
      { verdict: 'note' },
    ]);
  });
});

describe('what several leave', () => {
  const says = (permissionDecision: string, permissionDecisionReason: string): Ends => ({
    stdout: own({ permissionDecision, permissionDecisionReason }),
  });

  it.each([
    ['deny', ['allow', 'deny', 'ask', 'defer']],
    ['defer', ['allow', 'ask', 'defer']],
    ['ask', ['allow', 'ask']],
  ])('the strongest decision is %s', (strongest, all) => {
    expect(answer('PreToolUse', ...all.map((each) => says(each, each))).reply).toEqual(decided(strongest, strongest));
  });

  it('has all reasons of that decision, and all context, in the order of the file', () => {
    const { reply } = answer(
      'PreToolUse',
      says('deny', 'a'),
      { stdout: own({ additionalContext: '1' }) },
      says('deny', 'b'),
      {
        stdout: own({ additionalContext: '2' }),
      },
    );
    expect(reply).toEqual({
      hookSpecificOutput: { ...decided('deny', 'a\nb').hookSpecificOutput, additionalContext: '1\n2' },
    });
  });

  const rewrites = (command: string): Ends => ({ stdout: own({ updatedInput: { command } }) });

  it('takes the input of the last in the file', () => {
    const { reply, rewritten } = answer('PreToolUse', rewrites('a'), rewrites('b'));
    expect(reply).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'b' } } });
    expect(rewritten).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'b' } });
  });

  it('has no new input beside a denial', () => {
    const { reply, rewritten } = answer('PreToolUse', rewrites('a'), says('deny', 'no'));
    expect([reply, rewritten]).toEqual([decided('deny', 'no'), undefined]);
  });

  it('joins what rules say of a new input', () => {
    const first = own({ updatedInput: { command: 'b' } });
    const joined = (second: string) => JSON.parse(HOOK_RUNNER.join(payloadOf('PreToolUse'), first, second)) as unknown;
    expect(joined('')).toEqual(JSON.parse(first));
    expect(joined(own({ permissionDecision: 'deny', permissionDecisionReason: 'not b' }))).toEqual(
      decided('deny', 'not b'),
    );
  });
});

describe('which hooks are started', () => {
  const named = (matcher: string | undefined, command: string, event = 'PreToolUse') =>
    hookOf({ event, entry: { command }, ...(matcher !== undefined && { matcher }) });

  it('follows the matchers, and starts the same command once', () => {
    const hooks = [
      named('Bash', 'a'),
      named('Edit|Write', 'b'),
      named(undefined, 'c'),
      named('^B', 'a'),
      named('*', 'd'),
      named('bash', 'e'),
      named('(', 'f'),
      named('Bash', 'g', 'PostToolUse'),
    ];
    const started = HOOK_RUNNER.startedOn(hooks, payloadOf('PreToolUse'));
    expect(started.map(({ entry }) => entry['command'])).toEqual(['a', 'c', 'd']);
  });

  it.each([
    ['a line goes to the shell', { command: 'a b' }, ['/bin/sh', '-c', 'a b'], 600_000],
    [
      'words go to no shell, with the project filled in',
      { command: '${CLAUDE_PROJECT_DIR}/a', args: ['$(b)', '${CLAUDE_PROJECT_DIR}'], timeout: 3 },
      ['/p/a', '$(b)', '/p'],
      3_000,
    ],
  ])('%s', (_, entry, argv, limitMs) => {
    expect(HOOK_RUNNER.start(hookOf({ entry }), { CLAUDE_PROJECT_DIR: '/p' })).toEqual({ argv, limitMs });
  });

  it('waits no longer than a timer can, nor than the client does at the end of a session', () => {
    const limitOf = (event: string) =>
      HOOK_RUNNER.start(hookOf({ event, entry: { command: 'x', timeout: 3_000_000 } }), {}).limitMs;
    expect(['PreToolUse', 'SessionEnd'].map(limitOf)).toEqual([1_000_000_000, 60_000]);
  });

  it('gives a prompt thirty seconds and the end of a session one and a half', () => {
    const limitOf = (event: string) => HOOK_RUNNER.start(hookOf({ event }), {}).limitMs;
    expect(['UserPromptSubmit', 'SessionEnd'].map(limitOf)).toEqual([30_000, 1_500]);
  });
});
