import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where each comes from when this runs from source; the build puts them all into one folder beside the program. */
const PACKAGES = {
  'web-tree-sitter': 'web-tree-sitter/web-tree-sitter.wasm',
  'tree-sitter-c': 'tree-sitter-c/tree-sitter-c.wasm',
  'tree-sitter-cpp': 'tree-sitter-cpp/tree-sitter-cpp.wasm',
  'tree-sitter-go': 'tree-sitter-go/tree-sitter-go.wasm',
  'tree-sitter-java': 'tree-sitter-java/tree-sitter-java.wasm',
  'tree-sitter-python': 'tree-sitter-python/tree-sitter-python.wasm',
  'tree-sitter-ruby': 'tree-sitter-ruby/tree-sitter-ruby.wasm',
  'tree-sitter-rust': 'tree-sitter-rust/tree-sitter-rust.wasm',
} as const;

export type WasmName = keyof typeof PACKAGES;

/** The bytes of a parser or grammar. Throws when it is not there: the program is not whole. */
export function readWasm(name: WasmName): Uint8Array {
  const built = join(import.meta.dirname, 'grammars', `${name}.wasm`);
  if (existsSync(built)) return readFileSync(built);
  return readFileSync(createRequire(import.meta.url).resolve(PACKAGES[name]));
}
