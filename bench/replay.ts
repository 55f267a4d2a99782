// How fast `fairlead replay` is, and how much memory it takes: the built command over transcripts that are composed of recorded
// ones. Every session goes through all of them several times, and no two shell commands are the same.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from './lib/measure.ts';

const TOOL_EVENTS = 50_000;
const RUNS = Number(process.env['RUNS'] ?? 3);
/** Recorded sessions that one goes through: a working day. */
const CHAIN = 20;
const PROJECT = '/home/dev/project';
const root = process.cwd();
const fixtures = join(root, 'test', 'fixtures');

const extras = join(fixtures, 'claude-code', 'extras');
const replayed = join(fixtures, 'replay', '-home-dev-project');
/** Transcripts of whole sessions. */
const recorded = [
  ...['transcript', 'transcript.compacted', 'transcript.asked', 'transcript.commands'].map((name) =>
    join(extras, `${name}.jsonl`),
  ),
  ...readdirSync(replayed)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(replayed, name)),
].map((path) => readFileSync(path, 'utf8').trim());

const commands = readFileSync(join(fixtures, 'guard', 'look-alikes.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

type Line = Record<string, unknown> & { message?: { content?: unknown } };
interface Block {
  type?: string;
  name?: string;
  input?: Record<string, unknown>;
}

let written = 0;
let toolEvents = 0;

/** The recorded session once more, later in another one, with other ids and other commands. */
function copyOf(text: string, session: string, copy: number): string {
  const recordedAs = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? '';
  const later = copy * 60_000;
  return text
    .replaceAll(recordedAs, session)
    .replace(/toolu_\w+/g, (id) => `${id}c${copy}`)
    .replace(
      /"timestamp":"([^"]+)"/g,
      (_, at: string) => `"timestamp":"${new Date(Date.parse(at) + later).toISOString()}"`,
    )
    .replace(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(PROJECT)}`)
    .split('\n')
    .map(otherCommands)
    .join('\n');
}

const sessionOf = (copy: number): string => `00000000-0000-4000-8000-${String(copy).padStart(12, '0')}`;

function otherCommands(line: string): string {
  if (line.includes('"tool_result"')) toolEvents += 1;
  if (!line.includes('"tool_use"')) return line;
  const told = JSON.parse(line) as Line;
  const blocks = Array.isArray(told.message?.content) ? (told.message.content as Block[]) : [];
  for (const block of blocks) {
    if (block.type !== 'tool_use') continue;
    toolEvents += 1;
    if (block.name !== 'Bash') continue;
    written += 1;
    const { command } = block.input ?? {};
    // Half of them stay what an agent had run; the others are as hard to read as any.
    const text = written % 2 === 0 ? String(command) : commands[(written >> 1) % commands.length];
    block.input = { ...block.input, command: `: ${written}; ${text}` };
  }
  return JSON.stringify(told);
}

function compose(dir: string): void {
  mkdirSync(dir, { recursive: true });
  let copies = 0;
  for (let at = 0; toolEvents < TOOL_EVENTS; at += 1) {
    const session = sessionOf(at);
    const chain = Array.from({ length: CHAIN }, () =>
      copyOf(recorded[copies % recorded.length] ?? '', session, (copies += 1)),
    );
    writeFileSync(join(dir, `${session}.jsonl`), `${chain.join('\n')}\n`);
  }
}

const SAYS_USE = `data:text/javascript,import { writeSync } from 'node:fs';
process.on('exit', () => writeSync(2, '\\n' + JSON.stringify(process.resourceUsage()) + '\\n'));`;

function replayOnce(dir: string): readonly (string | number)[] {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', SAYS_USE, join(root, 'dist', 'cli.js'), 'replay', dir, '--json'],
    { encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, HOME: dir, FAIRLEAD_HOME: join(dir, 'none') } },
  );
  const seconds = (performance.now() - started) / 1_000;
  if (status !== 0) throw new Error(stderr);
  const use = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as NodeJS.ResourceUsage;
  const { events, unknown, calls } = JSON.parse(stdout) as { events: number; unknown: number; calls: number };
  const cpu = (use.userCPUTime + use.systemCPUTime) / 1e6;
  return [
    ...[events, calls, unknown, seconds, Math.round(events / seconds), Math.round(toolEvents / seconds), cpu],
    ...[Math.round(events / cpu), Math.round(use.maxRSS / 1_024), loadavg()[0] ?? 0],
  ];
}

const dir = mkdtempSync(join(tmpdir(), 'fairlead-bench-replay-'));
try {
  compose(join(dir, 'transcripts'));
  const rows = Array.from({ length: RUNS }, () => replayOnce(dir));
  printTable(
    ['events', 'calls', 'unknown', 'seconds', 'events/s', 'tool events/s', 'CPU s', 'events/CPU s', 'MB RSS', 'load'],
    rows,
  );
} finally {
  rmSync(dir, { recursive: true, force: true });
}
