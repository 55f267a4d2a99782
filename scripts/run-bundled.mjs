import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, scratch } from './prepare.mjs';

/** Bundles one file of a folder's sources to one that plain Node runs, as what ships is; `name` is its version and build. */
export async function bundleFile(folder, entry, outfile, name) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: folder,
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
  return outfile;
}

/**
 * Bundles one file and runs it by plain Node, so that what is measured is what ships and not a test runner; the process
 * ends as it does. `flags` are those of Node, `env` is what it finds besides.
 */
export async function runBundled(entry, name, args, { flags = [], env = {} } = {}) {
  await prepare();
  const outdir = join(scratch, `${name}-${process.pid}`);
  mkdirSync(outdir, { recursive: true });
  try {
    const outfile = await bundleFile(root, entry, join(outdir, 'main.mjs'), name);
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
