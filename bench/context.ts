// What the context pack costs inside the engine: the real engine on a state file with every rule of the pack and the default
// packs on, without the transport. Beside the prompts stands what twelve processes cost that do nothing at all, which is the
// least that one process per hook can cost; the programs of ctx took about 180 ms of CPU for one prompt.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Adapter } from '../src/adapters/adapter.ts';
import { adapterNamed } from '../src/adapters/registry.ts';
import { handle } from '../src/handle.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { MADE_HERE } from '../src/packs/context/command-cells.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { cellId } from '../src/state/cells.ts';
import { report } from './lib/figures.ts';
import { printTable, summarize } from './lib/measure.ts';
import type { Measured } from './lib/measure.ts';

type Fields = Readonly<Record<string, unknown>>;

const RUNS = 1_500;
const WARMUP = 500;
const DAY = 86_400_000;
const CTX_CPU_MS = 180;
const PROMPT_RULES = 12;

const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-context-')));
const project = join(top, 'project');
const transcripts = join(top, 'transcripts');

const recorded = (file: string): Fields =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Fields;
const START = recorded('SessionStart/startup.json');
const PROMPT = recorded('UserPromptSubmit/plain.json');
const BEFORE = recorded('PreToolUse/bash.json');
const AFTER = recorded('PostToolUse/bash.json');
const EDITED = recorded('PostToolUse/edit.json');
const usage = readFileSync(join(process.cwd(), 'test/fixtures/claude-code/extras/transcript.jsonl'), 'utf8');

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const entries = (count: number): string =>
  Array.from({ length: count }, (_, at) => `## [2026-01-01-00${1_000 + at}] Entry ${at}\n\n- **Why**: so.\n`).join(
    '\n',
  );
const PROSE = 'The gateway hands a request to the service that owns it, and waits no longer than a second.\n';

