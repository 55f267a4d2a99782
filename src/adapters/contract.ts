import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../test/cases.ts';
import { NO_SETUP } from '../event/agent-setup.ts';
import { EVENT_NAMES } from '../event/event.ts';
import type { Event, EventName, HookCall } from '../event/event.ts';
import type { Action, Decision, Note } from '../event/verdict.ts';
import { ACTIONS, NEUTRAL } from '../event/verdict.ts';
import type { Adapter, Capabilities } from './adapter.ts';

/** One recorded payload and the event it must become. */
export interface Fixture {
  readonly file: string;
  readonly canonical: EventName;
  readonly payload: unknown;
  /** The event that the command line names, where the payload does not. */
  readonly hint?: string;
}

export interface ContractOptions {
  readonly fixtures: readonly Fixture[];
  /** Says what is wrong with a reply to the agent's event, from the agent's documentation and not from the adapter. */
  readonly isValidReply: (agentEvent: string, stdout: string) => true | string;
}

const KINDS: readonly (keyof Capabilities)[] = ['allow', 'rewrite', 'ask', 'deny', 'note', 'warn'];

export function callOf(payload: unknown, more: Partial<HookCall> = {}): HookCall {
  return { payload, cwd: '/home/dev/project', home: '/home/dev', depth: 0, receivedAt: 1, ...more };
}

export function noteOf(text: string): Note {
  return { rule: 'pack/rule', text, priority: 50 };
}

export function decisionOf(action: Action, more: Partial<Decision> = {}): Decision {
  return { action, by: action === 'pass' ? [] : ['pack/rule'], notes: [], warns: [], ...more };
}

/** The decision that holds this one verdict, with `text` wherever the verdict has one. */
export function decisionWith(kind: keyof Capabilities, text: string): Decision {
  if (kind === 'note') return { ...NEUTRAL, notes: [noteOf(text)] };
  if (kind === 'warn') return { ...NEUTRAL, warns: [noteOf(text)] };
  if (kind === 'rewrite') return decisionOf(kind, { input: { command: text } });
  return decisionOf(kind, { reason: text });
}

/** The suite that every adapter passes. */
export function testAdapter(adapter: Adapter, { fixtures, isValidReply }: ContractOptions): void {
  const emptyEvents = adapter.events.map((event) => adapter.parse(callOf({}, { eventHint: event.name })));

  describe(`${adapter.name}: events`, () => {
    it('has distinct names and knows each by the hint of the command line', () => {
      expect(new Set(adapter.events.map((event) => event.name)).size).toBe(adapter.events.length);
      expect(emptyEvents.map((event) => event.name)).toEqual(adapter.events.map((event) => event.canonical));
    });

    it('states what becomes of every verdict on every event', () => {
      for (const name of EVENT_NAMES) {
        expect(Object.keys(adapter.capabilities(name)).sort()).toEqual([...KINDS].sort());
      }
      expect(new Set(Object.values(adapter.capabilities('unknown')))).toEqual(new Set(['none']));
    });

    it('marks tools with what a definition can carry: plain data under keys with a prefix of their own', () => {
      const { toolMeta = {} } = adapter;
      expect(JSON.parse(JSON.stringify(toolMeta))).toEqual(toolMeta);
      for (const key of Object.keys(toolMeta)) expect(key).toMatch(/^[a-z][\w.-]*\/\w+$/);
    });
  });

  describe(`${adapter.name}: recorded payloads`, () => {
    it.each(fixtures.map((fixture) => [fixture.file, fixture] as const))('%s', (_, fixture) => {
      const before = JSON.stringify(fixture.payload);
      const parse = (payload: unknown): Event =>
        adapter.parse(callOf(payload, fixture.hint === undefined ? {} : { eventHint: fixture.hint }));
      const event = parse(fixture.payload);
      expect(event.name).toBe(fixture.canonical);
      expect(event.agent).toBe(adapter.name);
      expect(event.hasSession).toBe(true);
      expect(parse(fixture.payload)).toEqual(event);
      expect(JSON.stringify(fixture.payload)).toBe(before);
      expect(parse({ ...(fixture.payload as object), fieldOfTomorrow: { a: [1] } })).toEqual(event);
    });
  });

  describe(`${adapter.name}: replies`, () => {
    it.each(emptyEvents.map((event) => [event.agentEvent, event] as const))('%s', (agentEvent, event) => {
      for (const decision of everyDecision()) {
        const reply = adapter.render(decision, event);
        expect(reply.exitCode).toBe(0);
        const verdict = isValidReply(agentEvent, reply.stdout);
        if (verdict !== true)
          throw new Error(`${verdict}\n${reply.stdout}\nfor ${JSON.stringify(decision)}`.slice(0, 2000));
      }
      expect(adapter.render(NEUTRAL, event).stdout).toBe('');
    });

    it('delivers a verdict where the table says so and nothing where it says none', () => {
      const broken = emptyEvents.flatMap((event) =>
        KINDS.filter((kind) => {
          const { stdout } = adapter.render(decisionWith(kind, 'the exact words'), event);
          const reach = adapter.capabilities(event.name)[kind];
          if (reach === 'none') return stdout !== '';
          if (reach !== 'enforced' || kind === 'rewrite') return !stdout.includes('the exact words');
          // An enforced ask may be the agent's own question, left alone; an enforced deny may have no room for words.
          return kind !== 'ask' && stdout === '';
        }).map((kind) => `${kind} on ${event.name}`),
      );
      expect(broken).toEqual([]);
    });

    it('says nothing about an event it does not know', () => {
      const event = adapter.parse(callOf({}, { eventHint: 'EventOfTomorrow' }));
      expect(event.name).toBe('unknown');
      for (const decision of everyDecision()) expect(adapter.render(decision, event).stdout).toBe('');
    });
  });

  describe(`${adapter.name}: garbage`, () => {
    const { readSetup, peek, transcripts, projectTranscripts, environment } = adapter;
    const text = fc.oneof(fc.json({ maxDepth: 4 }), fc.string());

    it('reads a setup out of whatever its settings hold', () => {
      const location = { root: '/home/dev/project', home: '/home/dev', env: {} };
      const texts = fc.infiniteStream(fc.option(text, { nil: undefined }));
      fc.assert(
        fc.property(texts, (each) => {
          const readText = () => each.next().value as string | undefined;
          const { servers, hooks } = readSetup?.(location, { readText }) ?? NO_SETUP;
          const read = [...servers.flatMap((one) => [one.name, one.prefix]), ...hooks.map(({ command }) => command)];
          expect(read.every((one) => typeof one === 'string')).toBe(true);
        }),
      );
    });

    it('reads whatever else it may be given', () => {
      fc.assert(
        fc.property(text, (some) => {
          peek?.(some);
          transcripts?.reader(() => some)(some);
          transcripts?.sessionOf(some);
          projectTranscripts?.readLine(some);
          expect(projectTranscripts?.promptsIn(some) ?? 0).toBeGreaterThanOrEqual(0);
          expect(projectTranscripts?.usageIn(some)?.tokens ?? 0).toBeGreaterThanOrEqual(0);
          environment?.read(Object.fromEntries(environment.variables.map((name) => [name, some])));
        }),
      );
    });

    it('tells nothing through an environment without its variables, and its project by one of them', () => {
      if (!environment) return;
      const { variables, projectDir, read } = environment;
      expect(read({})).toEqual({});
      expect(read(projectDir === undefined ? {} : { [projectDir]: '/p' }).projectDir).toBe(projectDir && '/p');
      expect(variables).toEqual(expect.arrayContaining(projectDir === undefined ? [] : [projectDir]));
    });

    it('never throws and always answers validly', () => {
      const names = adapter.events.map((event) => event.name);
      const decisions = everyDecision();
      fc.assert(
        fc.property(damaged(fixtures), fc.constantFrom(...names, 'x', ''), fc.nat(), (payload, eventHint, pick) => {
          const event = adapter.parse(callOf(payload, { eventHint }));
          if (!EVENT_NAMES.includes(event.name)) throw new Error(`not an event: ${event.name}`);
          if (event.session === '' || typeof event.cwd !== 'string') throw new Error('no session or no place');
          const decision = decisions[pick % decisions.length] ?? NEUTRAL;
          const { stdout } = adapter.render(decision, event);
          const verdict = isValidReply(event.name === 'unknown' ? '' : event.agentEvent, stdout);
          expect(verdict, stdout.slice(0, 300)).toBe(true);
        }),
        cases(12_000),
      );
    });
  });
}

