// `npm run bench:hook`, `bench:load` and others: bundles bench/hook/<name>.ts and runs it by plain Node, as bench.mjs does for the engine.
// What follows the name goes to the bench.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const { build } = await import('esbuild');
const [name, ...args] = process.argv.slice(2);
const outdir = join(scratch, `bench-hook-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['agents', 'hook', 'load', 'page', 'phases', 'stalls', 'verbs', 'generator', 'tabs'].map(
      (each) => `bench/hook/${each}.ts`,
    ),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, [join(outdir, `${name}.mjs`), ...args], { cwd: root, stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
  });
} finally {
  rmSync(outdir, { recursive: true });
}
