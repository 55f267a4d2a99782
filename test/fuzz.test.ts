import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countOf, isLong } from './cases.ts';
import { EVENTS } from '../src/adapters/claude-code/names.ts';
import { peek } from '../src/adapters/claude-code/peek.ts';
import { isValidReply } from '../src/adapters/claude-code/reply-schema.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { nextTurn } from '../src/platform/timers.ts';
import { answer } from '../src/transport/answer.ts';
import type { HookRequest } from '../src/transport/answer.ts';
import { HEAD_BYTES } from '../src/transport/limits.ts';
import { EVENT_NAMES } from '../src/event/event.ts';
import { encode, mutated, recorded } from './damaged-payloads.ts';
import type { Fields } from './damaged-payloads.ts';

const HEARABLE = EVENT_NAMES.filter((name) => name !== 'unknown');
const CASES = isLong ? countOf(1_000_000) : 200;
/** A million take longer than other tests. */
const HOURS = 7_200_000;
const KNOWN = new Set(EVENTS.map(({ name }) => name));
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

beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-fuzz-')));
  project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const rules = join(home, 'fairlead/config/rules');
  cpSync(EXAMPLES, rules, { recursive: true });
  writeFileSync(join(rules, 'note.md'), rule('note', HEARABLE, '\\w'));
  writeFileSync(join(rules, 'deny.md'), rule('deny', HEARABLE, '[aeiou]{2}'));
  writeFileSync(join(rules, 'ask.md'), rule('ask', ['tool.before'], 'git'));
  const opened = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true, keeps: 'trial' });
  engine = {
    ...opened,
    onFailure(what, error) {
      if (what !== 'reading a payload') failed.add(`${what}: ${String(error)}`);
      opened.onFailure(what, error);
    },
  };
  // Once without a limit: the test runner prepares the code of a rule when it is first asked for, which takes its time.
  for (const { text } of recorded) await answer({ ...requestOf(encode(fresh(text))), withinMs: 600_000 }, engine);
});
beforeEach(() => failed.clear());
afterAll(() => {
  engine.close();
  rmSync(home, { recursive: true });
});

/** Whether the agent that sent these bytes may get this reply. What nobody can read counts as a tool call. */
function isAllowed(bytes: Uint8Array, stdout: string): boolean {
  const text = new TextDecoder().decode(bytes);
  const unread = peek(text.slice(0, HEAD_BYTES))['hook_event_name'] ?? '';
  const feared = KNOWN.has(unread) ? unread : 'PreToolUse';
  return [eventOf(text), feared].some((event) => isValidReply(event, stdout) === true);
}

function eventOf(text: string): string {
  try {
    const fields = JSON.parse(text) as Fields | null;
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

function requestOf(body: Uint8Array): HookRequest {
  return { agent: 'claude-code', body, size: body.length, cwd: project, home, env: {}, withinMs: 8_000 };
}

async function ask(body: Uint8Array): Promise<string> {
  const { stdout, exitCode } = await answer(requestOf(body), engine);
  // A daemon gets its events one by one from outside; what follows a reply is done in between.
  await nextTurn();
  expect(exitCode).toBe(0);
  return stdout;
}

it(`answers ${CASES} damaged payloads as the contract allows, and none makes it fail`, { timeout: HOURS }, async () => {
  const seen = { empty: 0, deny: 0, ask: 0, context: 0, block: 0 };
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(mutated, async ([{ text }, changes, harm]) => {
      ran += 1;
      failed.clear();
      const fields = fresh(text);
      for (const apply of changes) apply(fields);
      const body = harm(encode(fields));
      const stdout = await ask(body);
      expect(isAllowed(body, stdout), `${stdout}\n${new TextDecoder().decode(body.subarray(0, 2_000))}`).toBe(true);
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

/** Divides a hundred. */
const STEP = isLong ? 1 : 10;

describe('a recorded payload', () => {
  it.each(recorded.map(({ file, text }) => [file, text]))(
    `%s, cut at every ${STEP}th of its first and last 100 bytes`,
    async (_, text) => {
      const bytes = encode(fresh(text));
      for (let at = 0; at <= bytes.length; at += at === 100 ? Math.max(1, bytes.length - 200) : STEP) {
        const body = bytes.subarray(0, at);
        expect(isAllowed(body, await ask(body))).toBe(true);
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
