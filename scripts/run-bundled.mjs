import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

/**
 * Bundles one file to one and runs it by plain Node, so that what is measured is what ships and not a test runner; the
 * process ends as it does. `flags` are those of Node, `env` is what it finds besides.
 */
export async function runBundled(entry, name, args, { flags = [], env = {} } = {}) {
  await prepare();
  const { build } = await import('esbuild');
  const outdir = join(scratch, `${name}-${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  try {
    const outfile = join(outdir, 'main.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      define: {
        __FAIRLEAD_VERSION__: `"${name}"`,
        __FAIRLEAD_BUILD__: `"${name}"`,
        __FAIRLEAD_STAMP__: `"0.0.0+0.${name}"`,
      },
      logLevel: 'warning',
    });
    const { status } = spawnSync(process.execPath, [...flags, outfile, ...args], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    });
    if (status !== 0) process.exitCode = status ?? 1;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
