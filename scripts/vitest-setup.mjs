import { prepare } from './prepare.mjs';

/**
 * Process tests run dist/, so it must come from the sources under test. Under `npm test` it does already, and there a
 * build that fails ends everything; here, in the middle of someone's change, the other tests still run.
 */
export async function setup() {
  if (process.env['FAIRLEAD_PREPARED']) return;
  try {
    await prepare();
  } catch (error) {
    process.stderr.write(`dist/ is out of date, process tests see the build before: ${error.message.split('\n')[0]}\n`);
  }
}
