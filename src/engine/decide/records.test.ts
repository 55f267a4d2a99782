import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import type { Adapter } from '../../adapters/adapter.ts';
import type { Event } from '../../event/event.ts';
import { handle } from '../../handle.ts';
import { nodeFiles } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { createMemoryStore } from '../../state/memory.ts';
import { cellId } from '../../state/cells.ts';
import { activeRule, callWith, NOW, plainAdapter, plainEvent, promptEvent, testEngine } from '../engine.fixture.ts';
import type { RuleContext, Usage } from '../rule.ts';
import type { Engine } from '../engine.ts';

const RECORDED = readFileSync(
  new URL('../../../test/fixtures/claude-code/extras/transcript.jsonl', import.meta.url),
  'utf8',
);
/** Our own words for events, a real agent's records. */
const adapter: Adapter = { ...claudeCode, ...plainAdapter };

let dir: string;
let transcript: string;
let opened: string[];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-records-')));
  transcript = join(dir, 's1.jsonl');
  opened = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

/** An engine whose one rule does this with what it is given on a prompt. */
function engineFor(look: (context: RuleContext) => void, more: Partial<Engine> = {}): Engine {
  const rule = activeRule('test/look', (_, context) => look(context), { on: [{ event: 'prompt.submit' }] });
  return {
    ...testEngine([rule]),
    files: {
      ...nodeFiles,
      readRange(path, from, bytes) {
        opened.push(path);
        return nodeFiles.readRange(path, from, bytes);
      },
    },
    ...more,
  };
}

const tell = (engine: Engine, event: Event) => handle(callWith(event), adapter, engine);
const prompt = (more: Partial<Event> = {}) => promptEvent('go', { transcript, ...more });
const answer = (tokens: number) => RECORDED.replaceAll('"input_tokens":100', `"input_tokens":${tokens}`);

describe('usage', () => {
  let told: Usage | undefined;
  const tellUsage = (context: RuleContext) => void (told = context.usage());
  beforeEach(() => {
    told = undefined;
  });

  it('is what the transcript told last', async () => {
    writeFileSync(transcript, answer(4_200));
    await tell(engineFor(tellUsage), prompt());
    expect(told).toEqual({ tokens: 4_200, model: 'claude-opus-5-5' });
  });

  it('is nothing without a transcript', async () => {
    await tell(engineFor(tellUsage), promptEvent('go'));
    expect(told).toEqual({ tokens: 0 });
    await tell(engineFor(tellUsage), prompt());
    expect(told).toEqual({ tokens: 0 });
  });

  it('is not looked for when no rule asks, and once when several do', async () => {
    writeFileSync(transcript, answer(1));
    await tell(
      engineFor(() => {}),
      prompt(),
    );
    expect(opened).toEqual([]);
    await tell(
      engineFor((context) => void [context.usage(), context.usage()]),
      prompt(),
    );
    expect(opened).toEqual([transcript]);
  });

  it('forgets what was before a compaction', async () => {
    const engine = engineFor(tellUsage, { usageLooks: new Map() });
    writeFileSync(transcript, answer(190_000));
    await tell(engine, prompt());
    expect(told?.tokens).toBe(190_000);
    await tell(engine, plainEvent('session.start', { transcript, start: { source: 'resume' } }));
    await tell(engine, prompt());
    expect(told?.tokens).toBe(190_000);
    await tell(engine, plainEvent('session.start', { transcript, start: { source: 'compact' } }));
    await tell(engine, prompt());
    expect(told?.tokens).toBe(0);
    appendFileSync(transcript, answer(9_000));
    await tell(engine, prompt());
    expect(told?.tokens).toBe(9_000);
  });

  it('of a resident engine is looked for only in what came since', async () => {
    const engine = engineFor(tellUsage, { usageLooks: new Map() });
    writeFileSync(transcript, answer(5));
    await tell(engine, prompt());
    await tell(engine, prompt());
    expect(opened).toHaveLength(1);
    expect(told?.tokens).toBe(5);
  });

  it.each<[string, string, number | undefined, number | undefined, number | undefined]>([
    ['the status line first', 'x[1m]', 300_000, 1_000_000, 300_000],
    ['then the model of the last answer', 'x[1m]', undefined, undefined, 1_000_000],
    ['then the configured one', 'x', undefined, 1_000_000, 1_000_000],
    ['else nobody', 'x', undefined, undefined, undefined],
  ])('comes with the window that was told: %s', async (_, model, line, configured, window) => {
    const store = createMemoryStore();
    const id = cellId('session', 's1', 'context.window');
    if (line !== undefined)
      store.commit({ reads: new Map(), changes: [{ op: 'set', id, value: String(line), expires: 0 }], now: NOW });
    writeFileSync(transcript, answer(5).replaceAll('claude-opus-5-5', model));
    const setup = { servers: [], hooks: [], ...(configured === undefined ? {} : { window: configured }) };
    await tell(engineFor(tellUsage, { store, setupOf: () => setup }), prompt());
    expect(told?.window).toBe(window);
  });
});

it('transcripts are those of main agents beside the session’s own, and tell where they were started', async () => {
  writeFileSync(transcript, RECORDED);
  writeFileSync(join(dir, 's2.jsonl'), '{}\n');
  writeFileSync(join(dir, 'agent-1.jsonl'), RECORDED);
  mkdirSync(join(dir, 'memory'));
  let found: unknown;
  await tell(
    engineFor(
      (context) => void (found = [...context.transcripts()].map((each) => [each.session, each.size, each.startedIn()])),
    ),
    prompt(),
  );
  expect(found).toEqual([
    ['s1', Buffer.byteLength(RECORDED), '/home/dev/project'],
    ['s2', 3, undefined],
  ]);
});

it('transcripts are all found where there are thousands, and looked at one by one', async () => {
  const sessions = Array.from({ length: 2_500 }, (_, at) => `s${at}`);
  for (const session of sessions) writeFileSync(join(dir, `${session}.jsonl`), '');
  let stats = 0;
  const stat = (path: string) => ((stats += 1), nodeFiles.stat(path));
  let [first, all]: [number, string[]] = [0, []];
  const engine = engineFor((context) => {
    stats = 0;
    for (const _ of context.transcripts()) break;
    first = stats;
    all = [...context.transcripts()].map(({ session }) => session);
  });
  await tell({ ...engine, files: { ...engine.files, stat } }, prompt());
  expect(first).toBe(1);
  expect(all.toSorted()).toEqual(sessions.toSorted());
});

it('memory is what the agent wrote beside them, with its hash', async () => {
  let found: unknown = 'unasked';
  const engine = engineFor((context) => void (found = context.memory()));
  await tell(engine, prompt());
  expect(found).toBeUndefined();
  mkdirSync(join(dir, 'memory'));
  writeFileSync(join(dir, 'memory', 'MEMORY.md'), '- tabs\n');
  await tell(engine, prompt());
  expect(found).toMatchObject({ path: join(dir, 'memory', 'MEMORY.md'), text: '- tabs\n', sha256: sha256('- tabs\n') });
});

it('without a transcript the root of the workspace tells the place', async () => {
  const looked: string[] = [];
  const engine = engineFor((context) => void context.memory());
  await tell(
    { ...engine, files: { ...engine.files, stat: (path) => (looked.push(path), undefined) } },
    promptEvent('go'),
  );
  expect(looked).toEqual(['/home/dev/.claude/projects/-home-dev-project/memory/MEMORY.md']);
});
