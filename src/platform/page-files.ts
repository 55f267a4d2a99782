import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page, which the build puts beside the program, by their names. Read once, so that an update takes none away. */
export function readPageFiles(): ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array }> {
  const folder = join(import.meta.dirname, 'page');
  return new Map(
    readdirSync(folder).map((name) => [
      name,
      { type: TYPES[extname(name)] ?? 'application/octet-stream', body: readFileSync(join(folder, name)) },
    ]),
  );
}
