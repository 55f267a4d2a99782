// Runs bench/*.ts, or those whose name contains an argument: each is bundled to one file and run by plain Node, so
// that what is measured is what ships and not a test runner.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const { build } = await import('esbuild');
const wanted = process.argv.slice(2);
const folder = join(root, 'bench');
const benches = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (benches.length === 0) {
  console.error('no bench matches');
  process.exitCode = 1;
}

const outdir = join(scratch, `bench-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  for (const name of benches) {
    const outfile = join(outdir, name.replace(/\.ts$/, '.mjs'));
    await build({
      absWorkingDir: root,
      entryPoints: [`bench/${name}`],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      define: {
        __FAIRLEAD_VERSION__: '"bench"',
        __FAIRLEAD_BUILD__: '"bench"',
        __FAIRLEAD_STAMP__: '"0.0.0+0.bench"',
      },
      logLevel: 'warning',
    });
    console.log(`\n${name.replace(/\.ts$/, '')}`);
    const { status } = spawnSync(process.execPath, ['--expose-gc', outfile], { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
} finally {
  rmSync(outdir, { recursive: true });
}
