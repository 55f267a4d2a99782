import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Options, OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE, asksOnly, baseName, below, listed } from '../words/arguments.ts';
import { aboutPath, movedAway, onPath, overwritePlace, writeEach } from '../paths/path-effect.ts';
import { isHollow, resolvePath } from '../paths/resolve-path.ts';
import type { ResolvedPath, ProgramTable, ReadEffects, Scene } from '../scene.ts';

/** `cp -T` and its like: the target is the place itself. */
const AS_IS = ['-T', '--no-target-directory'];

/** Sources and the place they go to, as `cp`, `mv`, `install` and `ln` take them. */
interface Transfer {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord | undefined;
  /** The target is a directory that the sources go into. */
  readonly into: boolean;
  /** The target is the place itself, whatever is there. */
  readonly asIs?: boolean;
}

const TRANSFER: OptionSpec = {
  values: listed('-t --target-directory -S --suffix -m --mode -o --owner -g --group'),
  flags: listed(
    '--recursive --force --no-clobber --no-target-directory --archive --symbolic --directory --backup --update --verbose ' +
      '--interactive --help --version --parents --preserve --reflink --sparse --link --symbolic-link --dereference --no-dereference ' +
      '--strip --compare --strip-trailing-slashes --exchange --one-file-system',
  ),
};
/** `cp -g`, `mv -m` take no value; only `install` has these letters. */
const COPY: OptionSpec = { ...TRANSFER, values: ['-t', '--target-directory', '-S', '--suffix'] };

export function readTransfer(options: Options): Transfer {
  const [dir] = options.values('-t', '--target-directory');
  if (dir) return { sources: options.operands, target: dir, into: true };
  const target = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  if (options.has(...AS_IS)) return { sources, target, into: false, asIs: true };
  return { sources, target, into: sources.length > 1 || target?.value.endsWith('/') === true };
}

const DIRECTORIES: ReadonlySet<string> = new Set(['root', 'home', 'workspace']);

/** A file that a transfer replaces, or the directory that it goes into. */
interface Replaced {
  readonly placed: ResolvedPath;
  readonly source: ShellWord;
  /** The names that it gets there, should it be a directory. */
  readonly names?: readonly string[];
}

function replaced({ sources, target, into, asIs }: Transfer, command: ShellCommand, scene: Scene): readonly Replaced[] {
  if (!target) return [];
  const whole = scene.place(target, command);
  const isOne = asIs === true || (!into && !DIRECTORIES.has(whole.scope) && !/(?:^|\/)\.\.?$/.test(target.value));
  return sources.map((source): Replaced => {
    const name = baseName(source.value);
    if (isOne || source.glob) return { placed: whole, source, names: [name] };
    return { placed: scene.place({ ...target, value: below(target.value, name) }, command), source };
  });
}

/** Ways to copy that leave a link a link. */
const KEEPS_LINKS = ['-r', '-R', '-a', '-P', '-d', '--recursive', '--archive', '--no-dereference'];

/** What is put somewhere, with what is known of where it comes from. */
function putThere(
  { placed, source, names }: Replaced,
  how: string,
  command: ShellCommand,
  scene: Scene,
  { isNamed = true, isWhole = false, isSame = true }: Put = {},
): readonly Effect[] {
  const from = isSame ? scene.place(source, command).path : undefined;
  const more = { ...(names && isNamed && { names }), ...(from !== undefined && { from }) };
  return overwritePlace(placed, how, command, scene, isWhole).map((effect) => ({ ...effect, ...more }));
}

interface Put {
  readonly isNamed?: boolean;
  readonly isWhole?: boolean;
  /** A link that is put there is the same link. */
  readonly isSame?: boolean;
}

function readCopy(how: string, spec: OptionSpec): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    if (asksOnly(options) || options.has('--no-clobber') || (how === 'copy' && options.has('-n'))) return NONE;
    if (how === 'install' && options.has('-d', '--directory'))
      return writeEach(options.operands, 'mkdir', command, scene);
    const isCopy = how === 'copy';
    const isWhole = isCopy && options.has('-r', '-R', '-a', '--recursive', '--archive');
    const links = isCopy && options.has('-l', '-s', '--link', '--symbolic-link');
    const put = {
      isWhole,
      isNamed: !options.has(...AS_IS),
      isSame: links || (isCopy && options.has(...KEEPS_LINKS)),
    };
    return replaced(readTransfer(options), command, scene).flatMap((each) =>
      putThere(each, links ? 'link' : isHollow(each.source.value) ? 'emptied' : how, command, scene, put),
    );
  };
}

const STAYS: ReadonlySet<string> = new Set(['workspace', 'inside', 'unknown']);
const SPECIAL: ReadonlySet<string> = new Set(['root', 'home', 'workspace', 'git', 'system']);

