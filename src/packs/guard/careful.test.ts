import { expect, it } from 'vitest';
import rule from './careful.ts';
import { activeRule, NOW, promptEvent, ROOT, send, testEngine, toolEvent } from '../../engine/engine.fixture.ts';
import { takeGrant } from '../../engine/careful/grant.ts';
import type { RuleContext } from '../../engine/rule.ts';
import { Draft } from '../../state/draft.ts';
import type { Effect } from '../../event/effect.ts';
import type { Event } from '../../event/event.ts';

const OFF: Effect = {
  kind: 'settings',
  how: 'own-verb',
  target: 'careful off',
  seen: 'fairlead careful off',
  road: [],
};
const command = `env -u AGENT sh -c 'fairlead careful off'`;
const shell = (more: Partial<Event> = {}) => toolEvent({ id: 't1', command, input: { command } }, more);

/** The rule on these effects, whichever the engine would find. */
function engineWith(effects: readonly Effect[]) {
  return testEngine([
    activeRule(
      rule.id,
      (event, { ask, deny, pass }) => rule.check(event, { effects, ask, deny, pass } as RuleContext),
      { on: rule.on.map(({ effect: _effect, ...listen }) => listen), messages: rule.messages },
    ),
  ]);
}

it.each<[string, Effect, Partial<Event>, string]>([
  ['with a person', OFF, {}, 'ask'],
  ['with a person who is there', OFF, { attended: true }, 'ask'],
  ['with nobody, which the agent turns into a denial', OFF, { attended: false }, 'ask'],
  ['where the agent answers for the person', OFF, { asksPerson: false }, 'deny'],
  ['a pause', { ...OFF, target: 'pause', seen: 'fairlead pause' }, {}, 'ask'],
  ['a pause where nobody is asked', { ...OFF, target: 'pause' }, { asksPerson: false }, 'deny'],
  ['another verb', { ...OFF, target: 'trust' }, {}, 'pass'],
  ['settings of the agent', { ...OFF, how: 'hooks' }, {}, 'pass'],
])('%s: %s', async (_, effect, more, action) => {
  const engine = engineWith([effect]);
  expect((await send(engine, shell(more))).action).toBe(action);
  const grant = takeGrant(new Draft(engine.store, NOW), effect.target ?? '');
  if (action === 'ask') expect(grant).toMatchObject({ call: 't1', command, root: ROOT });
  else expect(grant).toBeUndefined();
});

it.each<[string, Event, string]>([
  ['an argument', toolEvent({ kind: 'mcp', input: { script: 'cd x; fairlead careful  off' } }), 'ask'],
  ['separate words', toolEvent({ kind: 'mcp', input: { argv: ['/bin/fairlead', 'careful', 'off'] } }), 'ask'],
  ['switching on', toolEvent({ kind: 'mcp', input: { argv: ['fairlead', 'careful', 'on'] } }), 'pass'],
  ['a word about it', toolEvent({ kind: 'mcp', input: { text: 'be careful, switch it off' } }), 'pass'],
  ['an expansion', { ...promptEvent('!`fairlead careful off`'), name: 'prompt.expand' }, 'ask'],
  ['a pause', toolEvent({ kind: 'mcp', input: { argv: ['fairlead', 'pause'] } }), 'ask'],
  ['a pause by a path', toolEvent({ kind: 'mcp', input: { script: './bin/fairlead pause --session x' } }), 'ask'],
  ['a word about a pause', toolEvent({ kind: 'mcp', input: { text: 'fairlead can pause' } }), 'pass'],
  ['a pause in an expansion', { ...promptEvent('!`fairlead pause`'), name: 'prompt.expand' }, 'ask'],
  ['another expansion', { ...promptEvent('be careful'), name: 'prompt.expand' }, 'pass'],
])('of another kind, %s: %s', async (_, event, action) => {
  expect((await send(engineWith([]), event)).action).toBe(action);
});

it('several verbs of one call are named together, and each is granted', async () => {
  const engine = engineWith([OFF, { ...OFF, target: 'pause', seen: 'fairlead pause' }]);
  const { reason } = await send(engine, shell());
  expect(reason).toContain(
    'because it ends careful mode and it hushes the advice of a session: "fairlead careful off; fairlead pause".',
  );
  expect(takeGrant(new Draft(engine.store, NOW), 'pause')?.verbs).toEqual(['careful off', 'pause']);
});
