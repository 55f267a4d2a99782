import type { FileStat, Files } from '../../platform/files.ts';
import { dirname } from '../../platform/paths.ts';

/** Not as young as a file that may change again in the same moment. */
const LONG_AGO = 1_000;

/** The files of today with another text in one of them, which may not be there at all. Nothing is written. */
export function filesWith(files: Files, path: string, text: string): Files {
  const scratch = scratchFiles(files);
  scratch.writeAtomic(path, text);
  return scratch;
}

/** The files of today; what is written over them is only kept in mind. */
export function scratchFiles(files: Files): Files {
  const texts = new Map<string, string>();
  /** What lies in directories because of that. */
  const names = new Map<string, Set<string>>();
  const statOf = (at: string): FileStat | undefined => {
    const text = texts.get(at);
    if (text === undefined && !names.has(at)) return undefined;
    return {
      kind: text === undefined ? 'dir' : 'file',
      size: new TextEncoder().encode(text ?? '').length,
      mtimeMs: LONG_AGO,
      ctimeMs: LONG_AGO,
      ino: 0,
      isExecutable: false,
    };
  };
  const own = (at: string) => (texts.has(at) ? statOf(at) : undefined);
  return {
    ...files,
    stat: (at) => own(at) ?? files.stat(at) ?? statOf(at),
    lstat: (at) => own(at) ?? files.lstat(at) ?? statOf(at),
    exists: (at) => texts.has(at) || names.has(at) || files.exists(at),
    realpath: (at) => files.realpath(at) ?? (texts.has(at) || names.has(at) ? at : undefined),
    list: (at, most) => [...new Set([...files.list(at, most), ...(names.get(at) ?? [])])].sort(),
    readBytes: (at, most) => {
      const text = texts.get(at);
      return text === undefined ? files.readBytes(at, most) : new TextEncoder().encode(text).slice(0, most);
    },
    readText: (at, most) => texts.get(at) ?? files.readText(at, most),
    makeDir: () => {},
    writeAtomic(at, bytes) {
      texts.set(at, typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes));
      for (let path = at; dirname(path) !== path; path = dirname(path)) {
        const dir = dirname(path);
        const known = names.get(dir) ?? new Set();
        names.set(dir, known.add(path.slice(dir === '/' ? 1 : dir.length + 1)));
        if (files.stat(dir)?.kind === 'dir') break;
      }
    },
  };
}
