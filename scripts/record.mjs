// `npm run record -- AGENT [--version X] [--out DIR]` drives the real client of an agent through one session against a
// scripted model, and keeps what it sends to its hooks. `npm run contract -- AGENT [--version X] [--effects]` does the same
// and says which lines of test/fixtures/AGENT/contract.txt changed; it ends with 1 when our adapter reads one of them, or
// when with `--effects` a reply no longer does what the tables say. `--write` keeps what was recorded as the contract.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CLIENTS, installClient, nodeFor } from './install-client.mjs';
import { prepare, root, scratch } from './prepare.mjs';
import { bundleFile } from './run-bundled.mjs';

const OPTIONS = {
  version: { type: 'string' },
  out: { type: 'string' },
  write: { type: 'boolean', default: false },
  effects: { type: 'boolean', default: false },
};

try {
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options: OPTIONS, allowPositionals: true });
  const [verb, agent] = positionals;
  const client = CLIENTS[agent];
  const driver = join(root, 'test', 'e2e', `${agent}-session.ts`);
  if (client === undefined || !existsSync(driver))
    throw new Error(`name one of ${Object.keys(CLIENTS).join(', ')} that has test/e2e/<agent>-session.ts`);
  await prepare();
  const version = values.version ?? client.version;
  const { variable } = client;
  const program = installClient(agent, version);
  const env = { ...process.env, [variable]: program, [`${variable}_NODE`]: nodeFor(agent) };
  const out = values.out ?? join(scratch, 'recorded', `${agent}-${version}`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const task = { verb, agent, client: { package: client.package, version }, out, write: values.write };
  process.exitCode = (await recorded(task, driver, env)) || (values.effects ? effects(agent, env) : 0);
} catch (error) {
  console.error(`nothing was recorded: ${error.message}`);
  process.exitCode = 1;
}

/** The driver is whatever the agent's file of sessions exports as one. */
async function recorded(task, driver, env) {
  const entry = join(scratch, `record-${process.pid}.ts`);
  const main = join(scratch, `record-${process.pid}.mjs`);
  try {
    const call = `record(${JSON.stringify(task)}, Object.values(session).find((each) => each?.agent && each.run))`;
    const from = (path) => JSON.stringify(path);
    writeFileSync(
      entry,
      `import * as session from ${from(driver)};\nimport { record } from ${from(join(root, 'test/agents/record.ts'))};\nawait ${call};\n`,
    );
    await bundleFile(root, entry, main, 'record');
    return spawnSync(process.execPath, [main], { cwd: root, stdio: 'inherit', env }).status ?? 1;
  } finally {
    rmSync(entry, { force: true });
    rmSync(main, { force: true });
  }
}

/** What becomes of replies is shown by the whole sessions of that agent. */
function effects(agent, env) {
  const own = `test/e2e/agents-${agent}.test.ts`;
  const file = existsSync(join(root, own)) ? own : 'test/e2e/decisions.test.ts';
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', '--config', 'vitest.e2e.config.ts', file];
  return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}
