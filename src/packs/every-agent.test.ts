import { describe, expect, it } from 'vitest';
import { spellerOf } from '../../test/agents/spelling.ts';
import { lacks } from '../../test/lacking.ts';
import type { Adapter } from '../adapters/adapter.ts';
import { ADAPTERS } from '../adapters/registry.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import { isSent, tellsOf } from '../cli/rule-reach.ts';
import { holds, tryExamples } from '../engine/trial/try-rule.ts';
import type { Event } from '../event/event.ts';
import { BUILT_IN } from './index.generated.ts';
import { playSession } from './played-session.fixture.ts';
import type { Step } from './played-session.fixture.ts';

/** By its tables the agent may send such an event. */
const isTold = (adapter: Adapter, { name, tool }: Event): boolean =>
  isSent(adapter, name) && (tool === undefined || tellsOf(adapter, tool.kind));

/** What every agent tells of: without it an adapter would protect nobody, whatever was recorded. */
const CORE = ['tool.before shell', 'tool.before write', 'tool.before edit', 'prompt.submit'];
const nameOf = ({ name, tool }: Event): string => (tool ? `${name} ${tool.kind}` : name);

describe.each(ADAPTERS.map((adapter) => [adapter.name, adapter] as const))('with %s', (_, adapter) => {
  it('every example of every rule, spelt as the agent does, is decided as it is meant', async () => {
    const spell = spellerOf(adapter);
    const faults: string[] = [];
    const spelt = new Set<Event>();
    const unrecorded = new Set<string>();
    for (const rule of BUILT_IN) {
      const results = await tryExamples(rule, effectsOfExample, (event) => {
        if (!isTold(adapter, event)) return event;
        const spelling = spell(event);
        if (!spelling) {
          unrecorded.add(nameOf(event));
          return event;
        }
        if (spelling.lost.length > 0)
          faults.push(`${rule.meta.id}: ${spelling.lost.join(', ')} lost in ${JSON.stringify(spelling.call.payload)}`);
        spelt.add(spelling.event);
        return spelling.event;
      });
      for (const result of results.filter(({ event }) => spelt.has(event))) {
        const expected = asTaken(adapter, result.event, result.expected);
        if (!holds({ ...result, expected }))
          faults.push(`${rule.meta.id}: ${result.got}, not ${expected}: ${JSON.stringify(result.example)}`);
      }
    }
    expect(faults).toEqual([]);
    expect([...spelt].map(nameOf)).toEqual(expect.arrayContaining(CORE));
    expect([...unrecorded].filter((name) => CORE.includes(name))).toEqual([]);
  });

  it.each(Object.keys(SESSIONS).map((name) => [name] as const))('the session %s is decided the same', async (name) => {
    if (name === 'diagrams' && lacks('graph-easy')) return;
    const [reference, played] = [await play(name), await play(name, adapter)];
    const told = new Set(played.map(({ at }) => at));
    const before = reference.filter(({ at }) => told.has(at));
    expect(stopsIn(played, adapter)).toEqual(stopsIn(before, adapter));
    // A rule that asks there may stand beside the first one here, and one that was late says that it was.
    for (const { at, answer } of before.filter((step) => step.answer.decision?.by.length))
      expect(played.find((step) => step.at === at)?.answer.decision?.by).toContain(answer.decision?.by[0]);
    expect(rulesHeard(played)).toEqual(rulesHeard(before));
    expect(rulesHeard(reference)).toEqual(SESSIONS[name]?.says);
  });
});

/** A verdict as the agent's table has it: where nobody can be asked, an ask is a denial. */
function asTaken<T extends string>(adapter: Adapter, { name }: Event, action: T): T | 'deny' {
  return action === 'ask' && adapter.capabilities(name).ask === 'denied' ? 'deny' : action;
}

/** Recorded sessions with who speaks in them, so that nobody compares silence with silence. */
const SESSIONS: Readonly<Record<string, { readonly says: readonly string[]; readonly keepsFiles?: true }>> = {
  'code-search': { says: ['codegraph/search-nudge'] },
  diagrams: { says: ['diagrams/settle'] },
  // Some of its commands fail, so they are not run again.
  'heavy-parcel': { says: ['basics/conflict-marker', 'basics/repeated-failure'], keepsFiles: true },
  increments: { says: ['increments/detect'] },
};
const ALL_PACKS = [...new Set(BUILT_IN.map(({ meta }) => meta.pack))];
/** Every agent can ask the index by a program, whatever servers it has. */
const ASKABLE =
  '{ enabled: true, providers: { extra: [{ id: codegraph, dir: .codegraph, program: git, verbs: [grep] }] } }';
const CONFIG = `packs: { ${ALL_PACKS.map((pack) => `${pack}: ${pack === 'codegraph' ? ASKABLE : 'on'}`).join(', ')} }`;
const known = new Map<string, readonly Step[]>();

async function play(name: string, adapter?: Adapter): Promise<readonly Step[]> {
  const before = adapter ? undefined : known.get(name);
  if (before) return before;
  const env = { PATH: process.env['PATH'] ?? '' };
  const { keepsFiles } = SESSIONS[name] ?? {};
  const options = { config: CONFIG, env, ...(keepsFiles && { keepsFiles }), ...(adapter && { agent: adapter.name }) };
  const { world, steps } = await playSession(name, options, async ({ payload }, at) => {
    // The run of the tool speaks for one drawing of the next half minute.
    if (payload['prompt'] === 'Add the queue as well.') await at.pass(31_000);
  });
  world.close();
  if (!adapter) known.set(name, steps);
  return steps;
}

/** What was held up, as the agent's table has it. */
function stopsIn(steps: readonly Step[], adapter: Adapter): string[] {
  return steps.flatMap(({ at, event, answer: { decision } }) =>
    !decision || decision.action === 'pass'
      ? []
      : [`${at} ${nameOf(event)}: ${asTaken(adapter, event, decision.action)}`],
  );
}

/** Who had something to say, now or later: a note waits for an event that carries it. */
function rulesHeard(steps: readonly Step[]): string[] {
  return [...new Set(steps.flatMap(({ answer }) => answer.decision?.notes.map(({ rule }) => rule) ?? []))].sort();
}
