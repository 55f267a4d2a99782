// `npm run bench:graph [-- index|refresh|queries|daemon]`. Trees and programs to compare with are fetched once into a
// scratch folder; the flags are those of the indexing process.
import { join } from 'node:path';
import { root, scratch } from './prepare.mjs';
import { runBundled } from './run-bundled.mjs';

const folders = [root, join(scratch, 'bench-graph')];
await runBundled('bench/graph/bench.ts', 'bench-graph', [...folders, ...process.argv.slice(2)], {
  flags: ['--interrupt-budget=1000000', '--max-semi-space-size=4'],
});
