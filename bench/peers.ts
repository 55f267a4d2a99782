// What it costs inside the engine that sessions hear of each other, with all other rules that are in force by default: the real
// engine on a state file, without the transport. Beside each event stands the same one while the pack is off, handled in turn
// with it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Adapter } from '../src/adapters/adapter.ts';
import { adapterNamed } from '../src/adapters/registry.ts';
import { handle } from '../src/handle.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { report } from './lib/figures.ts';
import { printTable, summarize } from './lib/measure.ts';

type Fields = Readonly<Record<string, unknown>>;

const RUNS = 4_000;
const WARMUP = 2_000;
/** So many microseconds more an event may take that changes nothing: what two runs of the same differ by on a busy machine. */

const adapter = adapterNamed('claude-code') as Adapter;
const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-peers-')));
const project = join(top, 'project');
for (const path of ['.git/HEAD', 'src/app.ts', 'src/other.ts', 'src/mine.ts']) {
  mkdirSync(join(project, dirname(path)), { recursive: true });
  writeFileSync(join(project, path), 'ref: refs/heads/main\n');
}
const recorded = (file: string): Fields =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Fields;
const BEFORE = recorded('PreToolUse/bash.json');
const AFTER = recorded('PostToolUse/bash.json');

let calls = 0;
const at = (path: string): string => join(project, path);
const call = (of: Fields, tool_name: string, tool_input: Fields): Fields => ({
  ...of,
  tool_name,
  tool_input,
  tool_use_id: `toolu_${(calls += 1)}`,
});
const read = (of: Fields, path: string) => call(of, 'Read', { file_path: at(path) });
const edit = (of: Fields, path: string) =>
  call(of, 'Edit', { file_path: at(path), old_string: 'main', new_string: 'topic' });
const shell = (of: Fields) => call(of, 'Bash', { command: 'npm test -- src/other.ts' });

interface Case {
  readonly name: string;
  readonly make: () => Fields;
  /** It changes what is kept, or there is somebody else: then it may take more. */
  readonly mayTakeMore?: true;
  readonly isWithOther?: true;
}

const cases: readonly Case[] = [
  { name: 'alone: before a read', make: () => read(BEFORE, 'src/other.ts') },
  { name: 'alone: after a read', make: () => read(AFTER, 'src/other.ts') },
  { name: 'alone: after a read of its own change', make: () => read(AFTER, 'src/mine.ts') },
  { name: 'alone: before a command', make: () => shell(BEFORE) },
  { name: 'alone: after a command', make: () => shell(AFTER) },
  { name: 'alone: before an edit', make: () => edit(BEFORE, 'src/mine.ts') },
  { name: 'alone: after an edit', make: () => edit(AFTER, 'src/mine.ts'), mayTakeMore: true },
  { name: 'another one: before a read', make: () => read(BEFORE, 'src/other.ts'), isWithOther: true },
  { name: 'another one: after a read', make: () => read(AFTER, 'src/other.ts'), isWithOther: true, mayTakeMore: true },
  { name: 'another one: after a command', make: () => shell(AFTER), isWithOther: true, mayTakeMore: true },
  {
    name: 'another one: before an edit',
    make: () => edit(BEFORE, 'src/mine.ts'),
    isWithOther: true,
    mayTakeMore: true,
  },
];

const wrong: string[] = [];

async function openBench(pack: 'on' | 'off', { isWithOther }: Case) {
  const home = join(top, `home-${(calls += 1)}`);
  const paths = pathsOf(join(home, 'fairlead'));
  mkdirSync(paths.config, { recursive: true });
  writeFileSync(join(paths.config, 'config.yaml'), `packs: { peers: ${pack} }\n`);
  const opened = openEngine({ paths, userHome: home, resident: true });
  const engine = {
    ...opened,
    onFailure: (what: string, error: unknown) => void wrong.push(`${what}: ${String(error)}`),
  };
  const send = async (payload: Fields, session: string): Promise<number> => {
    const transcript_path = join(home, `${session}.jsonl`);
    const whole = { ...payload, session_id: session, transcript_path, cwd: project };
    const receivedAt = Date.now();
    const started = performance.now();
    const { stdout } = await handle(
      { payload: whole, cwd: project, projectDir: project, depth: 0, home, receivedAt },
      adapter,
      engine,
    );
    const micros = (performance.now() - started) * 1_000;
    if (stdout !== '') wrong.push(`a reply where there should be none: ${stdout}`);
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    return micros;
  };
  await send(edit(AFTER, 'src/mine.ts'), 'session-1');
  if (isWithOther) for (let file = 0; file < 20; file += 1) await send(edit(AFTER, `src/file-${file}.ts`), 'session-2');
  return { send, close: () => opened.close() };
}

async function measureCase(one: Case) {
  const sides = await Promise.all(
    (['on', 'off'] as const).map(async (pack) => ({
      bench: await openBench(pack, one),
      times: new Float64Array(RUNS),
    })),
  );
  for (let done = 0; done < WARMUP + RUNS; done += 1)
    for (const { bench, times } of sides) {
      const micros = await bench.send(one.make(), 'session-1');
      if (done >= WARMUP) times[done - WARMUP] = micros;
    }
  for (const { bench } of sides) bench.close();
  const [on, off] = sides.map(({ times }) => summarize(times));
  if (!on || !off) throw new Error('nothing was measured');
  const more = on.p50 - off.p50;
  return { row: [one.name, on.p50, off.p50, more, on.p95, off.p95], more: one.mayTakeMore ? 0 : more };
}

try {
  const measured: Awaited<ReturnType<typeof measureCase>>[] = [];
  for (const one of cases) measured.push(await measureCase(one));
  printTable(
    ['', 'p50 µs', 'pack off', 'the pack', 'p95 µs', 'pack off'],
    measured.map(({ row }) => row),
  );
  report('peers', { more: Math.max(...measured.map(({ more }) => more)) });
  for (const text of new Set(wrong)) console.error(text);
  if (wrong.length > 0) process.exitCode = 1;
} finally {
  rmSync(top, { recursive: true });
}
