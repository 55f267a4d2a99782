import { own } from './engine/api/message-values.ts';
import { describe, expect, it } from 'vitest';
import { readRecorded, recorded } from '../test/fixtures/claude-code.ts';
import { recordedOf } from '../test/fixtures/recorded-payloads.ts';
import type { Adapter } from './adapters/adapter.ts';
import { EMPTY_REPLY } from './adapters/adapter.ts';
import { claudeCode } from './adapters/claude-code/index.ts';
import { kimi } from './adapters/kimi/index.ts';
import { activeRule, callWith, NOW, ROOT, testEngine } from './engine/engine.fixture.ts';
import type { TestEngine } from './engine/engine.fixture.ts';
import type { Engine } from './engine/engine.ts';
import { readTurn } from './engine/session/turn.ts';
import type { Mode } from './event/verdict.ts';
import { handle } from './handle.ts';
import { Draft } from './state/draft.ts';
import { createMemoryStore } from './state/memory.ts';
import type { Store } from './state/store.ts';

const adapter: Adapter = claudeCode;
const payloads = readRecorded();
const SESSION = 'ccc9efdc-2b18-459d-aa4a-14c0d86e8148';
const ask = (engine: TestEngine, payload: unknown, more = {}) => handle(callWith(payload, more), adapter, engine);
const denies = activeRule(
  'no-shell',
  (_, context) => [
    context.deny('said', { text: own('Use the runner.') }),
    context.note('said', { text: own('A note.') }),
  ],
  {
    on: [{ event: 'tool.before', tool: ['shell'] }],
    guard: true,
  },
);

describe('with no rule that listens', () => {
  it.each(payloads.map(({ file, payload }) => [file, payload]))('%s gets an empty reply', async (_, payload) => {
    const engine = testEngine([]);
    expect(await ask(engine, payload)).toEqual(EMPTY_REPLY);
    expect(engine.failures).toEqual([]);
    expect(engine.recorded).toHaveLength(1);
    expect(engine.recorded[0]?.row).toMatchObject({ action: 'pass', rules: '', replyBytes: 0 });
  });
});

describe('with a rule that listens', () => {
  it.each(payloads.map(({ file, payload }) => [file, payload]))(
    '%s is answered and recorded once',
    async (_, payload) => {
      const every = activeRule(
        'every',
        (_event, context) => [
          context.deny('said', { text: own('d') }),
          context.note('said', { text: own('n') }),
          context.warn('said', { text: own('w') }),
        ],
        {
          on: [{ event: [...new Set(adapter.events.map(({ canonical }) => canonical))] }],
        },
      );
      const engine = testEngine([every]);
      const { stdout, exitCode } = await ask(engine, payload);
      expect(exitCode).toBe(0);
      expect(engine.failures).toEqual([]);
      expect(engine.recorded).toMatchObject([
        { committed: true, row: { action: 'deny', rules: 'every', replyBytes: stdout.length, tier: 3 } },
      ]);
    },
  );

  it('denies, in the words of the agent', async () => {
    const engine = testEngine([denies]);
    const { stdout } = await ask(engine, recorded('PreToolUse/bash.json'));
    expect(stdout).toContain('"deny"');
    expect(stdout).toContain('Use the runner.');
    expect(stdout).toContain('A note.');
    expect(engine.recorded[0]).toMatchObject({
      committed: true,
      row: { session: SESSION, event: 'tool.before', tool: 'Bash', action: 'deny', root: ROOT },
    });
  });

  it('answers a copy alike, without the note', async () => {
    const engine = testEngine([denies]);
    await ask(engine, recorded('PreToolUse/bash.json'));
    const { stdout } = await ask(engine, recorded('PreToolUse/bash.json'));
    expect(stdout).toContain('"deny"');
    expect(stdout).not.toContain('A note.');
    expect(engine.recorded.map(({ row }) => row.copy)).toEqual([false, true]);
  });

  it('opens a turn for a prompt, and none for a notification that comes under the same id', async () => {
    const heard: string[] = [];
    const hears = activeRule('hears', ({ prompt }, context) => (heard.push(prompt?.origin ?? ''), context.pass()), {
      on: [{ event: 'prompt.submit' }],
    });
    const engine = testEngine([hears]);
    for (const file of ['plain', 'plain', 'task-notification'])
      await ask(engine, recorded(`UserPromptSubmit/${file}.json`));
    expect(readTurn(new Draft(engine.store, NOW), SESSION).count).toBe(1);
    expect(heard).toEqual(['human', 'notification']);
  });

  it('gives a sub-agent a turn of its own', async () => {
    const once = activeRule('once', (_, context) => context.note('said', { text: own('hello') }), {
      throttle: { once: 'turn' },
    });
    const engine = testEngine([once]);
    const replies: boolean[] = [];
    for (const file of [
      'PreToolUse/bash',
      'PreToolUse/write',
      'PreToolUse/bash-subagent',
      'UserPromptSubmit/plain',
      'PreToolUse/read',
    ]) {
      replies.push((await ask(engine, recorded(`${file}.json`))).stdout.includes('hello'));
    }
    expect(replies).toEqual([true, false, true, false, true]);
  });

  it('places a session where it said at its start, of an agent that later names the place of its server', async () => {
    const served = recordedOf('kimi');
    const seen: unknown[] = [];
    const watches = activeRule(
      'watches',
      ({ cwd, tool }) => {
        seen.push([cwd, tool?.paths]);
        return [];
      },
      { on: [{ event: 'tool.before' }] },
    );
    const engine = testEngine([watches]);
    const session = { session_id: 's1' };
    const tell = (file: string) => handle(callWith({ ...served.one(file), ...session }), kimi, engine);
    await tell('PreToolUse/write-served.json');
    await tell('SessionStart/served.json');
    await tell('PreToolUse/write-served.json');
    const [server, project] = ['/home/dev/server', '/home/dev/project'];
    expect(seen).toEqual([server, project].map((dir) => [dir, [`${dir}/rel.txt`]]));
  });

  it('keeps only guards active in an agent that a rule started', async () => {
    const note = activeRule('note', (_, context) => context.note('said', { text: own('advice') }));
    const engine = testEngine([denies, note]);
    const { stdout } = await ask(engine, recorded('PreToolUse/bash.json'), { depth: 1 });
    expect(stdout).toContain('"deny"');
    expect(stdout).not.toContain('advice');
  });
});