/** Every action with every company it can come in, including texts far over any cap. */
function everyDecision(): readonly Decision[] {
  const short = [noteOf('first note'), noteOf('second note')];
  const long = [noteOf(`${'a line of the note\n'.repeat(700)}end`), noteOf('x'.repeat(20_000))];
  const braces = [noteOf('{"looks":"like JSON"}')];
  const decisions: Decision[] = [];
  for (const action of ACTIONS) {
    for (const reason of [undefined, '', ' \n', 'because', '\u{1F9ED}'.repeat(8_000)]) {
      for (const input of [undefined, { command: 'x'.repeat(12_000) }]) {
        for (const notes of [[], short, long, braces]) {
          for (const warns of [[], short, long]) {
            const by = action === 'pass' ? [] : ['pack/rule'];
            decisions.push({
              action,
              by,
              notes,
              warns,
              ...(reason === undefined ? {} : { reason }),
              ...(input ? { input } : {}),
            });
          }
        }
      }
    }
  }
  return decisions;
}

/** Anything at all, and recorded payloads with a value replaced, a key lost, a key respelt, or the end cut off. */
function damaged(fixtures: readonly Fixture[]): fc.Arbitrary<unknown> {
  const fixture = fc.constantFrom(...fixtures).map((one) => one.payload);
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.anything({ maxDepth: 2 }),
    fc.constantFrom('', '~', 'file://%', '{', '__proto__'),
  );
  return fc.oneof(
    { weight: 1, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }) },
    {
      weight: 3,
      arbitrary: fc.tuple(fixture, fc.nat(), value).map(([payload, at, put]) => changeAt(payload, at, () => put)),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fixture, fc.nat()).map(([payload, at]) => changeAt(payload, at, () => undefined)),
    },
    { weight: 1, arbitrary: fixture.map(respell) },
    { weight: 1, arbitrary: fc.tuple(fixture, fc.nat()).map(([payload, at]) => truncate(JSON.stringify(payload), at)) },
  );
}

/** A copy with the n-th value, counted through all levels, replaced; `undefined` removes its key. */
function changeAt(payload: unknown, n: number, change: () => unknown): unknown {
  let left = n % (countValues(payload) || 1);
  const walk = (value: unknown): unknown => {
    if (left-- === 0) return change();
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(payload);
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1);
}

/** The same payload in camel case. */
export function respell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(respell);
  if (typeof value !== 'object' || value === null) return value;
  const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), respell(inner)]));
}

/** A cut payload reaches the adapter as the text it is, or as whatever still parses. */
function truncate(json: string, at: number): unknown {
  const cut = json.slice(0, at % json.length);
  try {
    return JSON.parse(`${cut}"}`) as unknown;
  } catch {
    return cut;
  }
}
