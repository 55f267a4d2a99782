// `npm run bars`: every figure that the project publishes, beside its bar.
import { runCommandLine } from './command-line.mjs';
import { runBundled } from './run-bundled.mjs';

const HELP = `npm run bars [-- NAME...] [--list] [--json]

Runs the benchmarks and shows every bar beside what was measured. A NAME is a benchmark or one bar of it, as guard or guard/all-p50;
other rows keep their last figures. It keeps what it finds in bench/results, and writes docs/bars.md, the table of the README and
docs/bench-hook.svg. Without names it takes more than half an hour. It fails when a benchmark does; a missed bar is no failure.

  --list   runs nothing: shows the bars with their last figures, and writes the pages again
  --json   the rows for programs`;

const options = { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } };

const code = await runCommandLine({ name: 'bars', help: HELP, options }, async (names, { list, json }) => {
  const flags = [...(list ? ['--list'] : []), ...(json ? ['--json'] : [])];
  await runBundled('bench/bars/main.ts', 'bars', [...names, ...flags]);
});
// What ran may have set another.
if (code !== 0) process.exitCode = code;