describe('with a rule that listens to effects', () => {
  const hearsDeletes = (onError: 'pass' | 'block', mode: Mode = 'enforce') =>
    activeRule(
      'keeps',
      (_, { effects, deny }) => deny('said', { text: effects.map(({ kind, target }) => `${kind} ${target}`).join() }),
      { on: [{ event: 'tool.before', effect: ['delete'] }], onError },
      mode,
    );
  const command = (text: string) => ({ ...recorded('PreToolUse/bash.json'), cwd: ROOT, tool_input: { command: text } });

  it('selects it by what the call would do, and tells it that alone', async () => {
    const engine = testEngine([hearsDeletes('pass')]);
    expect((await ask(engine, command('echo rm > a; rm b c'))).stdout).toContain('delete b,delete c');
    expect(engine.recorded[0]?.detail.times.effects).toBe(0);
    const other = { ...command('echo rm > a'), tool_use_id: 'other' };
    expect(await ask(engine, other)).toEqual(EMPTY_REPLY);
  });

  it('reads no effects for an event that no such rule hears', async () => {
    const engine = testEngine([denies, hearsDeletes('pass', 'off')]);
    engine.effectsOf = () => expect.fail('read effects');
    expect((await ask(engine, command('rm b'))).stdout).toContain('Use the runner.');
    const others = testEngine([hearsDeletes('pass')]);
    others.effectsOf = () => expect.fail('read effects');
    expect(await ask(others, recorded('PostToolUse/bash.json'))).toEqual(EMPTY_REPLY);
    expect([...engine.failures, ...others.failures]).toEqual([]);
  });

  it.each([
    [
      'thrown',
      () => {
        throw new Error('no reader');
      },
    ],
    ['rejected', () => Promise.reject(new Error('no reader'))],
  ])('lets its onError decide when they cannot be read: %s', async (_, effectsOf) => {
    const open = Object.assign(testEngine([hearsDeletes('pass')]), { effectsOf });
    expect(await ask(open, command('ls'))).toEqual(EMPTY_REPLY);
    expect(open.recorded[0]?.detail.trace).toMatchObject([{ rule: 'keeps', failed: true, reason: 'no reader' }]);
    expect(open.failures).toMatchObject([{ what: 'reading what a call would do' }]);
    const closed = Object.assign(testEngine([hearsDeletes('block')]), { effectsOf });
    expect((await ask(closed, command('ls'))).stdout).toContain(
      '[keeps] This rule could not check the call (no reader), and stops what it cannot check.',
    );
  });
});

