// Runs bench/*.ts, or those whose name contains an argument; with `--json` the last line of each has its figures.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { runBundled } from './run-bundled.mjs';

const wanted = process.argv.slice(2).filter((word) => word !== '--json');
const flags = process.argv.includes('--json') ? ['--json'] : [];
const benches = readdirSync(join(root, 'bench'))
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (benches.length === 0) {
  console.error('no bench matches');
  process.exitCode = 1;
}
for (const name of benches) {
  console.log(`\n${name.replace(/\.ts$/, '')}`);
  await runBundled(`bench/${name}`, 'bench', flags, { flags: ['--expose-gc'] });
}
