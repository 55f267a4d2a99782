import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import type { Numbers } from './numbers.ts';
import type { PackObserver } from './observer.ts';
import { readTelemetry } from './read.ts';
import { createTelemetry } from './telemetry.ts';
import type { RelayRecord } from '../event/follow-up.ts';
import { activeRule, NOW, ROOT, testEngine, toolEvent } from '../engine/engine.fixture.ts';
import type { Event, ToolCall } from '../event/event.ts';
import { openMemory } from '../ledger/open.ts';
import type { Memory } from '../ledger/open.ts';

let folder = '';
let memories: Memory[] = [];

/** Gives each test of a file a folder of its own. */
export function useFolders(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fairlead-telemetry-'));
  });
  afterEach(() => {
    for (const memory of memories) memory.close();
    memories = [];
    rmSync(folder, { recursive: true, force: true });
  });
}

/** As another process would see the file of the test. */
export function openStore(resident: boolean): Memory {
  const memory = openMemory({
    path: join(folder, 'state.db'),
    busyMs: 500,
    resident,
    now: () => NOW,
    random: () => 0.5,
    onFailure: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
  });
  memories.push(memory);
  return memory;
}

/** One process: an engine with a rule that counts, on the file that all processes of the test share. */
export function openProcess({ resident = true, observers = [] as readonly PackObserver[] } = {}) {
  const memory = openStore(resident);
  const rule = activeRule('test/counts', (event, { later, pass }) => {
    later.count('calls');
    later.time('span', event.tool?.durationMs ?? 3);
    return pass();
  });
  const engine = testEngine([rule], { store: memory.store });
  const relayed: RelayRecord[] = [];
  const timers: { ms: number; work(): void }[] = [];
  const replies: (() => void)[] = [];
  let commits = 0;
  const telemetry = createTelemetry({
    store: {
      ...memory.store,
      commit(commit) {
        commits += 1;
        return memory.store.commit(commit);
      },
    },
    clock: engine.clock,
    observers,
    relay: (said) => void relayed.push(said),
    isOff: () => engine.off,
    onFailure: engine.onFailure,
    ...(resident
      ? {
          resident: {
            afterReply: (work: () => void) => void replies.push(work),
            soon: (ms: number, work: () => void) => void timers.push({ ms, work }),
          },
        }
      : {}),
  });
  engine.after = telemetry.see;
  return {
    engine,
    memory,
    telemetry,
    relayed,
    timers,
    commits: () => commits,
    /** The replies are out. */
    async replied() {
      for (const work of replies.splice(0)) work();
      await telemetry.finish();
    },
    runTimers() {
      for (const { work } of timers.splice(0)) work();
    },
    numbers: (more: { root?: string; since?: number } = { root: ROOT }): Numbers =>
      readTelemetry(openStore(false).store, { pack: 'test', since: 0, now: engine.now, ...more }),
  };
}

let calls = 0;
/** A call of its own, so that none is a copy. */
export function call(more: Partial<Event> = {}, tool: Partial<ToolCall> = {}): Event {
  return toolEvent({ id: `t${(calls += 1)}`, ...tool }, more);
}
