import { own } from '../api/message-values.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activeRule, NOW, send, testEngine, toolEvent } from '../engine.fixture.ts';
import { pausedId } from '../session/pause.ts';
import { openMemory } from '../../ledger/open.ts';
import type { Memory } from '../../ledger/open.ts';

let folder = '';
let memories: Memory[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairlead-settle-'));
});
afterEach(() => {
  for (const memory of memories) memory.close();
  memories = [];
  rmSync(folder, { recursive: true, force: true });
});

function open(): Memory {
  const memory = openMemory({
    path: join(folder, 'state.db'),
    busyMs: 500,
    resident: false,
    now: () => NOW,
    random: () => 0,
    onFailure: (what, error) => expect.fail(`${what}: ${String(error)}`),
  });
  memories.push(memory);
  return memory;
}

describe('two engines on one state file', () => {
  it('see at the next event what the other has changed', async () => {
    let runs = 0;
    const rule = activeRule('a', (_, context) => ((runs += 1), context.pass()));
    const { store } = open();
    const engine = testEngine([rule], { store });
    await send(engine, toolEvent({ id: '1' }));
    open().store.commit({
      reads: new Map(),
      changes: [{ op: 'set', id: pausedId('s1'), value: '{"since":0,"turns":0}', expires: 0 }],
      now: NOW,
    });
    await send(engine, toolEvent({ id: '2' }));
    expect(runs).toBe(1);
    expect(engine.recorded.at(-1)?.detail.trace).toMatchObject([{ tier: 2, reason: 'the session is paused' }]);
  });

  it('answer the copy of an event that the other has decided', async () => {
    const rule = activeRule('a', (_, context) => [
      context.deny('said', { text: own('no') }),
      context.note('said', { text: own('why') }),
    ]);
    const one = testEngine([rule], { store: open().store });
    const other = testEngine([rule], { store: open().store });
    const call = toolEvent({ id: 'same' });
    expect(await send(one, call)).toMatchObject({ action: 'deny', notes: [{ text: '[a] why' }] });
    const reason = '[a] no\nA person can let it through: `fairlead allow-once d1`.';
    expect(await send(other, call)).toMatchObject({ action: 'deny', reason, notes: [] });
    expect(other.recorded[0]?.row.copy).toBe(true);
  });
});
