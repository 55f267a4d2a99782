import { describe, expect, it } from 'vitest';
import { plainEvent, NOW, promptEvent, ROOT, send, testEngine, toolEvent } from './engine.fixture.ts';
import { ownersFor, readTurn } from './scope.ts';
import type { Event } from '../event/event.ts';
import { cellId } from '../state/cells.ts';
import { Draft } from '../state/draft.ts';

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

describe('ownersFor', () => {
  it('gives every scope its owner', async () => {
    const engine = testEngine([]);
    await send(engine, promptEvent('a'), promptEvent('b'));
    const owners = (event: Event) => ownersFor(event, ROOT, () => '2027-01-15', new Draft(engine.store, NOW));
    expect(owners(toolEvent())('session')).toBe('s1');
    expect(owners(toolEvent())('turn')).toBe('s1\u001emain\u001e2');
    expect(owners(toolEvent({}, { subagent }))('turn')).toBe('s1\u001ea1\u001e1');
    expect(owners(toolEvent())('day')).toBe(`${ROOT}\u001e2027-01-15`);
    expect(owners(toolEvent())('workspace')).toBe(ROOT);
    expect(owners(toolEvent())('user')).toBe('');
  });
});
