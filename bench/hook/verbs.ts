// What a person and a new session pay where no warm engine answers: the first event of a new home, verbs, the status line, the tool server,
// and the memory of all processes of one session.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { report, roundsOr } from '../lib/figures.ts';
import { printTable, summarize } from '../lib/measure.ts';
import { createHttpClient } from './http-client.ts';
import { fill, readPayloads } from './payloads.ts';
import { createScratchHome, installCommand, installHttp } from './scratch-home.ts';
import type { ScratchHome } from './scratch-home.ts';
import { cpuSeconds, memoryOf, startDaemon } from './servers.ts';
import { createNodeSpawner } from './spawner.ts';

const FILES = 500;
const SYMBOLS_IN_FILE = 10;
const PACKS = ['autocontext', 'codegraph', 'context', 'diagrams', 'increments'];
/** By then processes at rest have given back the memory of their busy time. */
const IDLE_MS = 45_000;
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

const root = process.cwd();
const rounds = roundsOr(10);
const scratch = join(root, '.build');
const verbs = join(root, 'dist', 'command.cjs');
const median = (times: readonly number[]) => summarize(Float64Array.from(times)).p50;

/** Milliseconds from the start to the end of the first event, whose file goes with a copy; each in a home of its own. */
async function firstEvent(): Promise<number> {
  const ratios: number[] = [];
  let uncopied = 0;
  for (let round = 0; round < rounds; round += 1) {
    const home = createScratchHome(root, scratch);
    const { argv } = installCommand(home);
    spawnSync('git', ['init', '-q', home.project]);
    writeFileSync(join(home.project, 'notes.txt'), 'what nothing else has\n');
    const spawner = createNodeSpawner({ cwd: home.project, env: home.env });
    const { allow } = readPayloads(root, home.project);
    const payload = { ...(JSON.parse(allow) as object), tool_input: { command: 'rm -f notes.txt' } };
    const floor = await spawner.run([process.execPath, '-e', '0'], '');
    const { ms, ok } = await spawner.run(argv, fill(JSON.stringify(payload), 1, round));
    if (!ok) throw new Error('the first event failed');
    const kept = JSON.parse(home.fairlead('undo', 'list', '--json')) as readonly unknown[];
    if (kept.length === 0) uncopied += 1;
    ratios.push(ms / floor.ms);
    await endEngine(home);
    home.remove();
  }
  console.log(`the first event of a new home: ${rounds - uncopied} of ${rounds} with a copy`);
  // One without a copy costs less, and is not what is asked for.
  return uncopied > 0 ? Number.NaN : median(ratios);
}

/** What the first event has started. */
async function endEngine({ state }: ScratchHome): Promise<void> {
  const about = join(state, 'run', 'daemon.json');
  // It may still be on its way: the event need not have waited for it.
  while (!existsSync(about)) await sleep(20);
  const { pid } = JSON.parse(readFileSync(about, 'utf8')) as { readonly pid: number };
  process.kill(pid, 'SIGTERM');
  while (existsSync(`/proc/${pid}`)) await sleep(20);
}

/** Processor time to the end, in milliseconds. */
function cpuOf(argv: readonly string[], { project, env }: ScratchHome): number {
  const args = ['--require', join(root, 'bench', 'compare', 'cpu.cjs'), ...argv];
  const { stderr } = spawnSync(process.execPath, args, { cwd: project, env, encoding: 'utf8', input: '' });
  const micros = /\ncpu (\d+)\n$/.exec(stderr)?.[1];
  if (micros === undefined) throw new Error(`${argv.join(' ')}: ${stderr.slice(-500)}`);
  return Number(micros) / 1_000;
}

function writeSources(project: string): void {
  for (let file = 0; file < FILES; file += 1) {
    const text = Array.from({ length: SYMBOLS_IN_FILE }, (_, at) => {
      const next = at === 0 ? '1' : `f${file}_${at - 1}()`;
      return `export function f${file}_${at}(): number {\n  return ${next};\n}\n`;
    });
    writeFileSync(join(project, 'src', `file-${file}.ts`), text.join('\n'));
  }
}

/** Waits for the first line that the tool server says. */
async function startTools({ project, env }: ScratchHome) {
  const child = spawn(process.execPath, [verbs, 'mcp'], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const answered = new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the tool server ended')));
  });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await answered;
  const cpu = (cpuSeconds(child.pid ?? 0) ?? Number.NaN) * 1_000;
  const end = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.stdin.end();
    });
  return { cpu, end };
}

/** Megabytes of all processes that live in a home. */
function memoryIn({ folder }: ScratchHome): number {
  const isOurs = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${folder}\0`);
    } catch {
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOurs(name));
  const sizes = pids.map((pid) => memoryOf(Number(pid))?.now ?? 0);
  console.log(`memory of ${pids.length} processes: ${sizes.map((size) => size.toFixed(1)).join(', ')} MB`);
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function atWork(): Promise<Record<string, number>> {
  const home = createScratchHome(root, scratch);
  const { project, config, state, env } = home;
  const http = await installHttp(home);
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.yaml'), `packs: { ${PACKS.map((name) => `${name}: on`).join(', ')} }\n`);
  writeSources(project);
  home.fairlead('graph', 'index');
  const daemon = await startDaemon({ entry: join(root, 'dist', 'daemon.js'), config, state, env, pin: [] });
  const client = createHttpClient();
  try {
    const { start, prompt, read, afterRead, allow, deny, edit, stop } = readPayloads(root, project);
    let calls = 0;
    for (const payload of [start, prompt, read, afterRead, allow, deny, edit, stop])
      await client.run(http, fill(payload, 1, (calls += 1)));
    const argvOf = {
      node: ['-e', '0'],
      log: [verbs, 'log'],
      explain: [verbs, 'explain', '--last'],
      undo: [verbs, 'undo', 'list'],
      callers: [verbs, 'graph', 'callers', 'f7_3'],
    };
    const names = Object.keys(argvOf) as (keyof typeof argvOf)[];
    const times = Object.fromEntries(names.map((name) => [name, [] as number[]]));
    const lines: number[] = [];
    const spawner = createNodeSpawner({ cwd: project, env });
    const about = JSON.stringify({ session_id: 's', cwd: project, workspace: { current_dir: project } });
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) times[name]?.push(cpuOf(argvOf[name], home));
      const floor = await spawner.run(['true'], '');
      const line = await spawner.run([process.execPath, verbs, 'statusline'], about);
      if (!line.ok || line.output === '') throw new Error('no status line');
      lines.push(line.ms / floor.ms);
    }
    const floor = median(times['node'] ?? []);
    printTable(
      ['processor time', 'ms', 'to node -e 0'],
      names.map((name) => [name, median(times[name] ?? []), median(times[name] ?? []) / floor]),
    );
    const servers: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const tools = await startTools(home);
      servers.push(tools.cpu);
      await tools.end();
    }
    const tools = await startTools(home);
    await client.run(http, fill(edit, 1, (calls += 1)));
    await sleep(IDLE_MS);
    const memory = memoryIn(home);
    await tools.end();
    const ratios = names.slice(1).map((name) => [name, median(times[name] ?? []) / floor]);
    return {
      ...(Object.fromEntries(ratios) as Record<string, number>),
      statusline: median(lines),
      mcp: median(servers),
      memory,
    };
  } finally {
    client.close();
    await daemon.stop();
    home.remove();
  }
}

const first = await firstEvent();
report('verbs', { first, ...(await atWork()) });
