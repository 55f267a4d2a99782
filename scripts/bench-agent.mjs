// `npm run bench:agent [-- ROUNDS]`: what hooks cost the real agent client per tool call; bundles bench/agent/cost.ts and
// runs it by plain Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installClient } from './install-client.mjs';
import { prepare, root, scratch } from './prepare.mjs';

await prepare();
const client = installClient();
const { build } = await import('esbuild');
const outdir = join(scratch, `bench-agent-${process.pid}`);
mkdirSync(outdir, { recursive: true });
try {
  const outfile = join(outdir, 'cost.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/agent/cost.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FAIRLEAD_E2E_CLIENT: client },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true });
}
