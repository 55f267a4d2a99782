import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The bytes of a parser or grammar, by its name. Throws when it is not there: the program is not whole. */
export function readWasm(name: string): Uint8Array {
  // The build puts them all into one folder beside the program; from source each is in its package.
  const built = join(import.meta.dirname, 'grammars', `${name}.wasm`);
  if (existsSync(built)) return readFileSync(built);
  return readFileSync(createRequire(import.meta.url).resolve(`${name}/${name}.wasm`));
}
