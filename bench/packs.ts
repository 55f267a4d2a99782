// What a decision of the search nudge and of the diagrams pack costs inside the engine, with all other rules that are in
// force by default: the real engine on a state file, without the transport. Beside each stands the same event while the
// packs are off, handled in turn with it: the rest is what the pack costs, with the commit it causes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Adapter } from '../src/adapters/adapter.ts';
import { adapterNamed } from '../src/adapters/registry.ts';
import type { HookCall } from '../src/event/event.ts';
import { handle } from '../src/handle.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { report } from './lib/figures.ts';
import { printTable, summarize } from './lib/measure.ts';
import type { Measured } from './lib/measure.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Case {
  readonly name: string;
  /** Of a size that is not usual. */
  readonly isLarge?: boolean;
  /** What the reply has to hold; nothing when it is to be empty. */
  readonly says?: string;
  /** A turn has so many of these calls; it begins with a prompt and with what `first` sends. */
  readonly perTurn: number;
  first?(): Fields;
  call(): Fields;
  readonly runs?: number;
}

const RUNS = 4_000;
const WARMUP = 4_000;
const SESSION_CALLS = 50;

const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');
const top = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-bench-packs-')));
const project = join(top, 'project');
for (const [path, text] of Object.entries({
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.codegraph/codegraph.db': 'index',
  '.mcp.json': JSON.stringify({ mcpServers: { codegraph: { command: 'codegraph', args: ['serve'] } } }),
  'src/a.ts': 'export function parseConfig() {}\n',
  'docs/flow.md': '# Flow\n',
})) {
  mkdirSync(join(project, dirname(path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const recorded = (file: string): Fields =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Fields;
const BEFORE = recorded('PreToolUse/bash.json');
const AFTER = recorded('PostToolUse/bash.json');
const NOTIFICATION = recorded('Notification/elicitation-response.json');
const PROMPT = recorded('UserPromptSubmit/plain.json');

let calls = 0;
const tool = (name: string, input: Fields, of = BEFORE): Fields => ({
  ...of,
  tool_name: name,
  tool_input: input,
  tool_use_id: `toolu_${(calls += 1)}`,
});
const search = (): Fields => tool('Grep', { pattern: 'function\\s+parseConfig', path: join(project, 'src') });
/** A command that was read before is remembered, and agents seldom repeat one: each has a number in it. */
const shell = (command: string): Fields => tool('Bash', { command });
const write = (content: string, path = 'docs/flow.md'): Fields =>
  tool('Write', { file_path: join(project, path), content });
const graph = (): Fields => tool('mcp__codegraph__codegraph_explore', { query: 'parseConfig' }, AFTER);

const PARAGRAPH = 'The gateway hands a request to the service that owns it, and waits no longer than a second.\n';
const prose = (bytes: number): string => PARAGRAPH.repeat(Math.ceil(bytes / PARAGRAPH.length));
const drawing = (name: string): string =>
  [
    `┌${'─'.repeat(name.length + 2)}┐     ┌──────┐`,
    `│ ${name} │ ──> │ Beta │`,
    `└${'─'.repeat(name.length + 2)}┘     └──────┘`,
  ].join('\n');
const SOURCE = '<details>\n<summary>graph-easy source</summary>\n\n```\n[ Alpha ] -> [ Beta ]\n```\n\n</details>';
const SMALL = `# Flow\n\n${drawing('Alpha')}\n`;
const LARGE = Array.from({ length: 50 }, (_, at) => `## Part ${at}\n\n${prose(4_000)}\n${drawing(`Part${at}`)}\n`).join(
  '\n',
);

const NOTE = '[codegraph/search-nudge]';
const DENIAL = 'without a source';

const cases: readonly Case[] = [
  { name: 'baseline: an event that no rule wants', perTurn: 50, call: () => NOTIFICATION },
  { name: 'search tool, note', says: NOTE, perTurn: 1, call: search },
  {
    name: 'shell search, note',

    says: NOTE,
    perTurn: 1,
    call: () => shell(`rg -n parseConfig${calls} src`),
  },
  { name: 'search after the note of the turn', perTurn: 50, first: search, call: search },
  { name: 'search after the graph was used', perTurn: 50, first: graph, call: search },
  {
    name: 'shell filter, not broad',

    perTurn: 50,
    call: () => shell(`npm test ${calls} 2>&1 | grep FAIL`),
  },
  {
    name: 'quiet read',

    perTurn: 50,
    call: () => tool('Read', { file_path: join(project, 'src/a.ts') }),
  },
  { name: 'write of 4 KiB without a drawing', perTurn: 50, call: () => write(prose(4_096)) },
  { name: 'small drawing with its source', perTurn: 50, call: () => write(`${SMALL}\n${SOURCE}\n`) },
  { name: 'small drawing, denied', says: DENIAL, perTurn: 1, call: () => write(SMALL) },
  {
    name: 'small drawing by the shell, denied',

    says: DENIAL,
    perTurn: 1,
    call: () => shell(`cat > docs/flow.md <<'EOF'\n${SMALL}${calls}\nEOF`),
  },
  {
    name: `${Math.round(Buffer.byteLength(LARGE) / 1_024)} KiB with 50 drawings, denied`,
    isLarge: true,
    says: DENIAL,
    perTurn: 1,
    call: () => write(LARGE),
    runs: 1_000,
  },
];

/** A benchmark of failures would look fast. */
const wrong: string[] = [];

interface Bench {
  /** Microseconds for call number `done`; what a turn begins with and what comes after a reply are not timed. */
  handled(done: number): Promise<number>;
  close(): void;
}

function openBench(one: Case, packs: 'on' | 'off'): Bench {
  const home = join(top, `home-${packs}`);
  const paths = pathsOf(join(home, 'fairlead'));
  mkdirSync(paths.config, { recursive: true });
  writeFileSync(join(paths.config, 'config.yaml'), `packs: { codegraph: ${packs}, diagrams: ${packs} }\n`);
  const opened = openEngine({ paths, userHome: home, resident: true });
  const engine = {
    ...opened,
    onFailure: (what: string, error: unknown) => void wrong.push(`${one.name}: ${what}: ${String(error)}`),
  };
  const says = packs === 'on' ? one.says : undefined;
  return {
    async handled(done) {
      const session = `session-${Math.floor(done / SESSION_CALLS)}`;
      if (done % one.perTurn === 0) {
        await send({ ...PROMPT, prompt_id: `prompt-${done}` }, session);
        const before = one.first?.();
        if (before) await send(before, session);
      }
      const call = callOf(one.call(), session);
      const started = performance.now();
      const { stdout } = await handle(call, adapter as Adapter, engine);
      const micros = (performance.now() - started) * 1_000;
      if (says === undefined ? stdout !== '' : !stdout.includes(says))
        wrong.push(`${one.name}, packs ${packs}: a reply is not what it should be`);
      await workAfterReply();
      return micros;
    },
    close: () => opened.close(),
  };

  async function send(payload: Fields, session: string): Promise<void> {
    await handle(callOf(payload, session), adapter as Adapter, engine);
    await workAfterReply();
  }

  function callOf(payload: Fields, session: string): HookCall {
    return {
      payload: { ...payload, session_id: session, transcript_path: join(home, `${session}.jsonl`), cwd: project },
      cwd: project,
      projectDir: project,
      depth: 0,
      home,
      receivedAt: Date.now(),
    };
  }
}

function workAfterReply(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function measureCase(one: Case): Promise<Pick<Result, 'on' | 'off'>> {
  const { runs = RUNS } = one;
  const warmup = Math.min(WARMUP, 2 * runs);
  const on = { bench: openBench(one, 'on'), times: new Float64Array(runs) };
  const off = { bench: openBench(one, 'off'), times: new Float64Array(runs) };
  for (let done = 0; done < warmup + runs; done += 1)
    for (const { bench, times } of [on, off]) {
      const micros = await bench.handled(done);
      if (done >= warmup) times[done - warmup] = micros;
    }
  on.bench.close();
  off.bench.close();
  return { on: summarize(on.times), off: summarize(off.times) };
}

/** Each case in a process of its own, so that none pays for the one before. */
function measureApart(number: number): Result {
  const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', script, String(number)], { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Result;
}

interface Result {
  readonly on: Measured;
  readonly off: Measured;
  readonly wrong: readonly string[];
}

const [, script = '', chosen] = process.argv;
try {
  const one = cases[Number(chosen ?? Number.NaN)];
  if (one) console.log(JSON.stringify({ ...(await measureCase(one)), wrong: [...new Set(wrong)] } satisfies Result));
  else measureAll();
} finally {
  rmSync(top, { recursive: true });
}

function measureAll(): void {
  const usual: number[] = [];
  const large: number[] = [];
  const rows = cases.map((one, number) => {
    const { on, off, wrong: errors } = measureApart(number);
    for (const text of errors) console.error(text);
    if (errors.length > 0) process.exitCode = 1;
    if (one.isLarge) large.push(on.p95);
    else usual.push(on.p50);
    return [one.name, on.p50, off.p50, on.p50 - off.p50, on.p95, off.p95, on.p99];
  });
  printTable(['', 'p50 µs', 'packs off', 'the pack', 'p95 µs', 'packs off', 'p99 µs'], rows);
  report('packs', { 'usual-p50': Math.max(...usual), 'large-p95': Math.max(...large) });
}
