// What a copy costs before a call: trees of 1, 100 and 10,000 files, in a repository and outside, with the budget lifted.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keep } from '../src/undo/keep.ts';
import { storeIn, worldOf } from '../src/undo/serve-copies.ts';
import type { Effect } from '../src/event/effect.ts';

const SIZES = [1, 100, 10_000];
const home = join(process.cwd(), '.build', `bench-undo-${process.pid}`);
const BYTES = 2_000;

function plant(root: string, files: number, changes: boolean): void {
  for (let at = 0; at < files; at += 1) {
    const path = join(root, 'tree', String(Math.floor(at / 50)), `f${at}`);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${changes ? 'changed ' : ''}${at}\n`.padEnd(BYTES, 'x'));
  }
}

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { cwd, stdio: 'ignore' });

async function measured(root: string, effect: Effect, runs: number): Promise<readonly number[]> {
  const world = worldOf({ state: join(root, 'state'), userHome: home, env: {} });
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const store = storeIn(join(home, 'state', String(Math.random())), world);
    const start = performance.now();
    const result = await keep(store, world, {
      effects: [effect],
      about: { at: Date.now(), session: 's', root, agent: 'bench', command: effect.seen },
      budget: { ms: 600_000, bytes: 1 << 30 },
      excluded: [],
    });
    times.push(performance.now() - start);
    if (!('kept' in result)) throw new Error(JSON.stringify(result));
    store.clear();
  }
  return times.sort((a, b) => a - b);
}

const show = (name: string, files: number, times: readonly number[]): void => {
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1).padStart(8);
  process.stdout.write(
    `${name.padEnd(28)}${String(files).padStart(7)} files   p50 ${at(0.5)} ms   p95 ${at(0.95)} ms\n`,
  );
};

try {
  for (const files of SIZES) {
    const runs = files > 1_000 ? 10 : 60;
    const plain = join(home, `plain-${files}`);
    plant(plain, files, false);
    const tree = { target: 'tree', scope: 'inside', recursive: true, seen: 'rm -r tree', road: [] } as const;
    show(
      'rm -r, no repository',
      files,
      await measured(plain, { ...tree, kind: 'delete', path: join(plain, 'tree') }, runs),
    );
    const project = join(home, `project-${files}`);
    plant(project, files, false);
    git(project, 'init', '-q');
    git(project, 'add', '.');
    git(project, 'commit', '-q', '-m', 'one');
    show(
      'rm -r, in a repository',
      files,
      await measured(project, { ...tree, kind: 'delete', path: join(project, 'tree') }, runs),
    );
    if (files > 2_000) continue;
    plant(project, files, true);
    const reset = { kind: 'discard', how: 'hard-reset', target: 'everything', recursive: true, road: [] } as const;
    const words = { dir: project, staged: true };
    show('git reset --hard', files, await measured(project, { ...reset, seen: 'git reset --hard', git: words }, runs));
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
