import { existsSync } from 'node:fs';
import { loadCompiled } from './platform/load-compiled.ts';
import { homePaths, join } from './platform/paths.ts';

/** Verbs that agents start: of the code that they need, most is for each of them alone. */
const OFTEN = ['mcp', 'statusline'];

/**
 * Entry point of the command line: a status line and a tool server start as often as sessions do. What lies there runs as we
 * do, and a project can set variables of an agent's environment, so none of them says where. Whoever can make a directory
 * beside the program could change the program too, so code is kept there where one is.
 */
const beside = join(import.meta.dirname, 'code');
const dir = existsSync(beside) ? beside : join(homePaths({}, process.platform).state, 'code');
const verb = process.argv[2] ?? '';
const program = loadCompiled(join(import.meta.dirname, 'cli.cjs'), dir, OFTEN.includes(verb) ? verb : undefined);

process.once('exit', () => {
  try {
    if (!program.isKept()) program.keep();
  } catch {
    // Where nothing can be written, each one compiles for itself.
  }
});
