import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Call, Code } from './calls.ts';
import { literalOf } from './calls.ts';
import type { Token } from './tokens.ts';
import { baseName, below } from '../words/arguments.ts';
import { matchesAll } from '../paths/pattern.ts';
import { movedAway, onPath } from '../paths/path-effect.ts';
import { resolvePath } from '../paths/resolve-path.ts';
import type { Scene } from '../scene.ts';
import { isSecretPath } from '../paths/secret-names.ts';

type Deed = 'remove-tree' | 'remove' | 'overwrite' | 'append' | 'truncate' | 'move' | 'copy' | 'link' | 'open' | 'read';

interface Known {
  readonly deed: Deed;
  /** What it may be called on; absent when the name alone says enough. */
  readonly owners?: RegExp;
}

const FS = /^(?:fs|fsp|fse|fsPromises|fs\.promises|promises|Deno|)$/;
const SHUTIL = /^(?:shutil|FileUtils|)$/;

/** Calls of the standard libraries that touch files, by the last part of their name. */
const CALLS: ReadonlyMap<string, Known> = new Map<string, Known>([
  ...deeds(
    'remove-tree',
    'rmtree rm_rf rm_r remove_tree remove_entry remove_entry_secure remove_dir rimraf rimrafSync emptyDirSync emptyDir removeSync',
  ),
  ...deeds('remove', 'unlinkSync safe_unlink rm_f'),
  ...deeds(
    'overwrite',
    'writeFileSync writeTextFile writeTextFileSync write_text write_bytes file_put_contents createWriteStream outputFileSync binwrite',
  ),
  ...deeds('append', 'appendFileSync appendFile'),
  ...deeds('truncate', 'truncateSync ftruncate'),
  ...deeds('move', 'renameSync moveSync'),
  ...deeds('link', 'symlink symlinkSync linkSync symlink_to hardlink_to link_to ln_s ln_sf'),
  ...deeds('copy', 'copyFileSync cpSync copytree copyfile copy2 copySync copyFile'),
  ...deeds(
    'read',
    'readFileSync readTextFile readTextFileSync read_text read_bytes file_get_contents createReadStream binread readlines',
  ),
  ['sync', { deed: 'remove-tree', owners: /^rimraf$/ }],
  ['rm', { deed: 'remove', owners: /^(?:fs|fsp|fsPromises|fs\.promises|promises|FileUtils|)$/ }],
  ['rmSync', { deed: 'remove' }],
  ['rmdir', { deed: 'remove', owners: FS }],
  ['rmdirSync', { deed: 'remove' }],
  ['remove', { deed: 'remove', owners: /^(?:os|fse|Deno|FileUtils|)$/ }],
  ['removeSync', { deed: 'remove', owners: /^Deno$/ }],
  ['unlink', { deed: 'remove', owners: /^(?:os|fs|fsp|fsPromises|fs\.promises|File|)$/ }],
  ['delete', { deed: 'remove', owners: /^File$/ }],
  ['writeFile', { deed: 'overwrite', owners: FS }],
  ['write', { deed: 'overwrite', owners: /^(?:File|IO|Bun)$/ }],
  ['readFile', { deed: 'read', owners: FS }],
  ['read', { deed: 'read', owners: /^(?:File|IO)$/ }],
  ['file', { deed: 'read', owners: /^Bun$/ }],
  ['truncate', { deed: 'truncate', owners: /^(?:os|fs|fsp|fsPromises|File|)$/ }],
  ['rename', { deed: 'move', owners: /^(?:os|fs|fsp|fsPromises|File|FileUtils|)$/ }],
  ['replace', { deed: 'move', owners: /^os$/ }],
  ['move', { deed: 'move', owners: SHUTIL }],
  ['mv', { deed: 'move', owners: /^FileUtils$/ }],
  ['copy', { deed: 'copy', owners: SHUTIL }],
  ['cp', { deed: 'copy', owners: /^(?:FileUtils|fs|fsp|fsPromises)$/ }],
  ['cp_r', { deed: 'copy', owners: /^FileUtils$/ }],
  ['link', { deed: 'link', owners: /^(?:os|fs|fsp|fsPromises|File|)$/ }],
  ['open', { deed: 'open', owners: /^(?:io|codecs|File|IO|os|)$/ }],
  ['fopen', { deed: 'open' }],
]);

