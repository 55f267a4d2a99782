import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The script and the style of a report that stands alone. */
export function readReportParts(): { readonly script: string; readonly style: string } {
  const read = (name: string) => readFileSync(join(folderOf(), name), 'utf8').trim();
  return { script: read('report.js'), style: read('style.css') };
}

/** From source, what was built last. */
function folderOf(): string {
  const beside = join(import.meta.dirname, 'page');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', '..', 'dist', 'page');
}

/** The files of the page, which the build puts beside the program, by their names. Read once, so that an update takes none away. */
export function readPageFiles(): ReadonlyMap<string, { readonly type: string; readonly body: Uint8Array }> {
  const folder = folderOf();
  return new Map(
    readdirSync(folder).map((name) => [
      name,
      { type: TYPES[extname(name)] ?? 'application/octet-stream', body: readFileSync(join(folder, name)) },
    ]),
  );
}
