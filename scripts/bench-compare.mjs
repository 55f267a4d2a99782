// `npm run bench:compare [-- --against COMMIT] [--seconds N] [--json]`: this build beside the commit that bench/baseline names.
// Where that commit is not at hand, or cannot be built, it says so, and that is no failure.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root, scratch } from './prepare.mjs';
import { bundleFile } from './run-bundled.mjs';

const { values } = parseArgs({
  options: { against: { type: 'string' }, seconds: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const began = performance.now();
const folders = join(scratch, 'baseline');

function run(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30, ...options });
  return status === 0 ? (stdout ?? '') : undefined;
}

function wantedCommit() {
  const name = values.against ?? readFileSync(join(root, 'bench', 'baseline'), 'utf8').trim();
  const commit = run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim();
  if (commit === undefined && values.against !== undefined) throw new Error(`there is no commit ${name} here`);
  return { name, commit };
}

/** All of it takes a minute and a half; a machine that needs most of that to build still gets some rounds. */
function secondsLeft() {
  return Math.max(15, Math.round(75 - (performance.now() - began) / 1_000));
}

/** The other build in a folder of its own; what it was built before is used again. */
function buildOther(commit) {
  const folder = join(folders, commit);
  if (existsSync(join(folder, 'dist', 'build.json'))) return folder;
  rmSync(folders, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = run('git', ['archive', '--format=tar', commit], { encoding: 'buffer' });
  if (archive === undefined || run('tar', ['-x', '-C', folder], { input: archive }) === undefined) return undefined;
  const lockOf = (dir) => readFileSync(join(dir, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else if (
    run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder }) === undefined
  )
    return undefined;
  return run(process.execPath, ['scripts/build.mjs'], { cwd: folder }) === undefined ? undefined : folder;
}

/** What decides the list of commands, the same text for both builds: bundled from the sources of each. */
const DECIDER = ['bench/compare/engine.ts', 'bench/guard/decider.ts', 'bench/guard/list.ts'];

function bundleEngine(folder) {
  if (folder !== root) for (const file of DECIDER) cpSync(join(root, file), join(folder, file), { recursive: true });
  return bundleFile(folder, DECIDER[0], join(folder, '.build', 'compare-engine.mjs'), 'compare');
}

/** The engine bench, each build's own; it finds its fixtures from two folders below the root. */
function bundleBench(folder) {
  return bundleFile(folder, 'bench/engine.ts', join(folder, '.build', 'compare-bench', 'main.mjs'), 'compare');
}

await prepare();
const { name, commit } = wantedCommit();
const head = run('git', ['rev-parse', 'HEAD'])?.trim();
if (commit === undefined)
  console.log(`bench:compare: ${name} is not in this clone, so nothing is compared. That is no failure.`);
else {
  const folder = buildOther(commit);
  if (folder === undefined)
    console.log(`bench:compare: ${commit} could not be built, so nothing is compared. That is no failure.`);
  else {
    const changed = run('git', ['status', '--porcelain', '--', 'src', 'native', 'bin']) === '' ? '' : ' with changes';
    console.error(
      `${new Date().toISOString().slice(0, 10)}, ${head?.slice(0, 10)}${changed} beside ${commit.slice(0, 10)}\n`,
    );
    const [own, other] = [await bundleEngine(root), await bundleEngine(folder)];
    const benches = [await bundleBench(root), await bundleBench(folder)];
    const bench = await bundleFile(root, 'bench/compare/compare.ts', join(scratch, 'compare.mjs'), 'compare');
    const { status } = spawnSync(
      process.execPath,
      [
        ...[bench, folder, own, other, ...benches, values.seconds ?? String(secondsLeft())],
        ...(values.json ? ['--json'] : []),
      ],
      {
        cwd: root,
        stdio: 'inherit',
      },
    );
    process.exitCode = status ?? 1;
  }
}
