import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send, testEngine, toolEvent } from '../../src/engine/engine.fixture.ts';
import type { Decision } from '../../src/event/verdict.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import { pathsOf } from '../../src/platform/paths.ts';

export type Decide = (command: string) => Promise<Decision>;

/**
 * The engine with the rules and settings of a home that nobody has configured. Every command meets a new engine, so that
 * none is judged by what came before it.
 */
export async function openDecide(): Promise<Decide> {
  const home = mkdtempSync(join(tmpdir(), 'fairlead-guard-'));
  const opened = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: false });
  try {
    const policy = await opened.workspaces.policyAt(join(home, 'project'));
    return async (command) => {
      const engine = testEngine([], { policy });
      const decision = await send(engine, toolEvent({ command, input: { command } }));
      const [failure] = engine.failures;
      if (failure) throw new Error(`${failure.what}: ${String(failure.error)}`, { cause: failure.error });
      return decision;
    };
  } finally {
    opened.close();
    rmSync(home, { recursive: true });
  }
}
