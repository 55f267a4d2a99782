// `npm run graph:accuracy [-- --only ts|py|go|java] [--corpus NAME] [--json] [--misses N]`: how right the edges are.
import { runBundled } from './run-bundled.mjs';

await runBundled('bench/graph-accuracy/main.ts', 'graph-accuracy', process.argv.slice(2), {
  flags: ['--max-old-space-size=4096'],
});
