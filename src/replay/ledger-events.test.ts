import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adapterNamed } from '../adapters/registry.ts';
import type { Adapter } from '../adapters/adapter.ts';
import { openEngine } from '../assembly/open-engine.ts';
import { handle } from '../handle.ts';
import { readRows } from '../ledger/read.ts';
import type { StoredRow } from '../ledger/read.ts';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import { ledgerEvents } from './ledger-events.ts';
import { openReplayEngine } from './replay-engine.ts';
import type { Outcome } from './replay-engine.ts';
import { replayStored } from './replay.ts';

type Payload = Record<string, unknown>;
const recorded = readFileSync(new URL('../../test/fixtures/sessions/heavy-parcel.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { at: number; payload: Payload });
const BEGAN = Date.parse('2026-11-17T09:00:00Z');
const adapter = adapterNamed('claude-code') as Adapter;

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-ledger-replay-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Lets an engine decide, and then another one by what the first has written down. */
async function liveAndReplayed(
  events: readonly { readonly at: number; readonly payload: Payload }[],
): Promise<{ live: StoredRow[]; replayed: Outcome[] }> {
  const paths = pathsOf(join(home, '.fairlead'));
  const engine = openEngine({ paths, userHome: home, resident: false, factWaitMs: Infinity });
  for (const { at, payload } of events) {
    const cwd = String(payload['cwd']);
    await handle({ payload, cwd, home, depth: 0, receivedAt: BEGAN + at }, adapter, engine);
  }
  engine.memory.ledger.flush();
  const { db } = engine.memory;
  if (!db) throw new Error('no database');
  const live = readRows(db).filter(({ copy }) => !copy);
  const again = openReplayEngine({ paths, userHome: home, files: nodeFiles });
  const replayed: Outcome[] = [];
  for await (const { outcomes } of replayStored(ledgerEvents(db), [again], adapterNamed)) replayed.push(...outcomes);
  expect(again.failures).toEqual([]);
  engine.close();
  return { live, replayed };
}

const saying = ({ event, tool, action, rules }: Pick<StoredRow, 'event' | 'tool' | 'action' | 'rules'>) => ({
  ...{ event, tool, action, rules },
});

const bash = (command: string, at: number): { at: number; payload: Payload } => {
  const like = recorded.find(
    ({ payload }) => payload['hook_event_name'] === 'PreToolUse' && payload['tool_name'] === 'Bash',
  );
  return { at, payload: { ...like?.payload, tool_use_id: `toolu_${at}`, tool_input: { command } } };
};

describe('what the ledger has of a session', () => {
  it('is decided again as it was, event by event, or is said to lack something', async () => {
    const { live, replayed } = await liveAndReplayed(recorded);
    expect(replayed).toHaveLength(live.length);
    expect(live.length).toBeGreaterThan(80);
    const known = replayed.flatMap((outcome, at) =>
      outcome.unknown ? [] : [[saying(outcome.row), saying(live[at] as StoredRow)]],
    );
    for (const [ours, theirs] of known) expect(ours).toEqual(theirs);
    expect(known.length).toBeGreaterThan(live.length / 2);
    for (const { unknown } of replayed) if (unknown) expect(unknown.missing.length).toBeGreaterThan(0);
  });

  it('is unknown where a secret was covered or a text cut, and denied where it was denied', async () => {
    const { live, replayed } = await liveAndReplayed([
      bash('rm -rf ~', 1),
      bash(`curl -H "Authorization: Bearer ${'a1B2'.repeat(8)}" https://example.com`, 2),
      bash(`echo ${'word '.repeat(600)}`, 3),
      bash('ls', 4),
    ]);
    expect(live.map(({ action }) => action)[0]).toBe('deny');
    expect(
      replayed.map(({ decision, unknown }) => unknown?.missing.map(({ what }) => what) ?? decision.action),
    ).toEqual(['deny', ['a secret that the ledger covered'], ['a text that the ledger cut'], 'pass']);
  });
});
