// `npm run e2e [-- vitest arguments]`: drives the real agent clients, installed by number into .build/, against scripted
// models on this machine. Without a client nothing is proved, so a failed installation fails the run.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS, installClient, nodeFor } from './install-client.mjs';
import { prepare, root } from './prepare.mjs';

/** Whether the files that vitest is asked for drive this client. Those of the others are named after their agent; the page has a browser. */
function isDriven(agent, filters) {
  const ofPage = readdirSync(join(root, 'test', 'e2e')).filter((name) => /^page\b.*\.test\.ts$/.test(name));
  const ofOthers = [
    ...Object.keys(CLIENTS).map((each) => `test/e2e/agents-${each}.test.ts`),
    ...ofPage.map((name) => `test/e2e/${name}`),
  ];
  const own = `test/e2e/agents-${agent}.test.ts`;
  if (filters.length === 0) return true;
  if (agent !== 'claude-code') return filters.some((filter) => own.includes(filter));
  return filters.some((filter) => !ofOthers.some((file) => file.includes(filter)));
}

/** In a process of its own, so that clients come at the same time; what it says is said here. */
function install(agent) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'install-client.mjs'), agent], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${agent} could not be installed`))));
  });
}

try {
  await prepare();
  const args = process.argv.slice(2);
  const filters = args.filter((arg) => !arg.startsWith('-'));
  const driven = Object.keys(CLIENTS).filter((agent) => isDriven(agent, filters));
  // Some clients share a newer Node, which comes once.
  for (const agent of driven) nodeFor(agent);
  await Promise.all(driven.map(install));
  const env = Object.fromEntries(
    driven.flatMap((agent) => {
      const { variable } = CLIENTS[agent];
      return [
        [variable, installClient(agent)],
        [`${variable}_NODE`, nodeFor(agent)],
      ];
    }),
  );
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--config', 'vitest.e2e.config.ts', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  process.exitCode = status ?? 1;
} catch (error) {
  console.error(`e2e could not run: ${error.message}`);
  process.exitCode = 1;
}