function deeds(deed: Deed, list: string): [string, Known][] {
  return list.split(' ').map((name) => [name, { deed }]);
}

const PATH_MAKERS = /^(?:Path|PosixPath|PurePath|Pathname|home|cwd|resolve|expanduser|absolute|join)$/;

/** What one call does to files. */
export function readCodeFiles(code: Code, call: Call, command: ShellCommand, scene: Scene): readonly Effect[] {
  const known = CALLS.get(call.name);
  const onPathObject = call.on !== undefined && PATH_MAKERS.test(call.on.name);
  if (!known) return [];
  const itself = call.args.length === 0 && call.name === 'unlink' && /^\w+$/.test(call.owner);
  if (
    known.deed.startsWith('remove') &&
    call.on === undefined &&
    (itself || known.owners?.test(call.owner) !== false)
  ) {
    const listing = listingFor(code, call);
    if (listing !== undefined)
      return [onPath('delete', wordOf(listing), 'remove', command, scene, matchesAll(baseName(listing)))];
  }
  const fits = known.owners === undefined || onPathObject || (call.on === undefined && known.owners.test(call.owner));
  if (!fits) return [];
  // A path object is what the call acts on; its arguments come after.
  const self = onPathObject && call.on ? literalOf(code, [spanStart(call.on), call.on.end + 1]) : undefined;
  const first = onPathObject ? (self === undefined ? [] : [self]) : firstTargets(code, call);
  const second = literalOf(code, call.args[onPathObject ? 0 : 1] ?? [0, 0]);
  const at = (name: string) => wordOf(name);
  switch (known.deed) {
    case 'remove-tree':
    case 'remove': {
      const recursive = known.deed === 'remove-tree' || takesTree(code, call);
      if (call.name.startsWith('rmdir') && !recursive) return [];
      if (first.length > 0)
        return first.map((name) =>
          onPath('delete', at(name), 'remove', command, scene, recursive || matchesAll(baseName(name))),
        );
      return recursive && !onPathObject && !isTemporary(code, call)
        ? [
            scene.effect(command, {
              kind: 'delete',
              how: 'remove',
              target: shown(code, call),
              scope: 'unknown',
              recursive,
            }),
          ]
        : [];
    }
    case 'open':
      return opened(code, call, first, second, onPathObject, command, scene);
    case 'overwrite':
      return first.map((name) => onPath('overwrite', at(name), 'code', command, scene));
    case 'append':
      return first.map((name) => onPath('write', at(name), 'append', command, scene));
    case 'truncate':
      return first.map((name) => onPath('truncate', at(name), 'code', command, scene));
    case 'move':
    case 'copy': {
      const effects = readSecret(first, command, scene);
      if (known.deed === 'move')
        for (const name of first) effects.push(scene.effect(command, movedAway(scene.place(at(name), command))));
      return second === undefined ? effects : [...effects, onPath('overwrite', at(second), known.deed, command, scene)];
    }
    case 'link':
      return linked(first[0], second, onPathObject, command, scene);
    case 'read':
      return readSecret(first, command, scene);
  }
}

/** The link comes second, but a path object is the link itself. */
function linked(
  first: string | undefined,
  second: string | undefined,
  isSelf: boolean,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const [link, to] = isSelf ? [first, second] : [second, first];
  if (link === undefined) return [];
  const effect = onPath('write', wordOf(link), 'link', command, scene);
  const dir = effect.path?.slice(0, effect.path.lastIndexOf('/')) || '/';
  const from = to === undefined ? undefined : resolvePath(wordOf(to), dir, scene.surroundings).path;
  return [from === undefined ? effect : { ...effect, from }];
}

const LISTS: ReadonlySet<string> = new Set(
  'glob iglob rglob listdir scandir iterdir walk readdirSync globSync children entries each_child'.split(' '),
);
/** Calls and words that pick some of what was listed. */
const PICKS = /^(?:if|unless|filter|endswith|endsWith|startswith|startsWith|match|select|grep|fnmatch|suffix)$/;

