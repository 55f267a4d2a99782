import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases, isLong } from './cases.ts';
import { encode, hugeTexts, nests } from './damaged-payloads.ts';
import type { Fields } from './damaged-payloads.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../src/assembly/open-engine.ts';
import catastrophe from '../src/packs/guard/catastrophe.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { answer } from '../src/transport/answer.ts';
import { createBatching } from '../src/transport/batching.ts';
import { createDaemon } from '../src/transport/daemon.ts';
import { decodeRequest, encodeRequest, FrameError, requestLength } from '../src/transport/frame.ts';
import { MAX_BODY_BYTES } from '../src/transport/limits.ts';

let home: string;
let project: string;
let engine: OpenedEngine;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-hold-')));
  project = join(home, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  engine = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true, keeps: 'trial' });
});
afterAll(() => {
  engine.close();
  rmSync(home, { recursive: true });
});

let count = 0;
function callOf(tool: string, command: string): Fields {
  count += 1;
  return {
    session_id: `session-${count}`,
    cwd: project,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_use_id: `call-${count}`,
    tool_input: { command },
  };
}

const decisionIn = (stdout: string): string | undefined => /"permissionDecision":"(\w+)"/.exec(stdout)?.[1];

async function decide(body: Uint8Array): Promise<string | undefined> {
  const request = { agent: 'claude-code', body, size: body.length, cwd: project, home, env: {}, withinMs: 8_000 };
  return decisionIn((await answer(request, engine)).stdout);
}

const denied = fc.constantFrom(...(catastrophe.examples?.deny ?? []).filter((example) => typeof example === 'string'));
const tools = fc.constantFrom('Bash', 'mcp__shell__run');

/** Fields that mean nothing, before or behind those that do. */
const junk = fc.record({
  key: fc.string({ maxLength: 20 }).map((text) => `junk ${text}`),
  value: fc.oneof(fc.json(), nests, hugeTexts, fc.constant(`[${'0,'.repeat(120_000)}0]`)),
  isFirst: fc.boolean(),
  isInside: fc.boolean(),
});

function withJunk(
  fields: Fields,
  { key, value, isFirst, isInside }: { key: string; value: string; isFirst: boolean; isInside: boolean },
): Fields {
  const added = { [key]: JSON.parse(value) as unknown };
  const put = (to: Fields): Fields => (isFirst ? { ...added, ...to } : { ...to, ...added });
  return isInside ? { ...fields, tool_input: put(fields['tool_input'] as Fields) } : put(fields);
}

it('junk in a payload does not weaken a denial', async () => {
  await fc.assert(
    fc.asyncProperty(denied, tools, fc.array(junk, { minLength: 1, maxLength: 3 }), async (command, tool, all) => {
      expect(await decide(encode(callOf(tool, command)))).toBe('deny');
      expect(await decide(encode(all.reduce(withJunk, callOf(tool, command))))).toBe('deny');
    }),
    { numRuns: isLong ? 10_000 : 40 },
  );
});

it('a denied call that is cut off, or broken at any byte, is not let through', async () => {
  await fc.assert(
    fc.asyncProperty(denied, fc.nat(), fc.boolean(), async (command, place, isCut) => {
      const bytes = encode(callOf('Bash', command));
      const at = place % bytes.length;
      // A brace where none may stand: no JSON, whatever it was.
      const broken = Uint8Array.from(bytes, (byte, index) => (index === at && byte !== 0x7d ? 0x00 : byte));
      expect(await decide(isCut ? bytes.subarray(0, at) : broken)).toBe('deny');
    }),
    cases(10_000),
  );
});

describe('a call under an id that was used before', () => {
  it('is decided by its content', async () => {
    await fc.assert(
      fc.asyncProperty(denied, tools, async (command, tool) => {
        const harmless = { ...callOf(tool, 'git push origin topic'), tool_name: 'Bash' };
        await decide(encode(harmless));
        const reused = { ...harmless, tool_name: tool, tool_input: { command } };
        expect([await decide(encode(reused)), await decide(encode(reused))]).toEqual(['deny', 'deny']);
      }),
      cases(1_000),
    );
  });
});

it('a frame is answered, refused as a frame, or left to the caller; a guarded call in it is never let through', async () => {
  const daemon = createDaemon({
    engine,
    stamp: '',
    pid: 1,
    userHome: home,
    batching: createBatching(engine.clock.micros),
    isAlive: () => true,
    memoryBytes: () => 0,
    onStop() {},
  });
  await fc.assert(
    fc.asyncProperty(denied, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), async (command, flips) => {
      const body = encode(callOf('Bash', command));
      const request = {
        verb: 'hook',
        stamp: '',
        state: engine.paths.state,
        args: ['--agent', 'claude-code', '--event', 'PreToolUse'],
        cwd: project,
        env: {},
        size: body.length,
        body,
      };
      const frame = encodeRequest(request);
      const headEnd = frame.length - body.length;
      for (const [at, byte] of flips) frame[at % headEnd] = byte;
      try {
        const length = requestLength(frame, MAX_BODY_BYTES);
        if (length === undefined || length > frame.length) return;
        const read = decodeRequest(frame);
        const { outcome, stdout } = await daemon.reply(read);
        const isWhole = read.args.join(' ') === request.args.join(' ') && read.verb === 'hook';
        if (outcome === 'answered' && isWhole) expect(decisionIn(new TextDecoder().decode(stdout))).toBe('deny');
      } catch (error) {
        expect(error).toBeInstanceOf(FrameError);
      }
    }),
    cases(10_000),
  );
});
