// What a shell command costs: its reading, its effects, and the whole decision inside the engine; without the transport.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adapterNamed } from '../src/adapters/registry.ts';
import { effectsOfReading } from '../src/effects/effects.ts';
import type { Surroundings } from '../src/effects/scene.ts';
import type { HookCall } from '../src/event/event.ts';
import { handle } from '../src/handle.ts';
import { openEngine } from '../src/assembly/open-engine.ts';
import { pathsOf } from '../src/platform/paths.ts';
import { readShell } from '../src/shell/read.ts';
import { readCorpus, readLists, sharedCorpora } from '../test/guard/cases.ts';
import { measure, printTable } from './lib/measure.ts';
import type { Measured } from './lib/measure.ts';

/** At the end of the list stand calls that would be stopped: there the repository is looked at. */
const LIMITS = { p50: 60, p99: 2_000, script: 100 };
const PASSES = 8;
const WARM_PASSES = 3;
/** A session goes on for this many commands; the guard remembers what it denied in one. */
const SESSION_COMMANDS = 50;

/** Not in the system's directory for temporary files: there, deleting is harmless and costs less to judge. */
const home = join(process.cwd(), '.build', `bench-guard-${process.pid}`);
const project = join(home, 'project');
mkdirSync(join(project, '.git'), { recursive: true });
// A repository of its own, else a look would find the one that this file lies in.
writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');

/** What a build does, over and over. */
const BUILD = [
  'set -euo pipefail',
  'cd "$(dirname "$0")"',
  'if [ ! -d node_modules ]; then npm ci; fi',
  'echo "building ${1:-all} in $PWD"',
  'rm -rf dist',
  'npx tsc -p . || { echo "types do not fit" >&2; exit 1; }',
  'for part in core web cli; do npx esbuild "src/$part/main.ts" --bundle --outdir="dist/$part"; done',
  '',
].join('\n');
const SCRIPT_BYTES = 10_240;
const script = BUILD.repeat(Math.ceil(SCRIPT_BYTES / BUILD.length)).slice(0, SCRIPT_BYTES);
writeFileSync(join(project, 'build.sh'), `#!/bin/bash\n${script}`, { mode: 0o755 });
writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts: { build: 'bash build.sh' } }));
const SCRIPTS = ['bash build.sh', './build.sh', 'source build.sh', 'npm run build'];

const lists = readLists(process.cwd());
const shared = sharedCorpora(process.cwd()).flatMap(readCorpus);
const cases = shared.length > 0 ? shared : [...lists.lookAlikes, ...lists.catastrophes];
const commands = cases.flatMap(({ command }) => command ?? []);
const readRecorded = (file: string) =>
  JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/claude-code', file), 'utf8')) as Record<string, unknown>;
const recorded = readRecorded('PreToolUse/bash.json');
const notification = readRecorded('Notification/elicitation-response.json');
const input = recorded['tool_input'] as Record<string, unknown>;

let calls = 0;
let phase = 0;
let turn: readonly string[] = commands;
const next = (): string => turn[calls++ % turn.length] as string;
const session = (): string => `bench-${phase}-${Math.floor(calls / SESSION_COMMANDS)}`;
const payloadOf = (command: string): Record<string, unknown> => ({
  ...recorded,
  cwd: project,
  session_id: session(),
  tool_use_id: `toolu_${calls}`,
  tool_input: { ...input, command },
});
const callWith = (payload: () => unknown) => (): HookCall => ({
  payload: payload(),
  cwd: project,
  depth: 0,
  home,
  receivedAt: Date.now(),
});

const surroundings: Surroundings = { cwd: project, home, root: project, agentSettings: [], ownDirs: [] };
const adapter = adapterNamed('claude-code');
if (!adapter) throw new Error('no adapter');
const opened = openEngine({ paths: pathsOf(join(home, 'fairlead')), userHome: home, resident: true });
const failures = new Map<string, number>();
const engine = {
  ...opened,
  onFailure: (what: string, error: unknown) => {
    const text = `${what}: ${String(error)}`;
    failures.set(text, (failures.get(text) ?? 0) + 1);
  },
};

async function over<T>(work: (given: T) => unknown, prepare: () => T, list = commands): Promise<Measured> {
  calls = 0;
  phase += 1;
  turn = list;
  return measure(work, {
    prepare,
    runs: PASSES * list.length,
    warmup: WARM_PASSES * list.length,
    // As often as a busy engine does it after its replies.
    between: () => opened.memory.ledger.flush(),
    every: SESSION_COMMANDS,
  });
}

try {
  const parse = await over(
    (text: string) => void JSON.parse(text),
    () => JSON.stringify(payloadOf(next())),
  );
  const neutral = await over(
    (call: HookCall) => handle(call, adapter, engine),
    callWith(() => ({ ...notification, cwd: project, session_id: session(), at: calls++ })),
  );
  const read = await over((command: string) => readShell(command, surroundings), next);
  const effects = await over(
    (reading) => effectsOfReading(reading, surroundings),
    () => readShell(next(), surroundings),
  );
  const decide = (call: HookCall) => handle(call, adapter, engine);
  const before = callWith(() => payloadOf(next()));
  const whole = await over(decide, before);
  const answered = new Set<string>();
  turn = commands;
  calls = 0;
  for (const command of commands) if ((await decide(before())).stdout !== '') answered.add(command);
  const passing = await over(
    decide,
    before,
    commands.filter((command) => !answered.has(command)),
  );
  const held = await over(decide, before, [...answered]);
  const started = await over(decide, before, SCRIPTS);

  console.log(
    `${commands.length} commands of ${shared.length > 0 ? 'the corpora beside the project' : 'our own lists'}, ${answered.size} of them answered, ${PASSES} times each, warm\n`,
  );
  const row = (name: string, { p50, p95, p99 }: Measured) => [name, p50, p95, p99];
  printTable(
    ['', 'p50 µs', 'p95 µs', 'p99 µs'],
    [
      row('baseline: JSON.parse of the payload', parse),
      row('baseline: an event that no rule wants', neutral),
      row('read the command', read),
      row('effects of the reading', effects),
      row('whole decision', whole),
      row('  of commands that pass', passing),
      row('  of commands that are answered, with commit', held),
      row('  of commands that start a script of 10 kB', started),
    ],
  );
  console.log('\nlimits:');
  const limits: [string, number, number][] = [
    ['whole decision, p50 µs', whole.p50, LIMITS.p50],
    ['whole decision, p99 µs', whole.p99, LIMITS.p99],
    ['with a script of 10 kB in the cache, p50 µs', started.p50, LIMITS.script],
  ];
  printTable(
    ['', 'measured', 'at most', ''],
    limits.map(([name, value, limit]) => [name, value, limit, value <= limit ? 'met' : 'MISSED']),
  );
  if (limits.some(([, value, limit]) => !(value <= limit))) process.exitCode = 1;
  // A benchmark of failures would look fast.
  for (const [text, times] of failures) console.error(`${times} times ${text}`);
  if (failures.size > 0) process.exitCode = 1;
} finally {
  opened.close();
  rmSync(home, { recursive: true });
}
