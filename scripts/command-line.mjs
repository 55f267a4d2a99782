import { parseArgs } from 'node:util';

/** A mistake of the person or a step that failed: its message is all there is to say. */
export class Mistake extends Error {}

/** The command line of a script; returns the exit code. `run` returns false for what only the help text answers. */
export async function runCommandLine({ name, help, options = {} }, run) {
  let given;
  try {
    const all = { help: { type: 'boolean', short: 'h', default: false }, ...options };
    given = parseArgs({ options: all, allowPositionals: true });
  } catch (error) {
    console.error(`${error.message}\n\n${help}`);
    return 2;
  }
  if (given.values.help) {
    console.log(help);
    return 0;
  }
  try {
    if ((await run(given.positionals, given.values)) !== false) return 0;
    console.error(help);
    return 2;
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    console.error(`${name}: ${error.message}`);
    return 1;
  }
}
