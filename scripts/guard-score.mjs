// `npm run guard:score [-- --json]`: bundles bench/guard/score.ts and runs it by plain Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const { build } = await import('esbuild');
const outdir = join(scratch, `guard-score-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  const outfile = join(outdir, 'score.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/guard/score.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    define: {
      __FAIRLEAD_VERSION__: '"score"',
      __FAIRLEAD_BUILD__: '"score"',
      __FAIRLEAD_STAMP__: '"0.0.0+0.score"',
    },
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true });
}
