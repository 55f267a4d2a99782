// `npm run e2e [-- vitest arguments]`: drives the real agent client, installed by number into .build/client, against a
// scripted model on this machine. Without the client nothing is proved, so a failed installation fails the run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installClient } from './install-client.mjs';
import { prepare, root } from './prepare.mjs';

try {
  await prepare();
  const client = installClient();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--config', 'vitest.e2e.config.ts', ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit', env: { ...process.env, FAIRLEAD_E2E_CLIENT: client } },
  );
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(`e2e could not run: ${error.message}`);
  process.exitCode = 1;
}
