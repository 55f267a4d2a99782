import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeRule, callWith, NOW, plainEvent, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import { isAdrift, readTurn, turnId } from './turn.ts';
import type { Turn } from './turn.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import { adapterNamed } from '../../adapters/registry.ts';
import type { Event } from '../../event/event.ts';
import { handle } from '../../handle.ts';
import { nodeFiles } from '../../platform/files.ts';
import { cellId } from '../../state/cells.ts';
import { Draft } from '../../state/draft.ts';

const subagent = { id: 'a1', type: 'general' };

describe('a turn', () => {
  it.each<[string, Event[], number]>([
    ['is opened by each prompt of a person', [promptEvent('a'), promptEvent('b')], 2],
    [
      'is opened once by a prompt that is delivered twice',
      [promptEvent('a', { promptId: 'p' }), promptEvent('a', { promptId: 'p' })],
      1,
    ],
    ['is not opened by a notification', [promptEvent('a'), promptEvent('b', { origin: 'notification' })], 1],
    ['is not opened by the system', [promptEvent('a', { origin: 'system' })], 0],
    ['is not opened by a prompt to a sub-agent', [promptEvent('a', { subagent })], 0],
    [
      'is not opened by the expansion of a command',
      [plainEvent('prompt.expand', { prompt: { text: 'x', origin: 'human' } })],
      0,
    ],
    ['is not opened by a tool call', [toolEvent()], 0],
    ['belongs to its session', [promptEvent('a', { session: 's2' })], 0],
  ])('%s', async (_, events, count) => {
    const engine = testEngine([]);
    await send(engine, ...events);
    expect(readTurn(new Draft(engine.store, NOW), 's1').count).toBe(count);
  });

  it('starts over when its cell is damaged', async () => {
    const engine = testEngine([]);
    engine.store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: cellId('session', 's1', 'turn'), value: '{"cou', expires: 0 }],
      now: NOW,
    });
    await send(engine, promptEvent('a'));
    expect(readTurn(new Draft(engine.store, NOW), 's1').count).toBe(1);
  });
});

const agent = adapterNamed('claude-code') as Adapter;
const RECORDED = 'test/fixtures/claude-code/extras';
const MIB = 1 << 20;

let dir: string;
let transcript: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-turn-'));
  transcript = join(dir, 's1.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A line in the shape of the recorded transcripts. */
function line(content: unknown, more: object = {}): string {
  return `${JSON.stringify({ isSidechain: false, type: 'user', message: { role: 'user', content }, ...more })}\n`;
}
const said = (text: string) => line(text, { promptSource: 'sdk' });
const filler = (bytes: number) =>
  `${JSON.stringify({ type: 'attachment', attachment: { content: 'x'.repeat(1_000) } })}\n`.repeat(
    Math.ceil(bytes / 1_000),
  );

interface Watched {
  readonly engine: TestEngine;
  /** Sends a payload of the agent; the turns that the rules of one event were told. */
  ask(payload?: object): Promise<readonly Turn[]>;
  /** Bytes read so far. */
  bytes: number;
  looks: number;
}

/** An engine with rules that want to know the turn, on real files. */
function watched(...checks: readonly Parameters<typeof activeRule>[1][]): Watched {
  const told: Turn[] = [];
  const rules = [0, 1].map((at) =>
    activeRule(`ask-${at}`, (_, context) => void told.push(context.turn), {
      on: [{ event: ['tool.before', 'prompt.submit'] }],
    }),
  );
  const more = checks.map((check, at) => activeRule(`more-${at}`, check));
  const engine = testEngine([...rules, ...more]);
  const world: Watched = {
    bytes: 0,
    looks: 0,
    engine: {
      ...engine,
      files: {
        ...nodeFiles,
        list: () => [],
        stat: (path) => ((world.looks += 1), nodeFiles.stat(path)),
        readRange(path, from, bytes) {
          const read = nodeFiles.readRange(path, from, bytes);
          world.bytes += read?.length ?? 0;
          return read;
        },
      },
    },
    async ask(payload = {}) {
      told.length = 0;
      const tool = { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: '/x' } };
      await handle(
        callWith({ session_id: 's1', transcript_path: transcript, ...tool, ...payload }),
        agent,
        world.engine,
      );
      expect(engine.failures).toEqual([]);
      return [...told];
    },
  };
  return world;
}
const prompt = (text: string, more: object = {}) => ({ hook_event_name: 'UserPromptSubmit', prompt: text, ...more });
const both = (turn: Turn) => [turn, turn];