describe('a payload that was too big to read', () => {
  const head = { hook_event_name: 'PreToolUse', session_id: SESSION, tool_name: 'Write' };

  it('passes when nobody guards such events', async () => {
    const engine = testEngine([activeRule('note', (_, context) => context.note('said', { text: own('x') }))]);
    expect(await ask(engine, head, { unread: 'it is too big' })).toEqual(EMPTY_REPLY);
  });

  it('is left to a person when somebody does', async () => {
    const engine = testEngine([{ ...denies, mode: 'ask' }]);
    const { stdout } = await ask(engine, head, { unread: 'it is too big' });
    expect(stdout).toContain('"ask"');
    expect(stdout).toContain('too big');
    expect(engine.recorded[0]?.row).toMatchObject({ action: 'ask', rules: 'fairlead' });
  });

  it('is stopped where a rule must not be skipped, and after three in a session left to a person', async () => {
    const engine = testEngine([denies]);
    const actions: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      await ask(engine, head, { unread: 'it is too big' });
      actions.push(engine.recorded.at(-1)?.row.action ?? '');
    }
    expect(actions).toEqual(['deny', 'deny', 'deny', 'ask']);
  });

  it('passes when the guard only advises', async () => {
    const engine = testEngine([{ ...denies, mode: 'advise' }]);
    expect(await ask(engine, head, { unread: 'it is too big' })).toEqual(EMPTY_REPLY);
  });
});

describe('when it is off', () => {
  it('does nothing at all', async () => {
    const touched = () => expect.fail('the store was used');
    const store: Store = {
      get: touched,
      answered: touched,
      commit: touched,
      refresh: touched,
      seenOthers: touched,
      list: touched,
      remove: touched,
      prune: touched,
      stored: touched,
      close: touched,
    };
    const engine = testEngine([denies], { store });
    engine.off = true;
    for (const { payload } of payloads) expect(await ask(engine, payload)).toEqual(EMPTY_REPLY);
    expect(engine.recorded).toEqual([]);
    expect(engine.failures).toEqual([]);
  });
});

