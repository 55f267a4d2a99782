import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterNamed } from '../../src/adapters/registry.ts';
import { ROOT, callWith, send, testEngine } from '../../src/engine/engine.fixture.ts';
import type { Event } from '../../src/event/event.ts';
import type { Decision } from '../../src/event/verdict.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import type { Effect } from '../../src/event/effect.ts';
import type { KeepResult } from '../../src/event/keeping.ts';
import { checkRoad } from '../../src/losses/losses.ts';
import type { Row } from './cases.ts';

/** A shell command, or a call of another tool. */
export type Asked = string | Pick<Row, 'command' | 'tool_name' | 'tool_input'>;

/** `files` are what lies on disk, by path from the workspace. */
export type Decide = (asked: Asked, files?: Readonly<Record<string, string>>) => Promise<Decision>;

/** A recorded call, whose tool and input are then those of a row. */
const RECORDED = 'test/fixtures/claude-code/PreToolUse/bash.json';

const SETTINGS = '/home/dev/.claude/settings.json';
const WIRED = JSON.stringify({
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'fairlead hook --agent claude-code' }] }] },
});

/**
 * The engine with the rules and settings of a home that nobody has configured. Every call meets a new engine, so that
 * none is judged by what came before it. It finds no files but those that it is given, and cannot look at a repository,
 * so all that a call would hit counts as lost. The person's settings of the agent call it, or it would not be asked.
 */
export async function openDecide(project = process.cwd()): Promise<Decide> {
  const home = mkdtempSync(join(tmpdir(), 'fairlead-guard-'));
  const opened = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: false });
  const adapter = adapterNamed('claude-code');
  const recorded = JSON.parse(readFileSync(join(project, RECORDED), 'utf8')) as Record<string, unknown>;
  if (!adapter) throw new Error('no adapter');
  const eventOf = ({ tool_name, tool_input, command }: Exclude<Asked, string>): Event =>
    adapter.parse(
      callWith({
        ...recorded,
        cwd: ROOT,
        session_id: 's1',
        tool_name: tool_name ?? recorded['tool_name'],
        tool_input: tool_input ?? { command },
      }),
    );
  try {
    const policy = await opened.workspaces.policyAt(join(home, 'project'));
    return async (asked, stored = {}) => {
      const engine = testEngine([], { policy });
      const readText = (path: string) => (path === SETTINGS ? WIRED : stored[path.replace(`${ROOT}/`, '')]);
      Object.assign(engine, { files: { ...engine.files, readText }, keep });
      const decision = await send(engine, eventOf(typeof asked === 'string' ? { command: asked } : asked));
      const [failure] = engine.failures;
      if (failure) throw new Error(`${failure.what}: ${String(failure.error)}`, { cause: failure.error });
      return decision;
    };
  } finally {
    opened.close();
    rmSync(home, { recursive: true });
  }
}

const COPIED: ReadonlySet<string | undefined> = new Set(['inside', 'workspace', 'git', 'user', 'outside', undefined]);

/** Everything is there and small enough; what its words do not tell, or what lies elsewhere, cannot be copied. */
async function keep(effects: readonly Effect[]): Promise<KeepResult> {
  try {
    effects.forEach(checkRoad);
  } catch (error) {
    return { unkept: String(error) };
  }
  const isTold = ({ path, git, scope }: Effect) => (path !== undefined || git !== undefined) && COPIED.has(scope);
  if (!effects.every(isTold)) return { unkept: 'its words do not tell what it hits' };
  return { kept: { number: 1, names: effects.map(({ target }) => target), files: effects.length, bytes: 0 } };
}