describe('without prompt events', () => {
  it.each<[string, string, Turn]>([
    ['recorded', 'transcript.jsonl', 1],
    ['recorded, with a compaction and a notification', 'transcript.compacted.jsonl', 2],
    ['recorded, with commands', 'transcript.commands.jsonl', 2],
    ['of a sub-agent', 'transcript.subagent.jsonl', 'unknown'],
  ])('the turn is counted in the transcript: %s', async (_, file, turn) => {
    transcript = join(RECORDED, file);
    expect(await watched().ask()).toEqual(both(turn));
  });

  it('the result of a call opens no turn', async () => {
    writeFileSync(transcript, said('a'));
    const world = watched();
    expect(await world.ask()).toEqual(both(1));
    appendFileSync(transcript, line([{ type: 'tool_result', tool_use_id: 't', content: 'found' }]));
    expect(await world.ask()).toEqual(both(1));
  });

  it.each<[string, (path: string) => void]>([
    ['there is none', () => {}],
    ['it names nobody', (path) => writeFileSync(path, filler(500))],
    ['64 KiB hold no prompt', (path) => writeFileSync(path, filler(70_000))],
    ['it is empty', (path) => writeFileSync(path, '')],
  ])('the turn is unknown, and stays so, where the transcript tells nothing: %s', async (_, put) => {
    put(transcript);
    const world = watched();
    expect(await world.ask()).toEqual(both('unknown'));
    expect(await world.ask()).toEqual(both('unknown'));
    expect(await world.ask({ transcript_path: undefined })).toEqual(both('unknown'));
  });

  it('both who ask agree about a long transcript, of which only the end is read', async () => {
    writeFileSync(transcript, said('far back') + filler(1.5 * MIB) + said('a') + said('b'));
    const world = watched();
    expect(await world.ask()).toEqual(both(2));
    expect(world.bytes).toBeLessThanOrEqual(MIB);
  });

  it('the line that the window cuts is dropped, even if all of the window is that line', async () => {
    writeFileSync(transcript, said('x'.repeat(2 * MIB)));
    const world = watched();
    expect(await world.ask()).toEqual(both('unknown'));
    appendFileSync(transcript, said('a'));
    expect(await world.ask()).toEqual(both(1));
  });

  it('even where the rest of the cut line would be a prompt', async () => {
    const text = `${' '.repeat(10)}${said('a')}${said('b')}`;
    writeFileSync(transcript, `${text}${'x'.repeat(MIB + 5 - text.length - 1)}\n`);
    expect(await watched().ask()).toEqual(both(1));
  });

  it('the count rises while old prompts leave the window, and later looks read what is new', async () => {
    writeFileSync(transcript, said('a') + said('b') + filler(10_000));
    const world = watched();
    expect(await world.ask()).toEqual(both(2));
    appendFileSync(transcript, filler(1.2 * MIB) + said('c'));
    expect(await world.ask()).toEqual(both(3));
    world.bytes = 0;
    appendFileSync(transcript, said('d'));
    expect(await world.ask()).toEqual(both(4));
    expect(world.bytes).toBeLessThan(1_000);
    world.bytes = 0;
    expect(await world.ask()).toEqual(both(4));
    expect(world.bytes).toBe(0);
  });

  it('what a tool quotes is no prompt', async () => {
    const quoted = JSON.stringify({ type: 'user', message: { role: 'user', content: 'hello' } });
    writeFileSync(transcript, said('a') + line([{ type: 'tool_result', content: `x\n${quoted}\n` }]));
    expect(await watched().ask()).toEqual(both(1));
  });

  it.each<[string, string]>([
    ['meta', line('x', { isMeta: true })],
    ['sidechain', line('x', { isSidechain: true })],
    ['a compaction summary', line('x', { isCompactSummary: true })],
    ['a notification', line('<task-notification>\ndone')],
    ['a wake-up', line('x', { promptSource: 'schedule_wakeup' })],
    ['a command that the client carries out', line('<command-name>/compact</command-name>')],
    ['its output', line('<local-command-stdout>x</local-command-stdout>')],
    ['an interruption', line([{ type: 'text', text: '[Request interrupted by user]' }])],
    ['without text', line([{ type: 'image', source: {} }])],
    ['empty', line('')],
    [
      'a result with words beside it',
      line([
        { type: 'tool_result', content: 'x' },
        { type: 'text', text: 'y' },
      ]),
    ],
    [
      'the same with blanks',
      line([
        { type: 'tool_result', content: 'x' },
        { type: 'text', text: 'y' },
      ]).replaceAll(':', ': '),
    ],
    ['damaged', `${line('x').slice(0, -5)}\n`],
    ['not an object', '"user"\n["user"]\nnull\n'],
  ])('no prompt: %s', async (_, text) => {
    writeFileSync(transcript, said('a') + text);
    expect(await watched().ask()).toEqual(both(1));
  });

  it('counts prompts of text blocks, and commands that become prompts', async () => {
    writeFileSync(
      transcript,
      line([
        { type: 'text', text: 'a' },
        { type: 'image', source: {} },
      ]) +
        line('<command-message>x</command-message>') +
        line('tool_result') +
        line('say "type":"tool_result"').replaceAll('":', '": '),
    );
    expect(await watched().ask()).toEqual(both(4));
  });

  it('the first prompt event continues the count, and then nothing is read any more', async () => {
    writeFileSync(transcript, said('a') + said('b'));
    const world = watched();
    expect(await world.ask()).toEqual(both(2));
    appendFileSync(transcript, said('c'));
    expect(await world.ask(prompt('c', { prompt_id: 'p' }))).toEqual(both(3));
    world.bytes = world.looks = 0;
    appendFileSync(transcript, said('d'));
    expect(await world.ask()).toEqual(both(3));
    expect([world.bytes, world.looks]).toEqual([0, 0]);
  });

  it('a line that is still being written counts once it is whole', async () => {
    const [head, tail] = [said('b\u{1f600}').slice(0, 60), said('b\u{1f600}').slice(60)];
    writeFileSync(transcript, said('a') + head);
    const world = watched();
    expect(await world.ask()).toEqual(both(1));
    appendFileSync(transcript, tail.trimEnd());
    expect(await world.ask()).toEqual(both(2));
    appendFileSync(transcript, `\n${said('c')}`);
    expect(await world.ask()).toEqual(both(3));
  });

  it.each<[string, (world: Watched) => void]>([
    ['shorter', () => writeFileSync(transcript, said('z'))],
    ['as long', () => writeFileSync(transcript, readFileSync(transcript, 'utf8').replaceAll('"a"', '"b"'))],
    ['longer', () => writeFileSync(transcript, said('z') + filler(5_000) + said('y') + said('x'))],
  ])('another file in its place opens one turn: %s', async (_, replace) => {
    writeFileSync(transcript, said('a') + said('a') + filler(2_000) + said('a'));
    const world = watched();
    expect(await world.ask()).toEqual(both(3));
    await new Promise((resolve) => setTimeout(resolve, 15));
    replace(world);
    expect(await world.ask()).toEqual(both(4));
    appendFileSync(transcript, said('next'));
    expect(await world.ask()).toEqual(both(5));
  });

  it('another file is noticed behind a line that was never finished', async () => {
    writeFileSync(transcript, said('a'));
    const world = watched();
    await world.ask();
    appendFileSync(transcript, said('b').slice(0, 20));
    expect(await world.ask()).toEqual(both(1));
    writeFileSync(transcript, said('z') + filler(1_000));
    expect(await world.ask()).toEqual(both(2));
  });

  it('another file that tells nothing either leaves the turn unknown', async () => {
    writeFileSync(transcript, filler(5_000));
    const world = watched();
    await world.ask();
    writeFileSync(transcript, filler(1_000));
    expect(await world.ask()).toEqual(both('unknown'));
  });

  it('a file that moves or vanishes changes nothing', async () => {
    writeFileSync(transcript, said('a') + said('b'));
    const world = watched();
    expect(await world.ask()).toEqual(both(2));
    const moved = join(dir, 'moved.jsonl');
    renameSync(transcript, moved);
    expect(await world.ask()).toEqual(both(2));
    appendFileSync(moved, said('c'));
    expect(await world.ask({ transcript_path: moved })).toEqual(both(3));
  });

  it('events at once count a prompt once', async () => {
    writeFileSync(transcript, said('a'));
    const world = watched(() => new Promise((resolve) => setTimeout(resolve, 5)));
    await Promise.all([world.ask(), world.ask(), world.ask()]);
    appendFileSync(transcript, said('b'));
    await Promise.all([world.ask(), world.ask(), world.ask()]);
    expect(await world.ask()).toEqual(both(2));
  });

  it('a rule that fails, and one that asks nothing, do not change what others are told', async () => {
    writeFileSync(transcript, said('a'));
    const engine = testEngine([
      activeRule('fails', (_, context) => expect.fail(`in turn ${context.turn}`)),
      activeRule('tells', (_, context) => context.note('said', { text: `turn ${context.turn}` })),
    ]);
    const seen = { ...engine, files: nodeFiles };
    const tool = { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'a.ts' } };
    const { stdout } = await handle(callWith({ session_id: 's1', transcript_path: transcript, ...tool }), agent, seen);
    expect(stdout).toContain('turn 1');
  });

  it('nobody asks, nothing is read', async () => {
    writeFileSync(transcript, said('a'));
    const engine = {
      ...testEngine([activeRule('a', () => undefined)]),
      files: { ...nodeFiles, stat: () => expect.fail() },
    };
    const tool = { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: 'a.ts' } };
    await handle(callWith({ session_id: 's1', transcript_path: transcript, ...tool }), agent, engine);
    expect(engine.failures).toEqual([]);
    expect(engine.store.get(turnId('s1'), NOW)).toBeUndefined();
  });

  it('a sub-agent has one turn, whatever its session is in', async () => {
    writeFileSync(transcript, said('a') + said('b'));
    const world = watched();
    expect(await world.ask({ agent_id: 'a1' })).toEqual(both(1));
    expect(world.looks).toBe(0);
  });
});

