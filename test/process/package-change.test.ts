import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { until } from '../patience.ts';
import { writeAdopted } from '../../src/adopted/store.ts';
import { readLaunched } from '../../src/transport/launch-place.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { inPersonTerminal } from '../person-terminal.ts';
import { lacks } from '../lacking.ts';
import { bash, copyProduct, decisionOf, newHome, NO_TOUCH, runEntry, signal } from './daemon-home.ts';
import type { Home, Ran } from './daemon-home.ts';
import type { Product } from './product.ts';

interface Installed {
  readonly home: Home;
  /** Where the package lies, as npm puts it. */
  readonly root: string;
  readonly settings: string;
  /** Sends a call as the agent does: by what stands in its settings. */
  send(command: string, session?: string): Promise<Ran>;
  /** What hooks start. */
  launched(): string | undefined;
}

/** Is loaded after all else that a daemon may need, and says so. */
const LAST = 'zz-last.js';

/** What the package has, and so what hooks start. */
type ClientKind = 'native' | 'node';
const CLIENTS: readonly ClientKind[] = lacks('cc') ? ['node'] : ['native', 'node'];

/** A package for a machine that it has no client for, and no compiler. */
function withoutNative(root: string): void {
  for (const part of ['native', 'dist/clients', 'dist/fairlead-client'])
    rmSync(join(root, part), { recursive: true, force: true });
}

const rootOf = ({ dist }: Product): string => dirname(dist);

async function install(product: Product, client: ClientKind): Promise<Installed> {
  const home = newHome({ isNew: true });
  home.rule('no-touch', NO_TOUCH);
  const root = join(home.dir, 'v1', 'lib', 'node_modules', 'fairlead');
  mkdirSync(dirname(root), { recursive: true });
  cpSync(rootOf(product), root, { recursive: true, verbatimSymlinks: true });
  if (client === 'node') withoutNative(root);
  addLast(join(root, 'dist'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(home.dir, 'person'), FAIRLEAD_HOME: home.dir };
  const ran = await runEntry(
    [process.execPath, join(root, 'bin/fairlead'), 'init', '--agent', 'claude-code', '--yes'],
    '',
    {
      cwd: home.project,
      env,
    },
  );
  expect(ran).toMatchObject({ code: 0, err: '' });
  const settings = join(home.project, '.claude', 'settings.local.json');
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]>;
  };
  const entry = hooks['PreToolUse']?.[0]?.hooks[0];
  if (!entry) throw new Error('no entry was written');
  expect(entry.command.endsWith('fairlead-client')).toBe(client === 'native');
  return {
    ...{ home, root, settings },
    send: (command, session = 's1') =>
      runEntry([entry.command, ...entry.args], JSON.stringify(bash(home, command, { session_id: session })), {
        cwd: home.project,
        env: { PATH: '/nowhere', HOME: env.HOME, CLAUDE_CODE_SESSION_ID: session, CLAUDE_PROJECT_DIR: home.project },
      }),
    launched: () => readLaunched(nodeFiles, join(home.state, 'bin', 'current'))?.stamp,
  };
}

function addLast(dist: string): void {
  const path = join(dist, 'build.json');
  const built = JSON.parse(readFileSync(path, 'utf8')) as { late: string[] };
  writeFileSync(
    join(dist, LAST),
    "import { writeFileSync } from 'node:fs';\nwriteFileSync(new URL('loaded', import.meta.url), '');\n",
  );
  writeFileSync(path, JSON.stringify({ ...built, late: [...built.late, LAST] }));
}

/** As npm does it: the old package goes aside, the new one comes file by file, nothing is in its place meanwhile. */
async function replaceBy(product: Product, root: string, client: ClientKind): Promise<void> {
  renameSync(root, `${root}-old`);
  await sleep(300);
  for (const part of ['package.json', 'bin', 'node_modules', 'dist/hook.js', 'dist/daemon.js', 'dist'])
    if (existsSync(join(rootOf(product), part))) {
      cpSync(join(rootOf(product), part), join(root, part), { recursive: true, verbatimSymlinks: true });
      if (client === 'node') withoutNative(root);
      await sleep(50);
    }
  rmSync(`${root}-old`, { recursive: true });
}

