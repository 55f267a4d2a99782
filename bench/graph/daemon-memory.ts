import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface DaemonMemory {
  /** Bytes of the daemon before there was an index, and with it open. */
  readonly before: number;
  readonly after: number;
  /** What it has open: the finished graph. */
  readonly opened: number;
  /** Whether the process that parsed is gone. */
  readonly indexerEnded: boolean;
}

const SETTLE_MS = 4_000;
/** Longer than an indexing process stays without work. */
const MOST_IDLE_MS = 45_000;

/** A real daemon in a home of its own, told of prompts in the project before and after it is indexed. */
export async function measureDaemon(root: string, project: string, scratch: string): Promise<DaemonMemory> {
  const home = join(scratch, 'daemon-home');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env['PATH'] ?? '', HOME: realpathSync(home) };
  const run = (input: string, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'bin/fairlead'), ...args], { cwd: project, env, input, encoding: 'utf8' });
  const prompts = async () => {
    for (let at = 0; at < 20; at += 1) {
      const prompt = { session_id: 's', cwd: project, hook_event_name: 'UserPromptSubmit', prompt: `step ${at}` };
      run(JSON.stringify(prompt), 'hook', 'UserPromptSubmit', '--agent', 'claude-code');
    }
    await wait(SETTLE_MS);
  };
  const about = () => JSON.parse(readFileSync(find(home, 'daemon.json'), 'utf8')) as { pid: number };
  await prompts();
  const before = residentOf(about().pid);
  const { status, stderr } = run('', 'graph', 'index');
  if (status !== 0) throw new Error(`fairlead graph index: ${stderr}`);
  await prompts();
  const { pid } = about();
  const after = residentOf(pid);
  const opened = statSync(find(home, 'snapshot')).size;
  const deadline = performance.now() + MOST_IDLE_MS;
  while (isIndexing(home) && performance.now() < deadline) await wait(500);
  const indexerEnded = !isIndexing(home);
  run('', 'daemon', 'stop');
  return { before, after, opened, indexerEnded };
}

function find(dir: string, name: string): string {
  const found = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find((path) => path.split('/').at(-1) === name);
  if (found === undefined) throw new Error(`no ${name} below ${dir}`);
  return join(dir, found);
}

function residentOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

function isIndexing(home: string): boolean {
  return readdirSync('/proc').some((pid) => isIndexerIn(pid, home));
}

function isIndexerIn(pid: string, home: string): boolean {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return line.includes('indexer.js') && line.includes(home);
  } catch {
    return false;
  }
}