describe('with prompt events', () => {
  it.each<[string, object, Turn]>([
    ['a notification under a new id', prompt('<task-notification>\nx', { prompt_id: 'p2' }), 1],
    ['the same prompt again', prompt('a', { prompt_id: 'p1' }), 1],
    ['a wake-up', prompt('go', { source: 'loop_wakeup', prompt_id: 'p2' }), 1],
    ['a scheduled wake-up', prompt('go', { source: 'schedule_wakeup' }), 1],
    ['an event that was polled', prompt('go', { source: 'poll_event' }), 1],
    ['the system', prompt('go', { source: 'system' }), 1],
    ['the expansion of a command', { hook_event_name: 'UserPromptExpansion', prompt: 'x', prompt_id: 'p2' }, 1],
    ['another prompt', prompt('b', { prompt_id: 'p2' }), 2],
    ['a program that drives the agent', prompt('b', { source: 'sdk', prompt_id: 'p2' }), 2],
  ])('%s', async (_, payload, turn) => {
    const world = watched();
    await world.ask(prompt('a', { prompt_id: 'p1' }));
    await world.ask(payload);
    expect(await world.ask()).toEqual(both(turn));
    expect(world.looks).toBe(0);
  });
});

it.each<[string, readonly string[], boolean]>([
  ['a long transcript without a prompt', [filler(70_000)], true],
  ['one that grew long', [filler(40_000), filler(40_000)], true],
  ['a short one', [filler(10_000)], false],
  ['a prompt in a long one', [said('a') + filler(70_000)], false],
  ['a prompt event after it', [filler(70_000), ''], false],
])('drift: %s', async (_, texts, adrift) => {
  const world = watched();
  for (const text of texts) {
    appendFileSync(transcript, text);
    await world.ask(text === '' ? prompt('a') : {});
  }
  expect(isAdrift(world.engine.store.get(turnId('s1'), NOW) ?? '')).toBe(adrift);
});
