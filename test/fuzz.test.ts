import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countOf } from './cases.ts';
import { EVENTS } from '../src/adapters/claude-code/names.ts';
import { isValidReply } from '../src/adapters/claude-code/reply-schema.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { answer } from '../src/transport/answer.ts';
import { EVENT_NAMES } from '../src/event/event.ts';
import { readRecorded } from './fixtures/claude-code.ts';

const HEARABLE = EVENT_NAMES.filter((name) => name !== 'unknown');
const CASES = countOf(10_000);
const EXAMPLES = fileURLToPath(new URL('../examples/rules', import.meta.url));

/** Rules that repeat whatever the payload holds, so that nearly every case has a reply to get wrong. */
const rule = (action: string, events: readonly string[], pattern: string): string => `---
event: [${events.join(', ')}]
pattern: ${pattern}
action: ${action}
---
Seen {tool}, {command}, {path}, {prompt} and {match}.
`;

let home: string;
let project: string;
let engine: OpenedEngine;
const failed = new Set<string>();

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-fuzz-')));
  project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const rules = join(home, 'fairlead/config/rules');
  cpSync(EXAMPLES, rules, { recursive: true });
  writeFileSync(join(rules, 'note.md'), rule('note', HEARABLE, '\\w'));
  writeFileSync(join(rules, 'deny.md'), rule('deny', HEARABLE, '[aeiou]{2}'));
  writeFileSync(join(rules, 'ask.md'), rule('ask', ['tool.before'], 'git'));
  const opened = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true });
  engine = {
    ...opened,
    onFailure(what, error) {
      if (what !== 'reading a payload') failed.add(`${what}: ${String(error)}`);
      opened.onFailure(what, error);
    },
  };
});
beforeEach(() => failed.clear());
afterAll(() => {
  engine.close();
  rmSync(home, { recursive: true });
});

type Fields = Record<string, unknown>;
type Change = (fields: Fields) => void;
type Damage = (bytes: Uint8Array) => Uint8Array;

const recorded = readRecorded().map(({ file, payload }) => ({ file, text: JSON.stringify(payload) }));

/** Objects of a payload down to the third level: the payload itself, its input, the edits in it. */
function objectsIn(value: unknown, depth = 0): Fields[] {
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return [value as Fields, ...Object.values(value).flatMap((each) => objectsIn(each, depth + 1))];
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % list.length];
}

/** Puts a value, given as JSON, in the place of any field, however deep. */
const replacing = (values: fc.Arbitrary<string>): fc.Arbitrary<Change> =>
  fc.tuple(fc.nat(), fc.nat(), values).map(([object, key, value]) => (fields) => {
    const place = pick(objectsIn(fields), object) ?? fields;
    const name = pick(Object.keys(place), key);
    if (name !== undefined) place[name] = JSON.parse(value);
  });

const swapping: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.nat(), fc.nat()).map(([object, a, b]) => (fields) => {
  const place = pick(objectsIn(fields), object) ?? fields;
  const [first, second] = [pick(Object.keys(place), a), pick(Object.keys(place), b)];
  if (first !== undefined && second !== undefined) [place[first], place[second]] = [place[second], place[first]];
});

const dropping: fc.Arbitrary<Change> = fc.tuple(fc.nat(), fc.nat()).map(([object, key]) => (fields) => {
  const place = pick(objectsIn(fields), object) ?? fields;
  delete place[pick(Object.keys(place), key) ?? ''];
});

const strayNames = ['', 'pretooluse', 'PreToolUse ', 'Stop\u0000', '__proto__', 'constructor', 'toString'];
const renaming: fc.Arbitrary<Change> = fc
  .oneof(fc.constantFrom(...EVENTS.map(({ name }) => name), ...strayNames), fc.string())
  .map((name) => (fields) => void (fields['hook_event_name'] = name));

const halves = fc.constantFrom('\ud83d', '\ude00', '\ud83d\ude00', 'é', '\u0000', '\u202e', 'a', 'git');
const texts = fc
  .oneof(
    fc.array(halves).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  )
  .map((text) => JSON.stringify(text));
const hugeTexts = fc
  .tuple(
    fc.constantFrom('x', 'git push --force ', '\ud83d', '<<<<<<< ', '"\\'),
    fc.integer({ min: 1_000, max: 30_000 }),
  )
  .map(([text, times]) => JSON.stringify(text.repeat(times)));
