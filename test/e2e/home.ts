import { DatabaseSync } from '@photostructure/sqlite';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isAlive as isThere } from '../../src/platform/processes.ts';
import { removeTree } from '../../src/platform/remove-tree.fixture.ts';
import { acceptConfig } from '../../src/workspace/config/accepted.fixture.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { until } from './until.ts';

export const TRANSPORTS = ['command', 'http'] as const;
export type Transport = (typeof TRANSPORTS)[number];

export interface LedgerEvent {
  readonly agent: string;
  readonly session: string;
  readonly event: string;
  readonly tool: string;
  readonly action: string;
  readonly rules: string;
  readonly copy: boolean;
  /** The id of the tool call, on its events. */
  readonly toolUse: string | null;
  readonly subagent: string | null;
}

export interface Finding {
  readonly level: string;
  readonly what: string;
  readonly why: string;
  readonly next: string;
}

/** A person's home directory with one project in it, made for one test. */
export interface Home {
  readonly dir: string;
  readonly project: string;
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  /** A verb as anybody may call it, in the project; throws when it fails. */
  fairlead(...args: readonly string[]): string;
  /** The same from a terminal window that no agent started. */
  byPerson(...args: readonly string[]): Promise<{ readonly code: number; readonly screen: string }>;
  init(transport: Transport, ...args: readonly string[]): Promise<void>;
  /** Writes the person's settings. */
  config(text: string): void;
  /** Removes the state file, as if nothing had happened here before. */
  forgetState(): void;
  /** A rule without code: for the person everywhere, or brought along by the project. */
  rule(name: string, text: string, owner?: 'user' | 'project'): void;
  ledger(): LedgerEvent[];
  findings(): Finding[];
  /** The process id of the engine that stays, if one runs. */
  daemon(): number | undefined;
  /** Ends that engine as a person does, so that all it holds is written. */
  stopDaemon(): Promise<void>;
  token(): string | undefined;
  /** Every process that has to do with this home. */
  processes(): string[];
  /** Ends the engine and removes the directory; returns the processes that were still there. */
  remove(): Promise<string[]>;
}

/** Tests and benches are started at the top of the checkout. */
export const CHECKOUT = process.cwd();

export function makeHome(checkout = CHECKOUT): Home {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-e2e-')));
  const project = join(dir, 'project');
  const state = join(dir, '.local', 'state', 'fairlead');
  const bin = join(checkout, 'bin', 'fairlead');
  const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: dir, LANG: 'C.UTF-8' };
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(join(project, 'src', 'app.ts'), 'export const answer = 42;\n');
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', 'commit', '-qm', 'start'],
  ])
    execFileSync('git', args, { cwd: project, env });

  const daemon = () => {
    const told = readJson(join(state, 'run', 'daemon.json')) as { pid?: number } | undefined;
    return told?.pid !== undefined && isAlive(told.pid) ? told.pid : undefined;
  };
  const processes = () =>
    execFileSync('ps', ['-eww', '-o', 'pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(dir));

  const home: Home = {
    dir,
    project,
    state,
    env,
    daemon,
    processes,
    fairlead(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
        cwd: project,
        env,
        encoding: 'utf8',
      });
      // By 1 doctor says that something needs attention.
      if (status !== 0 && !(status === 1 && args[0] === 'doctor'))
        throw new Error(`fairlead ${args.join(' ')} exited with ${status}: ${stderr}`);
      return stdout;
    },
    byPerson: (...args) =>
      inPersonTerminal(`cd ${project} && HOME=${dir} ${process.execPath} ${bin} ${args.join(' ')}`),
    async init(transport, ...args) {
      const words = ['init', '--agent', 'claude-code', '--yes', '--transport', transport, ...args];
      if (transport !== 'http') return void home.fairlead(...words);
      // Posts are for a person to want.
      const { code, screen } = await home.byPerson(...words, '--despite-other-users');
      if (code !== 0) throw new Error(`init exited with ${code}: ${screen}`);
    },
    rule(name, text, owner = 'user') {
      const rules = owner === 'user' ? join(dir, '.config', 'fairlead', 'rules') : join(project, '.fairlead', 'rules');
      mkdirSync(rules, { recursive: true });
      writeFileSync(join(rules, `${name}.md`), text);
    },
    config(text) {
      const dirOfConfig = join(dir, '.config', 'fairlead');
      mkdirSync(dirOfConfig, { recursive: true });
      writeFileSync(join(dirOfConfig, 'config.yaml'), text);
      acceptConfig(text, { state });
    },
    forgetState() {
      for (const end of ['', '-wal', '-shm']) rmSync(join(state, `state.db${end}`), { force: true });
    },
    ledger: () => readLedger(join(state, 'state.db')),
    findings() {
      const { sections } = JSON.parse(home.fairlead('doctor', '--json')) as { sections: { findings: Finding[] }[] };
      return sections.flatMap(({ findings }) => findings);
    },
    async stopDaemon() {
      const pid = daemon();
      if (pid === undefined) return;
      const { code, screen } = await home.byPerson('daemon', 'stop');
      if (code !== 0) throw new Error(`daemon stop exited with ${code}: ${screen}`);
      if (!(await until(() => !isAlive(pid)))) throw new Error(`the daemon ${pid} was stopped and is still there`);
    },
    token() {
      const path = join(state, 'run', 'token');
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
    },
    async remove() {
      // The last hook of a client that ended late starts another engine, which can be told to end once it has said where it is.
      const told = new Set<number>();
      await until(() => {
        const pid = daemon();
        if (pid !== undefined && !told.has(pid)) process.kill(pid, 'SIGTERM');
        if (pid !== undefined) told.add(pid);
        return processes().length === 0;
      }, 60_000);
      const left = processes();
      for (const line of left) tryKill(Number(line.trim().split(' ')[0]));
      await removeTree(dir);
      return left;
    },
  };
  return home;
}

function readLedger(path: string): LedgerEvent[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = db
      .prepare(
        `SELECT agent, session, event, tool, action, rules, copy, delivery, body ->> '$.event.tool.id' AS toolUse,
                body ->> '$.event.subagent.id' AS subagent FROM events LEFT JOIN details USING (n) ORDER BY n`,
      )
      .all() as (Omit<LedgerEvent, 'copy'> & { copy: number; delivery: string | null })[];
    return rows.map(({ delivery, copy, toolUse, ...row }) => ({
      ...row,
      copy: copy === 1,
      // The long form is written later than the row; what was decided is complete without it.
      toolUse: toolUse ?? (row.event.startsWith('tool.') ? (delivery?.split(' ').at(-1) ?? null) : null),
    }));
  } finally {
    db.close();
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A process that has ended and that nobody has asked about is none. */
export function isAlive(pid: number): boolean {
  if (!isThere(pid)) return false;
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone in the meantime.
  }
}

/** The client that `scripts/e2e.mjs` has installed. */
export function clientProgram(): string {
  const path = process.env['FAIRLEAD_E2E_CLIENT'];
  if (path === undefined || !existsSync(path)) throw new Error('no client: start this by `npm run e2e`');
  return resolve(path);
}
