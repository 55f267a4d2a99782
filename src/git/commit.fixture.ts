import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

/** An entry of the index: the first forty bytes are what git knows of the file, as it lies in the index. */
interface Entry {
  readonly path: string;
  readonly stat: Buffer;
  readonly mode: number;
  readonly sha: string;
  readonly flags: number;
}

const HEADER = 12;
const STAT = 40;
const NAME = 62;
const SIZE_AT = 36;
const SHA = 20;
/** All but the length of the name: a stage, or a mark that an entry is not what it seems. */
const MARKS = 0xf000;
/** While one of these lies there, a commit is more than the tree of the index. */
const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'shallow'];
/** What makes git store something else than the file, or run a program. */
const CHANGES = ['.gitattributes', '.git/info/attributes', '.git/hooks/pre-commit', '.git/hooks/commit-msg'];

/**
 * Does what `git add` of some plain files and `git commit` do, without starting git: hundreds of tests begin with commits, and
 * a start takes longer than all that is written. False, with nothing written, where git would do more than this.
 */
export function writeCommit(dir: string, subject: string, at: number, paths: readonly string[]): boolean {
  const own = join(dir, '.git');
  // Of other texts git cuts away a part.
  if (!/^[^\s#](.*\S)?$/.test(subject)) return false;
  const entries = canWrite(dir) ? readEntries(join(own, 'index')) : undefined;
  const who = entries && whoOf(readFileSync(join(own, 'config'), 'utf8'));
  if (!entries || who === undefined || paths.some((path) => !lstatSync(join(dir, path)).isFile())) return false;
  const head = readFileSync(join(own, 'HEAD'), 'utf8').trim();
  const branch = /^ref: (refs\/heads\/.+)$/.exec(head)?.[1];
  const parent = branch === undefined ? head : shaOf(own, branch);
  if (parent === undefined) return false;
  for (const path of paths) {
    // A file takes the place of a directory of that name, and the other way round.
    for (const each of entries.keys())
      if (each.startsWith(`${path}/`) || path.startsWith(`${each}/`)) entries.delete(each);
    entries.set(path, entryOf(dir, path));
  }
  const sorted = [...entries.values()].sort((one, other) =>
    Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
  );
  const trees: Buffer[] = [];
  const tree = writeTree(own, sorted, '', trees);
  writeIndex(join(own, 'index'), sorted, Buffer.concat(trees));
  const when = `${Math.floor(at / 1_000)} +0000`;
  const text = [`tree ${tree}`, ...(parent === '' ? [] : [`parent ${parent}`])];
  const body = `${text.join('\n')}\nauthor ${who} ${when}\ncommitter ${who} ${when}\n\n${subject}\n`;
  const commit = writeObject(own, 'commit', Buffer.from(body));
  put(join(own, branch ?? 'HEAD'), `${commit}\n`);
  const from = parent === '' ? '0'.repeat(2 * SHA) : parent;
  const line = `${from} ${commit} ${who} ${when}\tcommit${parent === '' ? ' (initial)' : ''}: ${subject}\n`;
  for (const name of branch === undefined ? ['HEAD'] : ['HEAD', branch]) {
    mkdirSync(dirname(join(own, 'logs', name)), { recursive: true });
    appendFileSync(join(own, 'logs', name), line);
  }
  writeFileSync(join(own, 'COMMIT_EDITMSG'), `${subject}\n`);
  return true;
}

const canWrite = (dir: string): boolean =>
  statSync(join(dir, '.git')).isDirectory() &&
  ![...UNDER_WAY.map((name) => `.git/${name}`), ...CHANGES].some((name) => existsSync(join(dir, name)));

/** Undefined when settings change more than who commits. */
function whoOf(config: string): string | undefined {
  if (/^\s*(filemode|autocrlf|eol|logallrefupdates|bare = true|splitindex|gpgsign|untrackedcache)\b/im.test(config))
    return undefined;
  const [name, email] = ['name', 'email'].map((key) => new RegExp(`^\\s*${key} = (.*)$`, 'm').exec(config)?.[1]);
  return name === undefined || email === undefined ? undefined : `${name} <${email}>`;
}

/** What a branch stands at, '' when it has no commit yet; undefined when it stands for another. */
function shaOf(own: string, branch: string): string | undefined {
  if (existsSync(join(own, branch))) return /^\w{40}$/.exec(readFileSync(join(own, branch), 'utf8').trim())?.[0];
  if (!existsSync(join(own, 'packed-refs'))) return '';
  const packed = readFileSync(join(own, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${branch}`))?.slice(0, 2 * SHA) ?? '';
}

/** The entries of an index by path; undefined when it holds what this cannot write again. */
function readEntries(path: string): Map<string, Entry> | undefined {
  const entries = new Map<string, Entry>();
  if (!existsSync(path)) return entries;
  const written = statSync(path, { bigint: true }).mtimeNs;
  const bytes = readFileSync(path);
  if (bytes.readUInt32BE(4) !== 2) return undefined;
  let at = HEADER;
  for (let count = bytes.readUInt32BE(8); count > 0; count -= 1) {
    const flags = bytes.readUInt16BE(at + NAME - 2);
    if ((flags & MARKS) !== 0) return undefined;
    const end = bytes.indexOf(0, at + NAME);
    const name = bytes.toString('utf8', at + NAME, end);
    const [stat, sha] = [bytes.subarray(at, at + STAT), bytes.toString('hex', at + STAT, at + STAT + SHA)];
    const entry = { path: name, stat, mode: stat.readUInt32BE(24), sha, flags };
    if (isLate(entry, written) && isChanged(dirname(dirname(path)), entry)) stat.writeUInt32BE(0, SIZE_AT);
    entries.set(name, entry);
    at += (end - at + 8) & ~7;
  }
  // Of the extensions only the trees are written again.
  return bytes.length - at === SHA || bytes.toString('latin1', at, at + 4) === 'TREE' ? entries : undefined;
}

/** Whether a file may have changed after the index was written and have its time nevertheless. */
const isLate = ({ stat }: Entry, written: bigint): boolean =>
  BigInt(stat.readUInt32BE(8)) * 1_000_000_000n + BigInt(stat.readUInt32BE(12)) >= written;

function isChanged(dir: string, { path, mode, sha }: Entry): boolean {
  const isPlain = (mode & 0o170000) === 0o100000 && lstatSync(join(dir, path), { throwIfNoEntry: false })?.isFile();
  return isPlain !== true || nameOf(framed('blob', readFileSync(join(dir, path)))) !== sha;
}

function entryOf(dir: string, path: string): Entry {
  const of = lstatSync(join(dir, path), { bigint: true });
  const mode = (of.mode & 0o100n) === 0n ? 0o100644 : 0o100755;
  const sha = writeObject(join(dir, '.git'), 'blob', readFileSync(join(dir, path)));
  const stat = Buffer.alloc(STAT);
  const second = 1_000_000_000n;
  const fields = [of.ctimeNs / second, of.ctimeNs % second, of.mtimeNs / second, of.mtimeNs % second];
  [...fields, of.dev, of.ino, BigInt(mode), of.uid, of.gid, of.size].forEach((value, index) =>
    stat.writeUInt32BE(Number(value & 0xffffffffn), 4 * index),
  );
  return { path, stat, mode, sha, flags: Math.min(Buffer.byteLength(path), 0xfff) };
}

/** Writes the tree of the entries below a path, and notes it and those in it as the index keeps them. */
function writeTree(own: string, entries: readonly Entry[], below: string, notes: Buffer[]): string {
  const parts: Buffer[] = [];
  let subtrees = 0;
  const inner: Buffer[] = [];
  for (let at = 0; at < entries.length;) {
    const { path, mode, sha } = entries[at] as Entry;
    const slash = path.indexOf('/', below.length);
    if (slash < 0) {
      parts.push(treeLine(mode, path.slice(below.length), sha));
      at += 1;
      continue;
    }
    const next = path.slice(0, slash + 1);
    let end = at;
    while (entries[end]?.path.startsWith(next)) end += 1;
    const tree = writeTree(own, entries.slice(at, end), next, inner);
    parts.push(treeLine(0o40000, path.slice(below.length, slash), tree));
    subtrees += 1;
    at = end;
  }
  const tree = writeObject(own, 'tree', Buffer.concat(parts));
  const name = below.slice(below.lastIndexOf('/', below.length - 2) + 1, -1);
  notes.push(Buffer.from(`${name}\0${entries.length} ${subtrees}\n`), Buffer.from(tree, 'hex'), ...inner);
  return tree;
}

const treeLine = (mode: number, name: string, sha: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`), Buffer.from(sha, 'hex')]);

function writeIndex(path: string, entries: readonly Entry[], trees: Buffer): void {
  const parts = [number('DIRC', 2, entries.length)];
  for (const { path: name, stat, sha, flags } of entries) {
    const text = Buffer.from(name);
    const rest = Buffer.alloc(((NAME + text.length + 8) & ~7) - STAT);
    rest.write(sha, 'hex');
    rest.writeUInt16BE(flags, SHA);
    text.copy(rest, NAME - STAT);
    parts.push(stat, rest);
  }
  const bytes = Buffer.concat([...parts, number('TREE', trees.length), trees]);
  // A new file in its place, as git does: who looks at the file's number sees that it is another.
  writeFileSync(`${path}.lock`, Buffer.concat([bytes, Buffer.from(nameOf(bytes), 'hex')]));
  renameSync(`${path}.lock`, path);
}

function number(sign: string, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * values.length);
  bytes.write(sign, 'latin1');
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 + 4 * index));
  return bytes;
}

function writeObject(own: string, kind: string, content: Buffer): string {
  const bytes = framed(kind, content);
  const sha = nameOf(bytes);
  const path = join(own, 'objects', sha.slice(0, 2), sha.slice(2));
  if (existsSync(path)) return sha;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflateSync(bytes), { mode: 0o444 });
  return sha;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.lock`, text);
  renameSync(`${path}.lock`, path);
}

const framed = (kind: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
const nameOf = (bytes: Buffer): string => createHash('sha1').update(bytes).digest('hex');