const nests = fc
  .tuple(fc.constantFrom(['[', ']'], ['{"command":', '}']), fc.integer({ min: 1, max: 3_000 }))
  .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}"core"${close.repeat(depth)}`);

const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: replacing(fc.json()), weight: 4 },
  { arbitrary: replacing(texts), weight: 4 },
  { arbitrary: replacing(nests), weight: 1 },
  { arbitrary: replacing(hugeTexts), weight: 1 },
  { arbitrary: renaming, weight: 2 },
  { arbitrary: swapping, weight: 2 },
  { arbitrary: dropping, weight: 2 },
);

const damage: fc.Arbitrary<Damage> = fc.oneof(
  { arbitrary: fc.constant<Damage>((bytes) => bytes), weight: 6 },
  { arbitrary: fc.nat().map((at) => (bytes: Uint8Array) => bytes.subarray(0, at % bytes.length)), weight: 2 },
  {
    arbitrary: fc
      .array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((flips) => (bytes: Uint8Array) => {
        const copy = Uint8Array.from(bytes);
        for (const [at, byte] of flips) copy[at % copy.length] = byte;
        return copy;
      }),
    weight: 2,
  },
  { arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => () => bytes), weight: 1 },
);

const mutated = fc.tuple(fc.constantFrom(...recorded), fc.array(change, { maxLength: 3 }), damage);

/** The event as the agent that sent these bytes would name it. */
function eventOf(bytes: Uint8Array): string {
  try {
    const fields = JSON.parse(new TextDecoder().decode(bytes)) as Fields | null;
    const names = [fields?.['hook_event_name'], fields?.['hookEventName']];
    return names.find((name): name is string => typeof name === 'string' && name !== '') ?? '';
  } catch {
    return '';
  }
}

let count = 0;
/** Under a session and a call of its own, since a copy of an event is not told anything twice. */
function fresh(text: string): Fields {
  count += 1;
  const fields = JSON.parse(text.replaceAll('/home/dev/project', project)) as Fields;
  return {
    ...fields,
    session_id: `session-${count}`,
    ...('tool_use_id' in fields ? { tool_use_id: `call-${count}` } : {}),
  };
}

async function ask(body: Uint8Array): Promise<string> {
  const { stdout, exitCode } = await answer(
    { agent: 'claude-code', body, size: body.length, cwd: project, home, env: {} },
    engine,
  );
  expect(exitCode).toBe(0);
  return stdout;
}

const encode = (fields: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(fields));

it(`answers ${CASES} damaged payloads as the contract allows, and none makes it fail`, async () => {
  const seen = { empty: 0, deny: 0, ask: 0, context: 0, block: 0 };
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async ([{ text }, changes, harm]) => {
      ran += 1;
      const fields = fresh(text);
      for (const apply of changes) apply(fields);
      const body = harm(encode(fields));
      const stdout = await ask(body);
      expect(isValidReply(eventOf(body), stdout), new TextDecoder().decode(body.subarray(0, 2_000))).toBe(true);
      expect([...failed]).toEqual([]);
      if (stdout === '') seen.empty += 1;
      if (stdout.includes('"permissionDecision":"deny"')) seen.deny += 1;
      if (stdout.includes('"permissionDecision":"ask"')) seen.ask += 1;
      if (stdout.includes('"additionalContext"')) seen.context += 1;
      if (stdout.includes('"decision":"block"')) seen.block += 1;
    }),
    { numRuns: CASES },
  );
  // Few cases, by default or because a budget has ended them, say nothing of chance.
  if (ran < 1_000) return;
  // Enough of each kind that none goes untested; how many there are is up to chance.
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(ran / 1_000);
  expect(seen.empty).toBeLessThan(ran * 0.8);
});

describe('a recorded payload', () => {
  it.each(recorded.map(({ file, text }) => [file, text]))(
    '%s, cut at each of its first and last 100 bytes',
    async (_, text) => {
      const bytes = encode(fresh(text));
      for (let at = 0; at <= bytes.length; at += at === 100 ? Math.max(1, bytes.length - 200) : 1) {
        const body = bytes.subarray(0, at);
        expect(isValidReply(eventOf(body), await ask(body))).toBe(true);
      }
      expect([...failed]).toEqual([]);
    },
  );
});

it('has kept count of the payloads that it could not read, and of no other failure', () => {
  const kinds = new Set(engine.failures.read().map(({ what }) => what));
  expect([...kinds]).toEqual(['reading a payload']);
  expect(readFileSync(join(home, 'fairlead/state/failures.jsonl'), 'utf8').length).toBeLessThan(400_000);
});
