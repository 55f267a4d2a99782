import type { FileFacts } from '../../model/facts.ts';
import { below, directoryOf, join, upwards } from '../../model/paths.ts';
import { moduleNames } from '../../resolve/module-names.ts';
import type { World } from '../../resolve/world.ts';
import { listedFile } from '../../resolve/listed-file.ts';
import type { ModuleFinder } from '../module-finder.ts';
import { packagesNamed } from '../packages-named.ts';
import type { ManifestNames } from '../packages-named.ts';

/** Top-level modules of the Python standard library, those of older versions that are still met included. */
const STANDARD_LIBRARY: ReadonlySet<string> = new Set(
  `
    __future__ _collections_abc _thread _typeshed abc aifc annotationlib antigravity argparse array ast asynchat
    asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk
    cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
    contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils
    doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
    functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib
    imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging
    lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis
    nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools
    pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
    pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
    selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
    sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig
    syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
    tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib
    uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
    zipimport zlib zoneinfo
  `
    .trim()
    .split(/\s+/),
);

const PROJECT_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg'];

export const python: ModuleFinder = {
  find(world, from, module) {
    if (INCLUDED.test(module)) return findIncluded(world, from, module);
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const segments = module
      .slice(dots)
      .split('.')
      .filter((segment) => segment !== '');
    return dots > 0 ? findRelative(world, from, dots, segments) : findAbsolute(world, from, segments);
  },
};

/** Cython includes by path: what ends like a file is no module. */
const INCLUDED = /\.(?:pxi|pyx|pxd)$/;

/** Beside the file that includes it, or below a directory around it, where paths to look in are said to the compiler. */
function findIncluded(world: World, from: FileFacts, path: string) {
  for (const directory of upwards(directoryOf(from.path))) {
    const target = join(directory, path);
    const found = target === undefined || target === from.path ? undefined : listedFile(world, target);
    if (found !== undefined) return [found];
  }
  return 'missing';
}

/** What declares the C side of a Cython module, whose names the module has without saying so. */
export function declarationsOf(world: World, file: FileFacts): FileFacts | undefined {
  return file.path.endsWith('.pyx') ? listedFile(world, `${file.path.slice(0, -4)}.pxd`) : undefined;
}

/** A module or package inside the package whose `__init__` this file is. */
export function submodule(world: World, file: FileFacts, name: string): FileFacts | undefined {
  return isInit(file.path) ? moduleAt(world, directoryOf(file.path), [name]) : undefined;
}

/** Whether `from file import *` brings a name: what `__all__` lists, else all without a leading underscore. */
export function starOffers(file: FileFacts, name: string): boolean {
  const names = listedNames(file);
  return names === undefined ? !name.startsWith('_') : names.has(name);
}

const listed = new WeakMap<FileFacts, ReadonlySet<string> | null>();

function listedNames(file: FileFacts): ReadonlySet<string> | undefined {
  let names = listed.get(file);
  if (names === undefined) listed.set(file, (names = readAll(file)));
  return names ?? undefined;
}

/** Null when there is no list, or one that is put together in ways that only running it would show. */
function readAll(file: FileFacts): ReadonlySet<string> | null {
  const lists = moduleNames(file).definitions.get('__all__') ?? [];
  const values = lists.flatMap((index) => file.definitions[index]?.values ?? []);
  if (values.some(({ is }) => is !== 'tuple')) return null;
  return file.exports.length === 0 ? null : new Set(file.exports.map(({ name }) => name));
}

function findRelative(world: World, from: FileFacts, dots: number, segments: readonly string[]) {
  const directory = join(directoryOf(from.path), '../'.repeat(dots - 1));
  const found = directory === undefined ? undefined : moduleAt(world, directory, segments);
  return found === undefined ? 'missing' : [found];
}

function findAbsolute(world: World, from: FileFacts, segments: readonly string[]) {
  const [top = ''] = segments;
  const isStandard = STANDARD_LIBRARY.has(top);
  const roots = isStandard ? nearRoots(world, from) : sourceRoots(world, from, segments);
  for (const root of roots) {
    const found = moduleAt(world, root, segments);
    if (found !== undefined) return [found];
  }
  if (segments.length === 1 || isStandard) return 'outside';
  return roots.some((root) => moduleAt(world, root, [top]) !== undefined) ? 'missing' : 'outside';
}

