// `npm run guard:score`: what the guard blocks and lets pass.
import { runCommandLine } from './command-line.mjs';
import { runBundled } from './run-bundled.mjs';

const HELP = `npm run guard:score [-- --corpus FILE]... [--json]

Decides commands and tool calls with known verdicts as the guard does at default settings, and lists every difference.
Without --corpus it takes what lies in ../shared/corpus, and our own lists. test/fixtures/guard/README.md has the form.

  --corpus FILE   a file of such rows; may stand several times
  --json          all of it for programs`;

const options = { corpus: { type: 'string', multiple: true, default: [] }, json: { type: 'boolean', default: false } };

const code = await runCommandLine({ name: 'guard:score', help: HELP, options }, async (given, values) => {
  if (given.length > 0) return false;
  const corpora = values.corpus.flatMap((file) => ['--corpus', file]);
  await runBundled('bench/guard/score.ts', 'guard-score', values.json ? [...corpora, '--json'] : corpora);
});
// What ran may have set another.
if (code !== 0) process.exitCode = code;