describe.skipIf(lacks('linux')).each(CLIENTS)('a package that is replaced while agents work, %s', (client) => {
  const [older, newer] = [copyProduct({ builtAt: 1_600_000_000_000 }), copyProduct({ builtAt: 4_000_000_000_000 })];

  it.each([
    ['an update', older, newer] as const,
    ...(isLong || client === 'native' ? ([['a downgrade', newer, older]] as const) : []),
  ])('%s: no event is lost, and hooks start the new one', async (_, before, after) => {
    const { home, root, send, launched } = await install(before, client);
    expect(launched()).toBe(before.stamp);
    expect(decisionOf(await send('touch a'))).toBe('deny');
    const { pid } = await home.daemon();
    await until('it has loaded all that it may need', () => existsSync(join(root, 'dist/loaded')));
    let stop = false;
    const ran: Ran[] = [];
    const worker = async (): Promise<void> => {
      while (!stop) ran.push(await send('touch b'));
    };
    const workers = [worker(), worker()];
    await replaceBy(after, root, client);
    const next = await until('the engine of the new package answers', async () => {
      const status = await home.status();
      return status && status.pid !== pid && status.stamp === after.stamp && status.requests.socket > 5 && status;
    }).finally(() => (stop = true));
    await Promise.all(workers);
    expect(ran.filter((each) => decisionOf(each) !== 'deny').map(({ out }) => out)).toEqual([]);
    expect(ran.filter(({ code, err }) => code !== 0 || err !== '')).toEqual([]);
    await until('hooks start the new one', () => launched() === after.stamp);
    expect(decisionOf(await send('touch c'))).toBe('deny');
    expect((await home.status())?.pid).toBe(next.pid);
    const denied = home.ledger().filter(({ action, copy }) => action === 'deny' && copy === 0);
    expect(denied).toHaveLength(ran.length + 2);
  });
});

describe.skipIf(lacks('linux')).each(CLIENTS)('a package that is removed, %s', (client) => {
  it('asks once in a session, then lets calls pass; what is left takes the hooks out', async () => {
    const { home, root, settings, send } = await install(copyProduct(), client);
    expect(decisionOf(await send('touch a'))).toBe('deny');
    const { pid } = await home.daemon();
    const adopted = join(home.dir, 'person', '.claude', 'settings.json');
    const hooks = [{ name: 'mine', event: 'Stop', entry: { type: 'command', command: 'mine.sh' } }];
    const set = { id: 'a', hooks, agent: 'claude-code', file: adopted, takenAt: 1, sha256: '', undo: [] };
    writeAdopted(nodeFiles, home.state, { sets: [set], rules: [] });
    rmSync(root, { recursive: true });
    // Who is loaded already goes on for a while, in case it is an update.
    expect(decisionOf(await send('touch b'))).toBe('deny');
    signal(pid, 'SIGTERM');
    await until('it is gone', () => home.daemons().length === 0);
    const asked = await send('touch c');
    expect(decisionOf(asked)).toBe('ask');
    const command = /out: (sh .* uninstall)/.exec(asked.out)?.[1] ?? '';
    expect(command).toContain(join(home.state, 'bin'));
    expect(decisionOf(await send('touch d'))).toBe('none');
    expect(decisionOf(await send('touch e', 's2'))).toBe('ask');
    expect(decisionOf(await send('touch f', 's2'))).toBe('none');
    if (lacks('script')) return;
    const { code, screen } = await inPersonTerminal(`HOME=${join(home.dir, 'person')} ${command}`);
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('Took claude-code out of') });
    expect(existsSync(settings)).toBe(false);
    expect(readFileSync(adopted, 'utf8')).toContain('mine.sh');
  });

  if (!isLong && client !== CLIENTS[0]) return;
  it('and installed again answers at once', async () => {
    const product = copyProduct();
    const { home, root, send } = await install(product, client);
    rmSync(root, { recursive: true });
    expect(decisionOf(await send('touch a'))).toBe('ask');
    cpSync(rootOf(product), root, { recursive: true, verbatimSymlinks: true });
    if (client === 'node') withoutNative(root);
    expect(decisionOf(await send('touch b'))).toBe('deny');
    await home.daemon();
    await until('it is forgotten who was asked', () => !existsSync(join(home.run, 'gone', 'since')));
  });
});
