import type { FileStat, Files } from '../../platform/files.ts';
import { basename, dirname } from '../../platform/paths.ts';

/** Not as young as a file that may change again in the same moment. */
const LONG_AGO = 1_000;

/** The files of today with another text in one of them, which may not be there at all. Nothing is written. */
export function filesWith(files: Files, path: string, text: string): Files {
  const bytes = new TextEncoder().encode(text);
  const [dir, name] = [dirname(path), basename(path)];
  const stat: FileStat = {
    kind: 'file',
    size: bytes.length,
    mtimeMs: LONG_AGO,
    ctimeMs: LONG_AGO,
    ino: 0,
    isExecutable: false,
  };
  return {
    ...files,
    stat: (at) => (at === path ? stat : files.stat(at)),
    lstat: (at) => (at === path ? stat : files.lstat(at)),
    exists: (at) => at === path || at === dir || files.exists(at),
    realpath: (at) => files.realpath(at) ?? (at === path || at === dir ? at : undefined),
    list: (at, most) => (at === dir ? [...new Set([...files.list(at, most), name])] : files.list(at, most)),
    readBytes: (at, most) => (at === path ? bytes.slice(0, most) : files.readBytes(at, most)),
    readText: (at, most) => (at === path ? text : files.readText(at, most)),
  };
}