/** Where the outermost package lies that this file is part of; its own directory when it is in none. */
function nearRoots(world: World, from: FileFacts): string[] {
  let directory = directoryOf(from.path);
  while (directory !== '' && hasInit(world, directory)) directory = directoryOf(directory);
  return [directory];
}

const MANIFESTS: ManifestNames = { own: 'pyproject.toml' };
const HINTS = ['pyproject.toml', 'setup.cfg'];

function sourceRoots(world: World, from: FileFacts, segments: readonly string[]): string[] {
  const directory = directoryOf(from.path);
  const roots = new Set(nearRoots(world, from));
  const around = upwards(directory).filter((above) =>
    PROJECT_FILES.some((name) => world.file(below(above, name)) !== undefined),
  );
  for (const above of around) addProject(world, roots, above);
  for (const above of around) for (const other of siblingsOf(world, directory, above)) addProject(world, roots, other);
  addProject(world, roots, '');
  for (const name of projectNames(segments)) {
    for (const manifests of [MANIFESTS, { own: 'setup.cfg' }])
      for (const home of packagesNamed(world, directory, name, manifests)) addProject(world, roots, home);
  }
  roots.add(directory);
  return [...roots];
}

/** A package is called like its project, or like its beginning where the project has a part of a larger one: `acme-core` has `acme.core`. */
function projectNames(segments: readonly string[]): Set<string> {
  const names = segments.slice(0, 2).map((_, at) => segments.slice(0, at + 1).join('_'));
  return new Set(names.flatMap((name) => [name, name.toLowerCase()]));
}

/** What a project says that it takes from the same workspace. */
function siblingsOf(world: World, from: string, project: string): string[] {
  const manifest = world.file(below(project, MANIFESTS.own))?.manifest;
  const found = texts(manifest?.['paths']).flatMap((path) => join(project, path) ?? []);
  for (const name of texts(manifest?.['siblings'])) found.push(...packagesNamed(world, from, name, MANIFESTS));
  return found;
}

function addProject(world: World, roots: Set<string>, directory: string): void {
  roots.add(directory);
  roots.add(below(directory, 'src'));
  for (const name of HINTS) {
    for (const hint of texts(world.file(below(directory, name))?.manifest?.['roots'])) {
      const root = join(directory, hint);
      if (root !== undefined) roots.add(root);
    }
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

const INITS = ['__init__.py', '__init__.pyi', '__init__.pyx', '__init__.pxd'];
const MODULES = ['.py', '.pyi'];
const CYTHON = ['.pyx', '.pxd'];

/**
 * A package before a module of the same name, as Python looks; source before stubs, which only say what a module offers.
 * Directories are listed instead of files tried: most imports lead out of the project, and each try is a question to keep.
 */
function moduleAt(world: World, directory: string, segments: readonly string[]): FileFacts | undefined {
  const path = segments.reduce(below, directory);
  const inside = world.directory(path);
  const beside = segments.length === 0 ? NOTHING : world.directory(directoryOf(path));
  const isIn = (files: readonly string[], file: string): boolean => files.length > 0 && files.includes(file);
  const [init = '', ...others] = inside.length === 0 ? NOTHING : INITS;
  if (isIn(inside, below(path, init))) return world.file(below(path, init));
  for (const ending of MODULES) if (isIn(beside, path + ending)) return world.file(path + ending);
  for (const other of others) if (isIn(inside, below(path, other))) return world.file(below(path, other));
  for (const ending of CYTHON) if (isIn(beside, path + ending)) return world.file(path + ending);
  return undefined;
}

const NOTHING: readonly string[] = [];

function hasInit(world: World, directory: string): boolean {
  const inside = world.directory(directory);
  return INITS.some((name) => inside.includes(below(directory, name)));
}

function isInit(path: string): boolean {
  return /(^|\/)__init__\.(?:pyi?|pyx|pxd)$/.test(path);
}
