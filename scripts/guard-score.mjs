// `npm run guard:score [-- --json]`: what the guard blocks and lets pass.
import { runBundled } from './run-bundled.mjs';

await runBundled('bench/guard/score.ts', 'guard-score', process.argv.slice(2));