/** The files that a loop removes one by one: what the code lists, unless it picks among them. */
function listingFor(code: Code, call: Call): string | undefined {
  const [arg] = call.args;
  if (arg && literalOf(code, arg) !== undefined) return undefined;
  const list = listIn(code);
  if (!list) return undefined;
  const given = list.args[0] ? literalOf(code, list.args[0]) : '';
  if (given === undefined) return undefined;
  if (list.on) {
    const start = literalOf(code, [spanStart(list.on), list.on.end + 1]);
    return start === undefined ? undefined : below(start, given === '' ? '*' : given);
  }
  if (list.name.includes('glob')) return given === '' ? undefined : given;
  return below(given === '' ? '.' : given, '*');
}

const listings = new WeakMap<Code, Call | null>();

/** The first call that lists files, unless the code picks among them. */
function listIn(code: Code): Call | null {
  let list = listings.get(code);
  if (list === undefined) {
    const picks = code.tokens.some(
      ({ kind, text }) => kind === 'name' && PICKS.test(text.slice(text.lastIndexOf('.') + 1)),
    );
    list = (picks ? undefined : code.calls.find(({ name }) => LISTS.has(name))) ?? null;
    listings.set(code, list);
  }
  return list;
}

function spanStart(call: Call): number {
  return call.start - 2;
}

/** The first argument, or each of them where it is a list. */
function firstTargets(code: Code, call: Call): string[] {
  const [arg] = call.args;
  if (!arg) return [];
  const [start, end] = arg;
  if (code.tokens[start]?.text === '[' && code.tokens[start]?.kind === 'mark') {
    const names: string[] = [];
    for (let at = start; at < end; at += 1) {
      const { kind, text, open } = code.tokens[at] as Token;
      if (kind === 'string' && open !== true) names.push(text);
    }
    return names;
  }
  const name = literalOf(code, arg);
  return name === undefined || name === '' ? [] : [name];
}

function takesTree(code: Code, call: Call): boolean {
  if (call.name === 'remove' && call.owner === 'fse') return true;
  const { tokens } = code;
  for (let at = call.start; at < call.end; at += 1) {
    if (tokens[at]?.text === 'recursive' && tokens[at + 2]?.text !== 'false') return true;
  }
  return false;
}

const MAKES_TEMPORARY = /mkdtemp|mktmpdir|tmpdir|tempfile|TemporaryDirectory/;
/** How much of the code is searched for the making of a temporary directory. */
const MAX_SEARCHED = 256;

/** What was made as a temporary directory may go. */
function isTemporary(code: Code, call: Call): boolean {
  const before = code.tokens.slice(Math.max(0, call.start - MAX_SEARCHED), call.start);
  return call.args.length > 0 && before.some(({ text }) => MAKES_TEMPORARY.test(text));
}

function shown(code: Code, call: Call): string {
  const [start, end] = call.args[0] ?? [0, 0];
  const text = code.tokens
    .slice(start, Math.min(end, start + 16))
    .map((token) => token.text)
    .join('');
  return text === '' ? call.name : text.slice(0, 60);
}

/** `open(x, 'w')` in its spellings; without a mode it reads. */
function opened(
  code: Code,
  call: Call,
  first: readonly string[],
  second: string | undefined,
  onPathObject: boolean,
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const third = literalOf(code, call.args[2] ?? [0, 0]);
  // Perl: open(F, '>', 'x') or open(F, '>x').
  const perl = /^\s*(\+?[<>]{1,2})\s*(.*)$/.exec(second ?? '');
  const names =
    perl && !onPathObject ? [third ?? perl[2] ?? ''].filter((name) => name !== '' && !name.startsWith('&')) : first;
  const mode = perl ? (perl[1] ?? '') : (second ?? '');
  if (/^[wx]|>(?!>)/.test(mode) && !mode.includes('>>'))
    return names.map((name) => onPath('overwrite', name, 'code', command, scene));
  if (/^a|>>/.test(mode)) return names.map((name) => onPath('write', name, 'append', command, scene));
  return readSecret(names, command, scene);
}

function readSecret(list: readonly string[], command: ShellCommand, scene: Scene): Effect[] {
  return list.flatMap((name) => {
    const placed = scene.place(name, command);
    if (!isSecretPath(placed.path ?? name, scene.surroundings)) return [];
    return [
      scene.effect(command, {
        kind: 'read-secret',
        how: 'code',
        of: 'secret',
        target: placed.name,
        scope: placed.scope,
        ...(placed.path && { path: placed.path }),
      }),
    ];
  });
}

function wordOf(value: string): ShellWord {
  return { text: value, value, known: true, glob: /[*?[]/.test(value), from: [] };
}