/** A project in use: files of the usual size, a journal, transcripts of earlier sessions, a memory; each rule finds something. */
function plant(): void {
  const context = join(project, '.context');
  put(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  put(join(context, 'CONSTITUTION.md'), `# Constitution\n\n${PROSE.repeat(10)}`);
  put(join(context, 'TASKS.md'), `# Tasks\n\n${'- [ ] A task\n- [x] Another one\n'.repeat(40)}`);
  put(join(context, 'DECISIONS.md'), `# Decisions\n\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n\n${entries(30)}`);
  put(join(context, 'LEARNINGS.md'), `# Learnings\n\n${entries(40)}`);
  put(join(context, 'CONVENTIONS.md'), `# Conventions\n\n${PROSE.repeat(220)}`);
  put(join(context, 'ARCHITECTURE.md'), `# Architecture\n\n${PROSE.repeat(60)}`);
  put(
    join(context, 'reminders.json'),
    JSON.stringify([{ id: 1, message: 'Rotate the key', created: '2026-01-01', after: null }]),
  );
  put(join(context, 'map-tracking.json'), JSON.stringify({ opted_out: false, last_run: '2026-01-01' }));
  for (let at = 10; at < 30; at += 1)
    put(join(context, 'journal', `2026-01-${at}-0900-aaaaaa${at}.md`), PROSE.repeat(30));
  for (let at = 10; at < 30; at += 1) put(join(transcripts, `0000000${at}-0000-4000-8000-000000000000.jsonl`), usage);
  put(join(transcripts, 'memory', 'MEMORY.md'), '- the tests need a database\n');
  put(join(transcripts, 'running.jsonl'), usage.repeat(4));
}

const wrong: string[] = [];
let sent = 0;

function openBench(
  name: string,
  options: string,
): { send(payload: Fields, at: number): Promise<number>; close(): void } {
  const home = join(top, name);
  const paths = pathsOf(join(home, 'fairlead'));
  put(join(paths.config, 'config.yaml'), `packs: { context: ${options} }\n`);
  const opened = openEngine({ paths, userHome: home, resident: true });
  const engine = {
    ...opened,
    onFailure: (what: string, error: unknown) => void wrong.push(`${name}: ${what}: ${String(error)}`),
  };
  const id = cellId(MADE_HERE.scope, project, MADE_HERE.name);
  const change = { op: 'set' as const, id, value: '{"at":1}', expires: 0 };
  opened.store.commit({ reads: new Map(), changes: [change], now: Date.now() });
  return {
    async send(payload, at) {
      const call = {
        payload: { ...payload, transcript_path: join(transcripts, 'running.jsonl'), cwd: project },
        cwd: project,
        projectDir: project,
        depth: 0,
        home,
        receivedAt: at,
      };
      const started = performance.now();
      await handle(call, adapter as Adapter, engine);
      const micros = (performance.now() - started) * 1_000;
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      return micros;
    },
    close: () => opened.close(),
  };
}

const prompt = (session: string): Fields => ({ ...PROMPT, session_id: session, prompt_id: `p${(sent += 1)}` });
const command = (session: string, text: string): Fields => ({
  ...BEFORE,
  session_id: session,
  tool_use_id: `toolu_${(sent += 1)}`,
  tool_input: { command: text },
});

const ran = (session: string, text: string): Fields => ({
  ...AFTER,
  session_id: session,
  tool_use_id: `toolu_${(sent += 1)}`,
  tool_input: { command: text },
});
const edit = (session: string): Fields => ({
  ...EDITED,
  session_id: session,
  tool_use_id: `toolu_${(sent += 1)}`,
  tool_input: { ...(EDITED['tool_input'] as Fields), file_path: join(project, 'src/app.ts') },
});

interface Case {
  readonly name: string;
  /** What is sent before, and not measured. */
  before?(run: number): Fields;
  payload(run: number): Fields;
  /** When the run takes place. */
  at(run: number): number;
}

const now = Date.now();
const cases: readonly Case[] = [
  {
    name: 'prompt, all twelve rules due: each run on another day in another session',
    payload: (run) => prompt(`day-${run}`),
    at: (run) => now + run * DAY,
  },
  {
    name: 'prompt in a session at work, what is said daily was said',
    payload: () => prompt('at-work'),
    at: (run) => now + run * 10,
  },
  {
    name: 'first tool call of a session: the packet',
    before: (run) => ({ ...START, session_id: `load-${run}` }),
    payload: (run) => command(`load-${run}`, 'ls'),
    at: (run) => now + run * 10,
  },
  {
    name: 'tool call after that',
    payload: (run) => command('at-work', `ls ${run}`),
    at: (run) => now + run * 10,
  },
  {
    name: 'git command after that',
    payload: (run) => command('at-work', `git status ${run}`),
    at: (run) => now + run * 10,
  },
  {
    name: 'an edit that was made: counted, and every fifth one told about the tasks',
    payload: () => edit('at-work'),
    at: (run) => now + run * 10,
  },
  {
    name: 'a command that was run',
    payload: (run) => ran('at-work', `ls -la src/${run} | head -5`),
    at: (run) => now + run * 10,
  },
];

/** Nothing at all, as often as there are hooks. */
function idleProcesses(): number {
  const started = performance.now();
  for (let at = 0; at < PROMPT_RULES; at += 1) spawnSync('/bin/true');
  return (performance.now() - started) * 1_000;
}

try {
  plant();
  const rows: (string | number)[][] = [];
  const measured: Measured[] = [];
  for (const [number, one] of cases.entries()) {
    const on = { bench: openBench(`on-${number}`, 'on'), times: new Float64Array(RUNS) };
    const off = { bench: openBench(`off-${number}`, 'off'), times: new Float64Array(RUNS) };
    for (let run = 0; run < WARMUP + RUNS; run += 1)
      for (const { bench, times } of [on, off]) {
        const first = one.before?.(run);
        if (first) await bench.send(first, one.at(run));
        const micros = await bench.send(one.payload(run), one.at(run));
        if (run >= WARMUP) times[run - WARMUP] = micros;
      }
    on.bench.close();
    off.bench.close();
    const withPack = summarize(on.times);
    const without = summarize(off.times);
    measured.push(withPack);
    rows.push([one.name, withPack.p50, without.p50, withPack.p50 - without.p50, withPack.p95, withPack.p99]);
  }
  printTable(['', 'p50 µs', 'pack off', 'the pack', 'p95 µs', 'p99 µs'], rows);
  const idle = summarize(Float64Array.from({ length: 40 }, idleProcesses));
  const [prompts] = rows;
  const p50 = Number(prompts?.[1]);
  console.log(
    `\none prompt here: ${(p50 / 1_000).toFixed(2)} ms; ${PROMPT_RULES} processes that do nothing: ${(idle.p50 / 1_000).toFixed(1)} ms (${(idle.p50 / p50).toFixed(1)}x); ctx, by its specification: ${CTX_CPU_MS} ms of CPU (${((CTX_CPU_MS * 1_000) / p50).toFixed(0)}x)`,
  );
  const [due, atWork] = measured;
  report('context', { 'due-p50': due?.p50 ?? Number.NaN, 'at-work-p95': atWork?.p95 ?? Number.NaN });
  for (const text of new Set(wrong)) console.error(text);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(top, { recursive: true });
}