function readMove(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), COPY);
  if (asksOnly(options)) return NONE;
  const transfer = readTransfer(options);
  if (!transfer.target || transfer.sources.length === 0) return NONE;
  const effects: Effect[] = [];
  const lost = isHollow(transfer.target.value);
  const stays = STAYS.has(scene.place(transfer.target, command).scope);
  for (const source of transfer.sources) {
    const placed = scene.place(source, command);
    // One by one, and not far: `find … -exec sh -c 'mv "$0" "${0%.js}.ts"'`.
    const isRenamed = placed.whole === 'list' && stays;
    if (!lost && (isRenamed || !SPECIAL.has(placed.scope))) {
      effects.push(scene.effect(command, movedAway(placed)));
      continue;
    }
    const tree = lost || isTree(placed);
    effects.push(scene.effect(command, aboutPath('delete', placed, tree ? 'move' : 'move-file', tree)));
  }
  if (options.has('-n', '--no-clobber')) return effects;
  const isNamed = !options.has(...AS_IS);
  for (const each of replaced(transfer, command, scene))
    effects.push(...putThere(each, 'move', command, scene, { isNamed }));
  return effects;
}

/** Whether the place is a directory that much depends on, rather than a file in it. */
function isTree({ path, scope }: ResolvedPath): boolean {
  if (scope === 'git') return path?.endsWith('/.git') === true;
  if (scope !== 'system') return true;
  const depth = path?.split('/').length ?? 0;
  return depth <= 2 || (depth === 3 && /^\/(?:usr|var|System|Library)\//.test(path ?? ''));
}

function readLink(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), COPY);
  if (asksOnly(options)) return NONE;
  const transfer = readTransfer(options);
  const kind = options.has('-f', '--force') ? 'overwrite' : 'write';
  const isNamed = !options.has(...AS_IS, '-n', '--no-dereference');
  // The text of a symbolic link counts from where it lies.
  const fromHere = !options.has('-s', '--symbolic') || options.has('-r', '--relative');
  const { target } = transfer;
  const places: readonly Replaced[] =
    transfer.sources.length === 0 && target
      ? [{ placed: scene.place(baseName(target.value), command), source: target }]
      : replaced(transfer, command, scene);
  return places.map(({ placed, source, names }) => {
    const dir = placed.path?.slice(0, placed.path.lastIndexOf('/')) || '/';
    const { path: from } = fromHere ? scene.place(source, command) : resolvePath(source, dir, scene.surroundings);
    const more = { ...(names && isNamed && { names }), ...(from !== undefined && { from }) };
    return scene.effect(command, { ...aboutPath(kind, placed, 'link'), ...more });
  });
}

function moveEach(words: readonly ShellWord[], command: ShellCommand, scene: Scene): readonly Effect[] {
  return words
    .filter((word) => word.value !== '')
    .map((word) => scene.effect(command, movedAway(scene.place(word, command))));
}

/** `rename s/a/b/ files` and `rename a b files`; with `-n` it only shows what it would do. */
function readRename(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-e'] });
  if (asksOnly(options) || options.has('-n', '--nono', '--no-act')) return NONE;
  const [first] = options.operands;
  const given = options.has('-e') ? 0 : /^(?:s|y|tr)\W|[;${]/.test(first?.value ?? '') ? 1 : 2;
  return moveEach(options.operands.slice(given), command, scene);
}

/** What is in the trash can be taken out again. */
function readTrash(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1));
  return asksOnly(options) ? NONE : moveEach(options.operands, command, scene);
}

/** PowerShell and cmd: `Rename-Item old new`, `ren old new`. */
function readRenameItem(command: ShellCommand, scene: Scene): readonly Effect[] {
  const names = command.words.slice(1).filter((word) => !word.value.startsWith('-'));
  return moveEach(names.slice(0, 1), command, scene);
}

/** The packed file takes the place of the one that was there, and the other way round. */
function readPack(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: ['-S', '--suffix', '-T', '--threads'],
    flags: listed('--stdout --to-stdout --keep --list --test --decompress --uncompress --recursive --help --version'),
  });
  if (asksOnly(options) || options.has('-c', '--stdout', '--to-stdout', '-l', '--list', '-t', '--test')) return NONE;
  const unpacks = /^[gb]?un/.test(command.program);
  const effects: Effect[] = [];
  if (!options.has('-k', '--keep')) effects.push(...moveEach(options.operands, command, scene));
  if (!unpacks && !options.has('-d', '--decompress', '--uncompress')) return effects;
  for (const word of options.operands) {
    const value = word.value.replace(/\.(?:gz|bz2|xz|lzma|Z)$/, '');
    if (value !== word.value) effects.push(onPath('overwrite', { ...word, value }, 'archive', command, scene));
  }
  return effects;
}

export const COPY_PROGRAMS: ProgramTable = {
  cp: readCopy('copy', COPY),
  copy: readCopy('copy', COPY),
  'copy-item': readCopy('copy', COPY),
  install: readCopy('install', TRANSFER),
  mv: readMove,
  move: readMove,
  'move-item': readMove,
  ln: readLink,
  link: readLink,
  rename: readRename,
  prename: readRename,
  trash: readTrash,
  'trash-put': readTrash,
  'rename-item': readRenameItem,
  ren: readRenameItem,
  ...Object.fromEntries(listed('gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma').map((name) => [name, readPack])),
};
