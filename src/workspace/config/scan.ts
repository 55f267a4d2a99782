import type { Files } from '../../platform/files.ts';
import { sha256 } from '../../platform/hash.ts';
import { contains, join } from '../../platform/paths.ts';
import type { Problem } from '../../user-rules/problem.ts';
import { sign } from './signature.ts';
import type { Signature } from './signature.ts';

/** The last two are files of other programs, which lie beside the project's own. */
export type FileKind = 'config' | 'rule' | 'message' | 'borrowed-settings' | 'borrowed-message';

export interface Found {
  readonly path: string;
  /** Below the layer's directory, with slashes. */
  readonly name: string;
  readonly kind: FileKind;
  /** Read once: whoever hashes or parses the file uses these bytes. Absent when they could not be had. */
  readonly bytes?: Uint8Array;
}

export interface Scan {
  readonly found: readonly Found[];
  /** Of every file and directory that was looked at, taken before it was read. */
  readonly signatures: readonly Signature[];
  readonly problems: readonly Problem[];
}

const MAX_BYTES: Readonly<Record<FileKind, number>> = {
  config: 256 * 1024,
  rule: 64 * 1024,
  message: 16 * 1024,
  'borrowed-settings': 256 * 1024,
  'borrowed-message': 16 * 1024,
};
const MAX_NAMES = 500;
const MAX_FILES = 1_000;
/** Links may lead back up, so what a few of them multiply to has an end. */
const MAX_DIRS = 200;
/** Pack, rule and variant, and one level to spare. */
const MAX_DEPTH = 4;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\ufffd]/;

/** Reads everything in a layer's directory that has effect. With `within`, nothing that lies or leads outside of it. */
export function scanLayer(base: string, files: Files, within?: string): Scan {
  const signatures = within === undefined ? [] : [sign(base, files, true)];
  const home = files.realpath(base);
  const isOutside = home !== undefined && within !== undefined && !contains(files.realpath(within) ?? within, home);
  if (home === undefined || isOutside) {
    const message = 'is a link that leads out of the project; nothing below it is used';
    const problems: Problem[] = isOutside ? [{ file: base, line: 1, key: '', message, severity: 'error' }] : [];
    return { found: [], signatures: [...signatures, sign(base, files)], problems };
  }

  const { scan, report, namesIn, isRefused, read, readTree } = openScan(base, files, within && home);
  for (const name of namesIn(base)) {
    if (name === 'config.yaml') read(name, 'config');
    else if (name === 'config.yml') report(join(base, name), 'is not read; the file is called config.yaml', 'warning');
    else if (name === 'rules' && !isRefused(join(base, name))) {
      for (const entry of namesIn(join(base, name))) {
        if (entry.endsWith('.md')) read(`${name}/${entry}`, 'rule');
        else report(join(base, name, entry), 'is not read; a rule is a file that ends in .md', 'warning');
      }
    } else if (name === 'messages' && !isRefused(join(base, name))) readTree(name, '.md', 'message');
  }
  return { ...scan, signatures: [...signatures, ...scan.signatures] };
}

interface Scanner {
  readonly scan: Scan;
  report(file: string, message: string, severity?: Problem['severity']): void;
  namesIn(dir: string): readonly string[];
  /** Whether a path leads out of where files are taken from. */
  isRefused(path: string): boolean;
  read(name: string, kind: FileKind): void;
  /** Every file with the ending in a directory and those below it. */
  readTree(dir: string, ending: string, kind: FileKind): void;
}

/** Reads files below `base` one by one and remembers what they looked like. With `home`, none that leads out of there. */
export function openScan(base: string, files: Files, home?: string): Scanner {
  const found: Found[] = [];
  const signatures: Signature[] = [];
  const problems: Problem[] = [];
  const report = (file: string, message: string, severity: Problem['severity'] = 'error') =>
    void problems.push({ file, line: 1, key: '', message, severity });

  const isRefused = (path: string) => {
    if (home === undefined) return false;
    const real = files.realpath(path);
    if (real !== undefined && contains(home, real)) return false;
    report(path, 'is a link that leads out of its directory; it is not used');
    return true;
  };

  let dirsLeft = MAX_DIRS;
  const namesIn = (dir: string): readonly string[] => {
    dirsLeft -= 1;
    if (dirsLeft === -1) report(base, `holds more than ${MAX_DIRS} directories; the rest is not used`);
    if (dirsLeft < 0) return [];
    signatures.push(sign(dir, files));
    const names = files.list(dir, MAX_NAMES + 1);
    if (names.length > MAX_NAMES) {
      report(dir, `holds more than ${MAX_NAMES} files; none of them is used`);
      return [];
    }
    return names.filter((name) => {
      if (name.startsWith('.')) return false;
      if (CONTROL.test(name)) report(dir, `holds a file with control characters in its name: ${JSON.stringify(name)}`);
      return !CONTROL.test(name);
    });
  };

  const read = (name: string, kind: FileKind) => {
    const path = join(base, name);
    if (found.length === MAX_FILES) {
      if (!problems.some(({ file }) => file === base))
        report(base, `holds more than ${MAX_FILES} files; the rest is not used`);
      return;
    }
    if (isRefused(path)) return;
    signatures.push(sign(path, files));
    const bytes = files.readBytes(path, MAX_BYTES[kind] + 1);
    const failure =
      bytes === undefined
        ? 'cannot be read'
        : bytes.length > MAX_BYTES[kind]
          ? `is larger than ${MAX_BYTES[kind] / 1024} KiB`
          : undefined;
    if (failure !== undefined) report(path, failure, kind === 'config' || kind === 'rule' ? 'error' : 'warning');
    found.push({ path, name, kind, ...(bytes === undefined || failure !== undefined ? {} : { bytes }) });
  };

  const readTree = (dir: string, ending: string, kind: FileKind, depth = 1) => {
    for (const entry of namesIn(join(base, dir))) {
      const name = `${dir}/${entry}`;
      if (files.stat(join(base, name))?.kind !== 'dir') {
        if (entry.endsWith(ending)) read(name, kind);
      } else if (depth < MAX_DEPTH && !isRefused(join(base, name))) readTree(name, ending, kind, depth + 1);
    }
  };

  return { scan: { found, signatures, problems }, report, namesIn, isRefused, read, readTree };
}

export function hashOf(bytes: Uint8Array | string): string {
  return sha256(bytes);
}
