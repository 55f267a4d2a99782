import { describe, expect, it } from 'vitest';
import { NOW, promptEvent, ROOT, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { isSameAgent, ownersFor } from './scope.ts';
import { tellTurn } from './turn.ts';
import type { Event } from '../../event/event.ts';
import { Draft } from '../../state/draft.ts';

const subagent = { id: 'a1', type: 'general' };

describe('ownersFor', () => {
  it('gives every scope its owner', async () => {
    const engine = testEngine([]);
    await send(engine, promptEvent('a'), promptEvent('b'));
    const owners = (event: Event) =>
      ownersFor(
        event,
        { root: ROOT, repository: '/home/dev/main/.git' },
        () => '2027-01-15',
        tellTurn(event, new Draft(engine.store, NOW)),
      );
    expect(owners(toolEvent())('session')).toBe('s1');
    expect(owners(toolEvent())('turn')).toBe('s1\u001emain\u001e2');
    expect(owners(toolEvent({}, { subagent }))('turn')).toBe('s1\u001ea1\u001e1');
    expect(owners(toolEvent())('day')).toBe(`${ROOT}\u001e2027-01-15`);
    expect(owners(toolEvent())('workspace')).toBe(ROOT);
    expect(owners(toolEvent())('repository')).toBe('/home/dev/main/.git');
    expect(owners(toolEvent())('user')).toBe('');
  });
});

describe('isSameAgent', () => {
  it.each([
    ['s1\u001emain\u001e2', 's1\u001emain\u001e10', true],
    ['s1\u001emain\u001e2', 's1\u001emain\u001eunknown', true],
    ['s1\u001emain\u001e2', 's1\u001ea1\u001e2', false],
    ['s1\u001emain\u001e2', 's2\u001emain\u001e2', false],
    ['one', 'other', false],
  ])('%j and %j: %s', (one, other, same) => expect(isSameAgent(one, other)).toBe(same));
});
