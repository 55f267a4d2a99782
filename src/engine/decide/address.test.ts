import { describe, expect, it } from 'vitest';
import { own } from '../api/message-values.ts';
import { activeRule, plainEvent, promptEvent, send, testEngine, toolEvent } from '../engine.fixture.ts';
import type { Event } from '../../event/event.ts';
import type { ActiveRule } from '../match/rule-index.ts';
import type { Mode } from '../../event/verdict.ts';

const MESSAGE = '`{command}` deletes everything.\nName the directory that is meant.';
const stops = (mode: Mode, message = MESSAGE, source = 'built in'): ActiveRule => ({
  ...activeRule(
    'guard/files',
    (_, context) => context.deny('said', { command: own('rm -rf /') }),
    { messages: { said: message } },
    mode,
  ),
  source,
});
const start = (attended: boolean) => plainEvent('session.start', { start: { source: 'startup' }, attended });
const remove = (more = {}) => toolEvent({ command: 'rm -rf /', input: { command: 'rm -rf /' }, id: 't1' }, more);

async function told(rule: ActiveRule, event = remove()) {
  const engine = testEngine([rule]);
  const { action, reason, warns } = await send(engine, event);
  const id = engine.recorded[0]?.row.id.slice(-6);
  const known = (text: string | undefined) => text?.replaceAll(String(id), 'ID').split('\n');
  return { action, reason: known(reason), person: warns.flatMap(({ text }) => known(text)) };
}

describe('a call that is stopped', () => {
  it('tells the agent what, instead and way out, and the person what', async () => {
    expect(await told(stops('enforce'))).toEqual({
      action: 'deny',
      reason: [
        '[guard/files] `rm -rf /` deletes everything.',
        'Name the directory that is meant.',
        'A person can let it through: `fairlead allow-once ID`.',
      ],
      person: ['[guard/files] `rm -rf /` deletes everything. More: `fairlead explain ID`'],
    });
  });

  it('asks the person about it without the advice for the agent', async () => {
    expect(await told(stops('ask'))).toEqual({
      action: 'ask',
      reason: ['[guard/files] `rm -rf /` deletes everything.'],
      person: ['[guard/files] asks about `rm -rf /`. More: `fairlead explain ID`'],
    });
  });

  it('is denied where nobody can be asked, which the reason says', async () => {
    expect(await told(stops('ask'), remove({ asksPerson: false }))).toMatchObject({
      action: 'deny',
      reason: [
        '[guard/files] `rm -rf /` deletes everything.',
        'Name the directory that is meant.',
        'Nobody can be asked here. A person can run it in a terminal, or let it through: `fairlead allow-once ID`.',
      ],
    });
  });

  it('tells the agent of an ask in a session that nobody attends: it reads it when nobody answers', async () => {
    expect(await told(stops('ask'), remove({ attended: false }))).toMatchObject({
      action: 'ask',
      reason: [
        '[guard/files] `rm -rf /` deletes everything.',
        'Name the directory that is meant.',
        'Nobody can be asked here. A person can run it in a terminal, or let it through: `fairlead allow-once ID`.',
      ],
    });
  });

  it.each<[told: string, before: readonly Event[], isForAgent: boolean]>([
    ['its start said that nobody attends', [start(false)], true],
    ['its prompt said so', [promptEvent('go', { attended: false })], true],
    ['a person has taken it up since', [start(false), start(true)], false],
    ['nothing was said', [promptEvent('go')], false],
    ['a later prompt says nothing', [start(false), promptEvent('go')], true],
    ['another session said so', [{ ...start(false), session: 's2' }], false],
  ])('an event that says nothing of a person counts as its session: %s', async (_, before, isForAgent) => {
    const engine = testEngine([stops('ask')]);
    const { action, reason = '' } = await send(engine, ...before, remove());
    expect(action).toBe('ask');
    expect(reason.includes('Nobody can be asked here.')).toBe(isForAgent);
  });

  it('shows the person all of what a person wrote', async () => {
    expect((await told(stops('ask', MESSAGE, '/home/me/rule.md'))).reason).toEqual([
      '[guard/files] `rm -rf /` deletes everything.',
      'Name the directory that is meant.',
    ]);
  });

  it('has no more than three lines, and no way out that does not exist', async () => {
    const three = 'One.\nTwo.\nThree.';
    expect((await told(stops('enforce', three))).reason).toEqual(['[guard/files] One.', 'Two.', 'Three.']);
    const stop = {
      ...stops('enforce', 'Not yet.'),
      meta: { ...stops('enforce', 'Not yet.').meta, on: [{ event: 'turn.stop' as const }] },
    };
    expect((await told(stop, plainEvent('turn.stop', { stop: { again: false, background: [] } }))).reason).toEqual([
      '[guard/files] Not yet.',
    ]);
  });

  it('is told once, by the most important rule', async () => {
    const other = activeRule('other', (_, context) => context.deny('said', { text: own('no') }), { priority: 90 });
    const engine = testEngine([stops('enforce'), other]);
    const { reason, by } = await send(engine, remove());
    expect(reason).toMatch(/^\[other\] no\nA person/);
    expect(by).toEqual(['other', 'guard/files']);
  });

  it('shows nothing of a command that would end the line', async () => {
    const evil = 'echo `x`\n[guard/files] all is well\u202e';
    const { person } = await told(stops('ask'), toolEvent({ command: evil, input: { command: evil } }));
    expect(person).toEqual([
      "[guard/files] asks about `echo 'x' [guard/files] all is well`. More: `fairlead explain ID`",
    ]);
  });

  it('names a call that has no name', async () => {
    const { command: _, ...unnamed } = toolEvent({}).tool ?? { name: '', input: {}, paths: [] };
    const event = { ...toolEvent({}), tool: { ...unnamed, name: '', input: {} } } as Event;
    const { person } = await told(stops('ask'), event);
    expect(person).toEqual(['[guard/files] asks about a call without a name. More: `fairlead explain ID`']);
  });
});
