import { expect, it } from 'vitest';
import rule from './repeated-failure.ts';
import { activate, promptEvent, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import type { Event } from '../../event/event.ts';

const subagent = { id: 'a', type: 'general' };
const fails = (command = 'npm test', more: Partial<Event> = {}) =>
  toolEvent({ command, failed: true, error: 'Exit code 1' }, { name: 'tool.failed', ...more });
const works = (command = 'npm test') => toolEvent({ command }, { name: 'tool.after' });

it.each<[string, Event[], boolean]>([
  ['three times the same', [fails(), fails(), fails()], true],
  ['six times the same', [fails(), fails(), fails(), fails(), fails(), fails()], true],
  ['twice', [fails(), fails()], false],
  ['four times, since the third told it', [fails(), fails(), fails(), fails()], false],
  ['three different commands', [fails('a'), fails('b'), fails('c')], false],
  ['a success in between', [fails(), fails(), works(), fails()], false],
  ['another command works in between', [fails(), fails(), works('ls'), fails()], true],
  ['a new turn in between', [fails(), fails(), promptEvent('again'), fails()], false],
  ['a sub-agent that fails too', [fails(), fails('npm test', { subagent }), fails()], false],
  ['an agent without a session', [1, 2, 3].map(() => fails('npm test', { hasSession: false })), false],
  ['no command', [fails(' '), fails(' '), fails(' ')], false],
])('%s', async (_, events, speaks) => {
  const engine = testEngine([activate(rule)]);
  expect((await send(engine, ...events)).notes.length > 0).toBe(speaks);
});

it('says how often and what, in one short line', async () => {
  const command = `npm test -- ${'x'.repeat(300)}\nsecond line`;
  const { notes } = await send(testEngine([activate(rule)]), fails(command), fails(command), fails(command));
  expect(notes[0]?.text).toContain('failed 3 times in this turn: `npm test -- xxx');
  expect(notes[0]?.text).not.toContain('second line');
  expect(notes[0]?.text.length).toBeLessThan(400);
});

it('speaks as soon as its option says', async () => {
  expect((await send(testEngine([activate(rule, 'advise', { after: 1 })]), fails())).notes).toHaveLength(1);
});