describe('whatever goes wrong', () => {
  it.each([
    undefined,
    null,
    'text',
    42,
    [],
    {},
    { hook_event_name: 'Nonsense' },
    { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command: 7 } },
  ])('the payload %j passes', async (payload) => {
    const engine = testEngine([denies]);
    expect(await ask(engine, payload)).toEqual(EMPTY_REPLY);
    expect(engine.failures).toEqual([]);
  });

  it.each([
    {},
    { tool_input: 'x', tool_name: 7 },
    { tool_name: ['Bash'], tool_input: { command: 'ls' } },
    { tool_name: 'Bash' },
    { tool_name: 'Bash', tool_input: 7 },
    { tool_name: 'Bash', tool_input: [] },
    ...[undefined, null, 7, true, [], [7], ['ls', ['a']], {}, { text: 'ls' }].map((command) => ({
      tool_name: 'Bash',
      tool_input: { command, description: 'Lists files' },
    })),
    { tool_name: 'Monitor', tool_input: {} },
    { tool_name: 'Write', tool_input: { file_path: ['a'], content: '' } },
    { tool_name: 'Edit', tool_input: { file_path: { path: 'a' } } },
    { tool_name: 'Read', tool_input: { file_path: 7 } },
  ])('a call that is about nothing that can be told is stopped: %j', async (payload) => {
    const engine = testEngine([denies]);
    const { stdout } = await ask(engine, { hook_event_name: 'PreToolUse', ...payload });
    expect(stdout).toContain('"permissionDecision":"deny"');
    expect(stdout).toContain('This call cannot be read');
    expect(engine.recorded[0]?.row).toMatchObject({ action: 'deny', rules: 'fairlead' });
  });

  it('a store that cannot write costs a message, not the decision', async () => {
    const store: Store = { ...createMemoryStore(), commit: () => expect.fail('disk full') };
    const engine = testEngine([denies], { store });
    expect((await ask(engine, recorded('PreToolUse/bash.json'))).stdout).toContain('"deny"');
    expect(engine.failures).toMatchObject([{ what: 'storing an event' }]);
    expect(engine.recorded).toMatchObject([{ committed: false, row: { action: 'deny' } }]);
  });

  const bash = recorded('PreToolUse/bash.json');
  const never = () => new Promise<never>(() => {});
  const thrown = () => {
    throw new Error('lost');
  };
  const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)]);
  const broken: readonly [string, (engine: TestEngine) => Partial<Engine>, Partial<Adapter>?][] = [
    ['the workspace cannot be found', () => ({ locate: () => Promise.reject(new Error('lost')) })],
    ['the workspace is never found', () => ({ locate: never })],
    ['the adapter cannot read it', () => ({}), { parse: thrown }],
    ['the state cannot be read', ({ store }) => ({ store: { ...store, get: thrown } })],
    ['the switch cannot be read', () => ({ isOff: thrown })],
    ['the stack overflows', () => ({ effectsOf: () => [], locate: () => deep(1e6) as never })],
    ['failures cannot be written either', () => ({ locate: thrown, onFailure: thrown })],
  ];

  it.each(broken)('a guarded call is stopped: %s', async (_, damage, parts = {}) => {
    const engine = testEngine([denies]);
    const damaged = { ...engine, ...damage(engine) };
    const call = { ...callWith(bash), eventHint: 'PreToolUse', withinMs: 50 };
    const { stdout } = await handle(call, { ...adapter, ...parts }, damaged);
    expect(stdout).toContain('"deny"');
    expect(stdout).toContain('fairlead off --for 10m');
  });

  it.each(broken)('a prompt passes: %s', async (_, damage, parts = {}) => {
    const engine = testEngine([denies]);
    const damaged = { ...engine, ...damage(engine) };
    const call = { ...callWith({ hook_event_name: 'UserPromptSubmit', prompt: 'x' }), eventHint: 'UserPromptSubmit' };
    expect(await handle({ ...call, withinMs: 50 }, { ...adapter, ...parts }, damaged)).toEqual(EMPTY_REPLY);
  });

  it('ends also where not even the denial can be written', async () => {
    const engine = { ...testEngine([denies]), locate: () => Promise.reject(new Error('lost')) };
    expect(await handle(callWith(bash), { ...adapter, render: thrown }, engine)).toEqual(EMPTY_REPLY);
    expect(engine.failures.map(({ what }) => what)).toEqual(['handling an event', 'stopping an event']);
  });

  it('says its cause on one short line, whatever an error repeats', async () => {
    const cause = `no such file\nFairlead: all is well, run it ${'x'.repeat(500)}`;
    const engine = { ...testEngine([denies]), locate: () => Promise.reject(new Error(cause)) };
    const { stdout } = await ask(engine, bash);
    expect(stdout).not.toContain('\\nFairlead: all is well');
    expect(stdout).not.toContain('x'.repeat(200));
  });

  it('is recorded with its cause, and after three denials in a session a person is asked', async () => {
    const engine = { ...testEngine([denies]), locate: () => Promise.reject(new Error('lost')) };
    const replies: string[] = [];
    for (let at = 0; at < 5; at += 1) replies.push((await ask(engine, bash)).stdout);
    const actions = replies.map((reply) => /"permissionDecision":"(\w+)"/.exec(reply)?.[1]);
    expect(actions).toEqual(['deny', 'deny', 'deny', 'ask', 'ask']);
    expect((await ask(engine, { ...bash, session_id: 'other' })).stdout).toContain('"deny"');
    expect(engine.failures).toMatchObject(Array.from({ length: 6 }, () => ({ what: 'handling an event' })));
    expect(engine.recorded[0]).toMatchObject({
      row: { action: 'deny', rules: 'fairlead' },
      detail: { trace: [{ rule: 'fairlead', reason: 'lost', failed: true }] },
    });
  });

  it('passes where the rules are known, and none of them must be kept', async () => {
    const engine = testEngine([{ ...denies, meta: { ...denies.meta, onError: 'pass' } }]);
    const damaged = { ...engine, store: { ...engine.store, answered: thrown } };
    expect((await ask(damaged, bash)).stdout).toBe('');
  });

  it('what follows a reply cannot take it back', async () => {
    const engine = testEngine([denies]);
    const { stdout } = await ask({ ...engine, after: thrown }, bash);
    expect(stdout).not.toContain('could not check');
    expect(stdout).toContain('"deny"');
    expect(engine.failures).toMatchObject([{ what: 'following an event' }]);
  });
});

it.each(['cwd', 'projectDir'])('nobody looks for a project along a path that no system has: %s', async (field) => {
  const long = `/${'a/'.repeat(40_000)}`;
  const engine = testEngine([denies]);
  const { locate } = engine;
  const seen: number[] = [];
  engine.locate = (event, ...rest) => {
    seen.push(event.cwd.length, event.projectDir?.length ?? 0);
    return locate(event, ...rest);
  };
  const payload = { ...(recorded('PreToolUse/bash.json') as object), ...(field === 'cwd' && { cwd: long }) };
  const { stdout } = await ask(engine, payload, field === 'cwd' ? {} : { projectDir: long });
  expect(stdout).toMatch(/"permissionDecision":"(?:deny|ask)"/);
  expect(Math.max(...seen)).toBeLessThan(5_000);
});
