import type { FileRow } from './answer.ts';
import { clean, counted } from './render-symbol.ts';

/** One line per file, below a line for each directory, so that a path is written once. */
export function treeLines(rows: readonly FileRow[]): string[] {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const row of rows) {
    const parts = row.path.replace(/\/$/, '').split('/');
    const dirs = parts.slice(0, -1);
    let same = 0;
    while (same < dirs.length && dirs[same] === open[same]) same += 1;
    const indent = '  '.repeat(dirs.length + 1);
    // A directory and its first file are one entry: a line that is left out takes no directory with it.
    const heads = dirs.slice(same).map((dir, at) => `${'  '.repeat(same + at + 1)}${dir}/`);
    const isDir = row.path.endsWith('/');
    const about = isDir ? `${counted(row.files, 'file')}, ${row.symbols}` : `${row.symbols}`;
    const flags = row.flags && row.flags.length > 0 ? ` (${row.flags.join(', ')})` : '';
    lines.push([...heads, `${indent}${parts.at(-1)}${isDir ? '/' : ''}  ${about}${flags}`].map(clean).join('\n'));
    open = dirs;
  }
  return lines;
}
