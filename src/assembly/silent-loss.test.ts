import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recorded } from '../../test/fixtures/claude-code.ts';
import { isLong } from '../../test/cases.ts';
import { systemClock } from '../platform/clock.ts';
import { nodeEntries } from '../platform/entries.ts';
import { nodeFiles } from '../platform/files.ts';
import { pathsOf } from '../platform/paths.ts';
import { answer } from '../transport/answer.ts';
import { serveCopies, storeIn, worldOf } from '../undo/serve-copies.ts';
import type { ToCopier } from '../undo/serve-copies.ts';
import { openEngine } from './open-engine.ts';
import type { OpenedEngine } from './open-engine.ts';

/** Something goes wrong at the n-th step between the decision and the reply. */
type Fault = 'fails' | 'is late';
let steps = 0;
let faultAt = 0;
let fault: Fault = 'fails';
let jumped = 0;
let isCopying = false;

/** Counts a step; true where this is the one that goes wrong. */
function goesWrong(): boolean {
  if (!isCopying) return false;
  steps += 1;
  return steps === faultAt;
}

/** What copies, beside the test as it is beside the engine: its messages may be late, fail, or never come. */
vi.mock(import('../platform/thread.ts'), () => ({
  startThread: ((_path: string, { onMessage, onEnd }: { onMessage(told: unknown): void; onEnd(): void }) => {
    const onWay = (work: () => void) => {
      if (!goesWrong()) setImmediate(work);
      else if (fault === 'fails') setImmediate(onEnd);
    };
    const take = serveCopies((told) => onWay(() => onMessage(told)));
    return {
      post(message: ToCopier) {
        if ('id' in message) isCopying = true;
        onWay(() => take(message));
      },
      end() {},
    };
  }) as never,
}));

/** Each function of an object becomes a step that may go wrong. */
function watch(parts: object): () => void {
  const real: Record<string, unknown> = { ...parts };
  const watched = Object.entries(real).map(([name, work]) => {
    if (typeof work !== 'function') return [name, work];
    const step = (...given: unknown[]): unknown => {
      if (goesWrong()) {
        if (fault === 'fails') throw Object.assign(new Error(`no ${name}`), { code: 'EIO' });
        jumped += 60_000;
      }
      return Reflect.apply(work, parts, given);
    };
    return [name, step];
  });
  Object.assign(parts, Object.fromEntries(watched));
  return () => void Object.assign(parts, real);
}

let dir: string;
let project: string;
let engine: OpenedEngine;
let restore: (() => void)[] = [];
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-loss-')));
  project = join(dir, 'person', 'project');
  mkdirSync(project, { recursive: true });
  execFileSync('git', ['init', '-q', project]);
  const config = join(dir, 'home', 'config', 'config.yaml');
  mkdirSync(dirname(config), { recursive: true });
  const { now } = systemClock;
  restore = [watch(nodeEntries), watch(nodeFiles), () => (systemClock.now = now)];
  systemClock.now = () => now() + jumped;
  isCopying = false;
  engine = openEngine({
    ...{ paths: pathsOf(join(dir, 'home')), userHome: join(dir, 'person'), resident: true, keeps: true },
    copier: 'copier.js',
  });
});
afterEach(() => {
  isCopying = false;
  engine.close();
  for (const each of restore) each();
  rmSync(dir, { recursive: true });
});

const FILES = ['one.txt', 'd/two.txt', 'd/three.txt'];
function plant(): void {
  for (const path of FILES) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), `own words of ${path}\n`);
  }
}

let calls = 0;
async function decide(command: string): Promise<string> {
  calls += 1;
  const payload = {
    ...recorded('PreToolUse/bash.json'),
    tool_use_id: `t${calls}`,
    cwd: project,
    tool_input: { command },
  };
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const env = { CLAUDE_PROJECT_DIR: project, PATH: process.env['PATH'] };
  steps = 0;
  isCopying = false;
  const reply = await answer(
    {
      agent: 'claude-code',
      body,
      size: body.length,
      cwd: project,
      home: dir,
      env,
      withinMs: faultAt === 0 ? 60_000 : 2_000,
    },
    engine,
  );
  isCopying = false;
  return reply.stdout;
}

/** The contents that copies hold. */
function copied(): ReadonlySet<string> {
  const store = storeIn(engine.paths.state, worldOf({ state: engine.paths.state, userHome: dir, env: {} }));
  const files = store.list().flatMap(({ number, entries }) => entries.map((entry) => ({ number, entry })));
  return new Set(
    files.flatMap(({ number, entry }) =>
      entry.kind === 'file' ? [readFileSync(store.contentOf(number, entry.sha), 'utf8')] : [],
    ),
  );
}

it.each(['rm one.txt', 'rm -rf d', 'echo x > one.txt', 'sed -i s/w/v/ one.txt', 'git clean -fdq'])(
  'whatever fails or is late while `%s` waits for its copy, it loses nothing in silence',
  async (command) => {
    plant();
    await decide('ls');
    faultAt = 0;
    expect(await decide(command)).not.toContain('permissionDecision');
    expect(copied().size).toBeGreaterThan(0);
    const most = steps;
    expect(most).toBeGreaterThan(20);
    const tally = { passed: 0, stopped: 0 };
    for (const each of ['fails', 'is late'] as const) {
      fault = each;
      for (let at = 1; at <= most; at += isLong ? 1 : 3) {
        rmSync(join(engine.paths.state, 'undo'), { recursive: true, force: true });
        faultAt = at;
        const said = await decide(command);
        faultAt = 0;
        if (/"permissionDecision":"(?:ask|deny)"/.test(said)) {
          tally.stopped += 1;
          continue;
        }
        tally.passed += 1;
        const kept = copied();
        execFileSync('bash', ['-c', command], { cwd: project });
        const lost = FILES.filter((path) => {
          const words = `own words of ${path}\n`;
          const now = existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : '';
          return now !== words && !kept.has(words);
        });
        expect({ command, each, at, said, lost }).toEqual({ command, each, at, said, lost: [] });
        plant();
      }
    }
    expect(tally.stopped).toBeGreaterThan(0);
  },
  120_000,
);
