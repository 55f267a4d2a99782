// `npm run graph:accuracy [-- --only ts|py] [--corpus NAME] [--json] [--misses N]`: bundles bench/graph-accuracy/main.ts
// and runs it by plain Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const { build } = await import('esbuild');
const outdir = join(scratch, `graph-accuracy-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  const outfile = join(outdir, 'main.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/graph-accuracy/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: {
      __FAIRLEAD_VERSION__: '"accuracy"',
      __FAIRLEAD_BUILD__: '"accuracy"',
      __FAIRLEAD_STAMP__: '"0.0.0+0.accuracy"',
    },
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, ['--max-old-space-size=4096', outfile, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true });
}
