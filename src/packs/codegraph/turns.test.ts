import { appendFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { ask, grep, openIndexed, seen } from '../nudge.fixture.ts';
import type { World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

const MIB = 1 << 20;
const transcript = () => `${world.home}/session-1.jsonl`;
const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const prompt = (text: string, more = {}) => line({ type: 'user', message: { role: 'user', content: text }, ...more });
const result = (text: string) =>
  line({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x', content: text }] },
  });
const said = (text: string) =>
  line({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
const markedTurns = () => Object.values(world.cells('codegraph.mark')).map((mark) => (mark as { turn: unknown }).turn);

describe('turns that only the transcript tells', () => {
  const open = async (text: string) => {
    world = await openIndexed({ turn: 0 });
    writeFileSync(transcript(), text);
  };

  it('the graph’s own result opens none', async () => {
    await open(prompt('find it'));
    await ask(world);
    appendFileSync(transcript(), result('found parseConfig'));
    expect(seen(await grep(world))).toBe('pass');
    appendFileSync(transcript(), prompt('and now'));
    expect(seen(await grep(world))).toBe('note');
  });

  it('a transcript without a prompt', async () => {
    await open(said('hello'));
    await ask(world);
    expect(markedTurns()).toEqual(['unknown']);
    expect(seen(await grep(world))).toBe('pass');
  });

  it('a long one, whose last part has two prompts', async () => {
    await open(prompt('first') + said('x'.repeat(1.5 * MIB)) + prompt('second') + said('y') + prompt('third'));
    await ask(world);
    expect(seen(await grep(world))).toBe('pass');
    expect(markedTurns()).toEqual([2]);
  });

  it('the turn rises while old prompts leave the window', async () => {
    await open(prompt('a') + prompt('b') + prompt('c'));
    await ask(world);
    expect(seen(await grep(world))).toBe('pass');
    appendFileSync(transcript(), said('x'.repeat(MIB)) + prompt('d'));
    expect(seen(await grep(world))).toBe('note');
    await ask(world);
    expect(markedTurns()).toEqual([4]);
  });

  it.each<[row: string, text: string]>([
    ['output that quotes a line', result('{"type":"user","message":{"content":"hi"}}')],
    ['a message that quotes a line', said('"type":"user"')],
    ['a line of the client', prompt('x', { isMeta: true })],
    ['a side chain', prompt('x', { isSidechain: true })],
    ['a summary', prompt('x', { isCompactSummary: true })],
    ['a notification', prompt('<task-notification>done</task-notification>')],
  ])('%s opens none', async (_, text) => {
    await open(prompt('find it'));
    await ask(world);
    appendFileSync(transcript(), text);
    expect(seen(await grep(world))).toBe('pass');
  });

  it('the first prompt event goes on from there', async () => {
    await open(prompt('a') + prompt('b'));
    await ask(world);
    expect(markedTurns()).toEqual([2]);
    await world.prompt('c');
    expect(seen(await grep(world))).toBe('note');
    await ask(world);
    expect(markedTurns()).toEqual([3]);
  });

  it('where nothing tells turns apart there is one note in a session', async () => {
    world = await openIndexed({ turn: 0 });
    expect([await grep(world), await grep(world)].map(seen)).toEqual(['note', 'pass']);
    await world.event('Stop', {});
    expect(seen(await grep(world))).toBe('pass');
  });
});

describe('turns that the agent tells', () => {
  it('a notification with a new id opens none', async () => {
    world = await openIndexed();
    await ask(world);
    await world.prompt('<task-notification>done</task-notification>', { prompt_id: 'new' });
    expect(seen(await grep(world))).toBe('pass');
  });

  it.each(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event'])('a prompt from %s opens none', async (source) => {
    world = await openIndexed();
    await ask(world);
    await world.prompt('go on', { source });
    expect(seen(await grep(world))).toBe('pass');
  });

  it('one that comes twice opens one', async () => {
    world = await openIndexed();
    await world.prompt('again', { prompt_id: 'same' });
    await ask(world);
    await world.prompt('again', { prompt_id: 'same' });
    expect(markedTurns()).toEqual([5]);
    expect(seen(await grep(world))).toBe('pass');
  });
});

describe('what it takes to tell the turn', () => {
  const opened = async (mode: 'event' | 'transcript', bytes: number) => {
    world = await openIndexed({ turn: mode === 'event' ? 4 : 0 });
    writeFileSync(transcript(), prompt('a') + said('x'.repeat(bytes)) + prompt('b'));
    let read = 0;
    const { files } = world.engine;
    world.engine = {
      ...world.engine,
      files: {
        ...files,
        readRange: (path, from, length) => {
          const found = files.readRange(path, from, length);
          read += found?.length ?? 0;
          return found;
        },
      },
    };
    const from = world.work.open.length;
    expect(seen(await grep(world))).toBe('note');
    const touched = world.work.open.slice(from).filter((path) => path === transcript());
    return { read, touched: touched.length };
  };

  it('nothing where the agent tells of prompts', async () => {
    expect(await opened('event', 32 * MIB)).toEqual({ read: 0, touched: 0 });
  });

  it.each([1_024, 32 * MIB])('at most a mebibyte of a transcript of %i bytes', async (bytes) => {
    const { read } = await opened('transcript', bytes);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(MIB);
  });
});
