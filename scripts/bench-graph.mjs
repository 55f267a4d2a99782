// `npm run bench:graph [-- index|refresh|queries|daemon]`: bundles bench/graph/bench.ts and runs it by plain Node. Trees and
// programs to compare with are fetched once into a scratch folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const { build } = await import('esbuild');
const outdir = join(scratch, `bench-graph-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  const outfile = join(outdir, 'bench.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/graph/bench.ts'],
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
  const argv = [
    '--interrupt-budget=1000000',
    '--max-semi-space-size=4',
    outfile,
    root,
    join(scratch, 'bench-graph'),
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true });
}
