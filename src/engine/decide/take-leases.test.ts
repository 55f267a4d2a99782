import { beforeEach, describe, expect, it } from 'vitest';
import { activeRule, NOW, plainEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { TestEngine } from '../engine.fixture.ts';
import type { LeaseLink, RuleLease } from '../../event/lease.ts';
import type { Event } from '../../event/event.ts';
import type { Mode } from '../../event/verdict.ts';
import { createMemoryStore } from '../../state/memory.ts';
import type { Store } from '../../state/store.ts';
import { cellId } from '../../state/cells.ts';
import { createMemoryServer } from '../../team/state/server.fixture.ts';
import type { MemoryServer } from '../../team/state/server.fixture.ts';
import { LEASE, parseHeld } from '../session/leases.ts';

const LEASE_OF: RuleLease = { name: 'deploy', for: '10m' };
const deploy = (lease: RuleLease = LEASE_OF, mode: Mode = 'enforce') =>
  activeRule(
    'test/deploy',
    ({ tool }, { deny, pass }) =>
      tool?.command === 'deploy' ? deny('said', { text: 'One at a time' }) : pass('no deploy'),
    { lease, on: [{ event: 'tool.before', tool: ['shell'] }] },
    mode,
  );
const call = (session: string, more: Partial<Event['tool']> = {}, event: Partial<Event> = {}) =>
  toolEvent({ command: 'deploy', id: `call-${session}`, ...more }, { session, ...event });
const done = (session: string, more: Partial<Event['tool']> = {}) => call(session, more, { name: 'tool.after' });

describe('a lease of one machine', () => {
  let store: Store;
  const engines = (lease?: RuleLease) =>
    [1, 2].map(() => testEngine([deploy(lease)], { store })) as [TestEngine, TestEngine];
  beforeEach(() => {
    store = createMemoryStore();
  });

  it('lets one session pass and stops the other, with who holds it and until when', async () => {
    const [one, other] = engines();
    const first = await send(one, call('first'));
    expect(first.action).toBe('pass');
    expect(first.notes.map(({ text }) => text).join()).toContain('holds the lease deploy, number 1,');
    const second = await send(other, call('second'));
    expect(second.action).toBe('deny');
    expect(second.reason).toContain('One at a time');
    expect(second.reason).toContain('session first holds the lease deploy for 10 min more, until 2027-01-15T08:10:00');
    expect(other.recorded.at(-1)?.detail.trace[0]?.shared).toBe(
      'lease deploy is held by session first for 10 min more',
    );
  });

  it('is renewed by the same session, which is told its number once', async () => {
    const [one, other] = engines();
    await send(one, call('first'));
    const again = await send(one, call('first', { id: 'b' }, { receivedAt: NOW + 300_000 }));
    expect([again.action, again.notes]).toEqual(['pass', []]);
    expect((await send(other, call('second', {}, { receivedAt: NOW + 700_000 }))).action).toBe('deny');
  });

  it.each<[string, (session: string) => Event, boolean]>([
    ['the end of its call', (session) => done(session), true],
    ['the failure of its call', (session) => call(session, {}, { name: 'tool.failed' }), true],
    ['a person who refuses the call', (session) => call(session, {}, { name: 'permission.denied' }), true],
    ['the end of the session', (session) => plainEvent('session.end', { session }), true],
    ['the end of another call', (session) => done(session, { id: 'other' }), false],
    ['a call that goes on in the background', (session) => done(session, { background: true }), false],
    ['the end of another session', () => plainEvent('session.end', { session: 'third' }), false],
  ])('%s ends it: %s', async (_, event, isFree) => {
    const [one, other] = engines();
    await send(one, call('first'), event('first'));
    expect((await send(other, call('second'))).action).toBe(isFree ? 'pass' : 'deny');
  });

  it('lasts until the last call of the session that needed it has ended', async () => {
    const [one, other] = engines();
    await send(one, call('first'), call('first', { id: 'b' }), done('first'));
    expect((await send(other, call('second'))).action).toBe('deny');
    await send(one, done('first', { id: 'b' }));
    expect((await send(other, call('second', { id: 'again' }))).action).toBe('pass');
  });

  it('ends with its time, and the next holder has a higher number', async () => {
    const [one, other] = engines();
    await send(one, call('first'));
    const later = await send(other, call('second', {}, { receivedAt: NOW + 600_001 }));
    expect(later.notes.map(({ text }) => text).join()).toContain('number 2,');
    const end = { name: 'tool.after', receivedAt: NOW + 600_002 } as const;
    await send(one, call('first', {}, end));
    expect(parseHeld(store.get(cellId('user', '', LEASE, 'deploy'), NOW))?.holder).toBe('second');
  });

  it('is not taken for what the rule lets pass, for what another rule stops, and in shadow', async () => {
    const stop = activeRule('test/stop', (_, { deny }) => deny('said', { text: 'no' }));
    await send(testEngine([deploy()], { store }), call('first', { command: 'ls' }));
    await send(testEngine([deploy(), stop], { store }), call('first', { id: 'b' }));
    await send(testEngine([deploy(LEASE_OF, 'shadow')], { store }), call('first', { id: 'c' }));
    expect(store.list('', NOW).filter(({ id }) => id.includes('lease'))).toEqual([]);
  });
});

describe('a lease of a team', () => {
  let server: MemoryServer;
  let released: string[];
  const machine = (name: string, lease: RuleLease = LEASE_OF, link: LeaseLink | undefined = linked()): TestEngine => {
    const sharing = { team: 'acme', person: 'alice', machine: name };
    const engine = testEngine([deploy(lease)], { policy: { sharing } });
    return link ? Object.assign(engine, { leases: link }) : engine;
  };
  const linked = (): LeaseLink => ({
    take: (name, holder, ttlMs) => server.takeLease(name, holder, ttlMs),
    release(name, holder) {
      released.push(`${name} ${holder}`);
      void server.releaseLease(name, holder);
    },
  });
  beforeEach(() => {
    server = createMemoryServer(() => NOW);
    released = [];
  });

  it('stops a session on another machine, until the first gives it back', async () => {
    const [laptop, desk] = [machine('laptop'), machine('desk')];
    expect((await send(laptop, call('first'))).action).toBe('pass');
    const second = await send(desk, call('second'));
    expect(second.action).toBe('deny');
    expect(second.reason).toContain('alice@laptop, session first holds the lease deploy');
    await send(laptop, done('first'));
    expect(released).toEqual(['deploy alice@laptop first']);
    expect((await send(desk, call('second', { id: 'again' }))).action).toBe('pass');
  });

  it('tells the team who holds it, by a cell that goes to the server', async () => {
    const laptop = machine('laptop');
    await send(laptop, call('first'));
    const id = cellId('team', 'acme', LEASE, 'deploy');
    const held = { holder: 'alice@laptop first', fence: 1, since: NOW, until: NOW + 600_000 };
    expect(parseHeld(laptop.store.get(id, NOW))).toEqual(held);
    expect(laptop.store.list(cellId('user', '', 'team.out'), NOW)).toHaveLength(1);
  });

  it.each<[RuleLease['else'], string, string]>([
    [undefined, 'ask', 'asked'],
    ['ask', 'ask', 'asked'],
    ['deny', 'deny', 'denied'],
    ['go on', 'pass', 'went on'],
  ])('else %s: what it does where nobody says whether it is free', async (answer, action, told) => {
    const lease: RuleLease = { ...LEASE_OF, within: '10ms', ...(answer && { else: answer }) };
    const silent: LeaseLink = { ...linked(), take: () => new Promise(() => {}) };
    server.leave();
    for (const [engine, why] of [
      [machine('a', lease, silent), 'no answer within 10ms'],
      [machine('b', lease), 'the server is away'],
      [machine('c', lease, { ...linked(), take: () => undefined }), 'no link to the server'],
    ] as const) {
      expect((await send(engine, call('first'))).action).toBe(action);
      expect(engine.recorded.at(-1)?.detail.trace[0]?.shared).toBe(`lease deploy: ${why}, ${told}`);
    }
  });

  it('is given back when the answer comes too late', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    const slow: LeaseLink = { ...linked(), take: (...given) => asked.then(() => server.takeLease(...given)) };
    expect((await send(machine('a', { ...LEASE_OF, within: '5ms' }, slow), call('first'))).action).toBe('ask');
    answer();
    await expect.poll(() => released).toEqual(['deploy alice@a first']);
  });
});
