import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import { lineage, parsePs, readProcessTree } from './process-tree.ts';
import type { ProcessFacts } from './process-tree.ts';

describe('lineage', () => {
  const facts = (pid: number, parent: number): ProcessFacts => ({ pid, parent, name: 'x', names: ['x'], session: 0 });
  const walk = (table: ProcessFacts[], from: number) =>
    lineage({ find: (pid) => table.find((one) => one.pid === pid) }, from).map(({ pid }) => pid);

  it('goes from the process up to the first one', () =>
    expect(walk([facts(3, 2), facts(2, 1), facts(1, 0)], 3)).toEqual([3, 2, 1]));
  it('ends where a process has gone', () => expect(walk([facts(3, 2)], 3)).toEqual([3]));
  it('ends in a ring', () => expect(walk([facts(3, 2), facts(2, 3)], 3)).toEqual([3, 2]));
  it('is bounded', () =>
    expect(
      walk(
        Array.from({ length: 500 }, (_, n) => facts(n + 1, n)),
        500,
      ),
    ).toHaveLength(64));
});

describe.skipIf(lacks('linux'))('real processes', () => {
  const tree = readProcessTree();
  const children: ChildProcess[] = [];
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'tree-'));
  });
  afterAll(() => {
    for (const child of children) child.kill();
    rmSync(dir, { recursive: true });
  });

  /** Starts a program that stays, and waits until it really runs. */
  async function start(
    program: string,
    args: string[],
    options: { env?: Record<string, string>; detached?: boolean } = {},
  ): Promise<number> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
    children.push(child);
    await new Promise((ok) => child.stdout.once('data', ok));
    return child.pid ?? 0;
  }

  it('sees itself and its parent', () => {
    const [self, parent] = lineage(tree, process.pid);
    expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(self?.env).toContain('PATH');
    expect(parent?.pid).toBe(process.ppid);
    expect(tree.all().map(({ pid }) => pid)).toContain(process.pid);
  });

  it('knows nothing of a process that has ended', () => expect(tree.find(spawnSync('true').pid)).toBeUndefined());

  it('tells the session and the variables of another process', async () => {
    const pid = await start('sh', ['-c', 'echo; read x'], { env: { HELM_AGENT: 'a=b', EMPTY: '' }, detached: true });
    expect(tree.find(pid)).toMatchObject({ name: 'sh', parent: process.pid, session: pid });
    expect(tree.find(pid)?.env).toEqual(expect.arrayContaining(['HELM_AGENT', 'EMPTY']));
    expect(tree.find(pid)?.tty).toBeUndefined();
  });

  it('reads a name with spaces and parentheses', async () => {
    const program = join(dir, 'a) R (b');
    symlinkSync('/bin/sh', program);
    const pid = await start(program, ['-c', 'echo; read x']);
    expect(tree.find(pid)).toMatchObject({ name: 'a) R (b', parent: process.pid });
  });

  const STAY = 'console.log(1); process.stdin.resume();';
  it.each([
    ['a script by its file', 'helmsman.mjs', 'helmsman'],
    ['a script by its package', 'node_modules/@port/helmsman/dist/cli.js', 'helmsman'],
  ])('names %s', async (_, file, name) => {
    const script = join(dir, file);
    mkdirSync(dirname(script), { recursive: true });
    writeFileSync(script, STAY);
    expect(tree.find(await start(process.execPath, [script]))?.names).toContain(name);
  });

  it('does not take the argument of another program for a name', async () => {
    writeFileSync(join(dir, 'helmsman'), 'text\n');
    const pid = await start('tail', ['-f', join(dir, 'helmsman')]);
    expect(tree.find(pid)?.names).not.toContain('helmsman');
  });

  it.skipIf(lacks('script'))('finds who made a terminal, and what runs in it', async () => {
    const maker = await start('script', ['-qfc', `echo $$ > ${dir}/inside; echo; read x`, '/dev/null']);
    const inside = tree.find(Number(readFileSync(join(dir, 'inside'), 'utf8')));
    expect(inside).toMatchObject({ session: inside?.pid, tty: expect.any(String) });
    expect(tree.maker(inside?.tty ?? '')?.pid).toBe(maker);
    expect(tree.opened(inside?.pid ?? 0)).toContain(inside?.tty);
  });

  it.skipIf(lacks('ps'))('agrees with ps', async () => {
    const pid = await start('sh', ['-c', 'echo; read x'], { env: { HELM_AGENT: '1' }, detached: true });
    const table = parsePs(
      execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,stat=,tty=,command='], { encoding: 'utf8', maxBuffer: 1 << 26 }),
    );
    const { name, parent, session } = tree.find(pid) ?? {};
    expect(table.get(pid)).toMatchObject({ name, parent, session });
    expect(table.get(pid)?.env).toContain('HELM_AGENT');
    expect(table.get(pid)?.tty).toBeUndefined();
  });
});

describe('rows of ps', () => {
  const table = parsePs(`
    1     0 Ss   ??      /sbin/launchd
  310     1 S    ??      /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
  411   310 Ss   ttys001 login -pf dev
  412   411 S    ttys001 -zsh HOME=/Users/dev TERM=xterm
  500   412 S+   ttys001 node /Users/dev/bin/helmsman.js --flag A=1 PATH=/bin HELM_AGENT=1`);

  it.each([
    [1, { name: 'launchd', session: 1 }],
    [411, { name: 'login', session: 411, tty: 'ttys001' }],
    [412, { name: 'zsh', session: 411, env: ['HOME', 'TERM'] }],
    [500, { parent: 412, names: ['node', 'helmsman'], env: ['A', 'PATH', 'HELM_AGENT'] }],
  ])('process %i', (pid, facts) => expect(table.get(pid)).toMatchObject(facts));

  it('skips what is no row', () => expect(parsePs('ps: illegal option\n').size).toBe(0));
});
