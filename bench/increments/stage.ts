import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Adapter } from '../../src/adapters/adapter.ts';
import { adapterNamed } from '../../src/adapters/registry.ts';
import { handle } from '../../src/handle.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { openEngine } from '../../src/assembly/open-engine.ts';
import type { OpenedEngine } from '../../src/assembly/open-engine.ts';
import type { Outside } from '../../src/platform/outside.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { readTelemetry } from '../../src/telemetry/read.ts';
import type { Numbers } from '../../src/telemetry/numbers.ts';

export type Fields = Readonly<Record<string, unknown>>;

const adapter = adapterNamed('claude-code') as Adapter;

const recorded = (file: string): Fields =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Fields;
const BEFORE = recorded('PreToolUse/edit.json');
const AFTER = recorded('PostToolUse/edit.json');
const BASH_AFTER = recorded('PostToolUse/bash.json');

/** What went wrong on the way: a benchmark of failures would look fast. */
export const wrong: string[] = [];

/** Payloads as they were recorded, but for what the tool is called with. */
export function before(id: string, path?: string): Fields {
  return { ...BEFORE, tool_use_id: id, tool_input: inputOf(BEFORE, path) };
}

export function after(id: string, path?: string): Fields {
  const response = path === undefined ? {} : { ...(AFTER['tool_response'] as Fields), filePath: path };
  return { ...AFTER, tool_use_id: id, tool_input: inputOf(AFTER, path), tool_response: response };
}

export function bashAfter(id: string, command: string): Fields {
  return { ...BASH_AFTER, tool_use_id: id, tool_input: { command } };
}

function inputOf(of: Fields, path: string | undefined): Fields {
  return path === undefined ? {} : { ...(of['tool_input'] as Fields), file_path: path };
}

const TASKS = Array.from(
  { length: 20 },
  (_, at) => `## T-${String(at + 1).padStart(3, '0')}: Step\n\n**AC**: AC-US1-01\n- [${at % 2 === 0 ? 'x' : ' '}] it\n`,
).join('\n');
const SPEC = '---\ntitle: Step by step\n---\n\n### US-001: Steps\n\n- [ ] **AC-US1-01**: All are done.\n';

/** A project with so many active increments, and one that is paused. */
export function plant(project: string, active: number): void {
  put(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
  put(join(project, 'src/app.ts'), 'export const app = 1;\n');
  put(join(project, '.specweave/config.json'), '{}\n');
  for (let at = 0; at <= active; at += 1) {
    const id = `${String(at).padStart(4, '0')}-step`;
    const dir = join(project, '.specweave/increments', id);
    const status = at === 0 ? 'paused' : 'active';
    put(join(dir, 'tasks.md'), `# Tasks\n\n${TASKS}`);
    put(join(dir, 'spec.md'), SPEC);
    put(join(dir, 'metadata.json'), `${JSON.stringify({ id, status, created: '2027-01-01T00:00:00Z' }, null, 2)}\n`);
  }
}

export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The real engine, as the daemon has it, on a state file of its own. */
export interface Stage {
  readonly opened: OpenedEngine;
  readonly stateFile: string;
  /** Answers an event; returns the microseconds until the reply. */
  send(payload: Fields, session: string): Promise<number>;
  /** What a resident engine does once the reply is out; returns the microseconds. */
  finish(): Promise<number>;
  numbers(): Numbers;
}

export function openStage(home: string, project: string, config: string, outside?: Outside): Stage {
  const paths = pathsOf(join(home, 'fairlead'));
  put(join(paths.config, 'config.yaml'), config);
  const opened = openEngine({ paths, userHome: home, resident: true, createJobs, ...(outside && { outside }) });
  const { clock } = opened;
  const engine = {
    ...opened,
    onFailure: (what: string, error: unknown) => void wrong.push(`${what}: ${String(error)}`),
  };
  return {
    opened,
    stateFile: join(paths.state, 'state.db'),
    async send(payload, session) {
      const call = {
        payload: { ...payload, session_id: session, transcript_path: join(home, `${session}.jsonl`), cwd: project },
        cwd: project,
        projectDir: project,
        depth: 0,
        home,
        receivedAt: clock.now(),
      };
      const started = performance.now();
      await handle(call, adapter, engine);
      return (performance.now() - started) * 1_000;
    },
    async finish() {
      const started = performance.now();
      await opened.telemetry.finish();
      return (performance.now() - started) * 1_000;
    },
    numbers() {
      opened.telemetry.flush();
      const now = clock.now();
      return readTelemetry(opened.store, { pack: 'increments', root: project, since: 0, now });
    },
  };
}

/** Lets timers and what follows a reply have their turn. */
export function breathe(ms = 0): Promise<void> {
  return new Promise((resolve) => {
    if (ms === 0) setImmediate(resolve);
    else setTimeout(resolve, ms);
  });
}
