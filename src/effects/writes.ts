import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import type { Options, OptionSpec } from '../shell/options.ts';
import { readOptions } from '../shell/options.ts';
import { NONE, asksOnly, baseName, below } from './arguments.ts';
import { aboutPath, onPath } from './path-effect.ts';
import { isRemote } from './place.ts';
import type { Placed, ProgramTable, ReadEffects, Scene } from './scene.ts';

/** Sources and the place they go to, as `cp`, `mv`, `install` and `ln` take them. */
interface Transfer {
  readonly sources: readonly ShellWord[];
  readonly target: ShellWord | undefined;
  /** The target is a directory that the sources go into. */
  readonly into: boolean;
}

const TRANSFER: OptionSpec = {
  values: ['-t', '--target-directory', '-S', '--suffix', '-m', '--mode', '-o', '--owner', '-g', '--group'],
  flags: [
    '--recursive',
    '--force',
    '--no-clobber',
    '--no-target-directory',
    '--archive',
    '--symbolic',
    '--directory',
    '--backup',
    '--update',
    '--verbose',
    '--interactive',
    '--help',
    '--version',
    '--parents',
    '--preserve',
    '--reflink',
    '--sparse',
    '--link',
    '--symbolic-link',
    '--dereference',
    '--no-dereference',
    '--strip',
    '--compare',
    '--strip-trailing-slashes',
    '--exchange',
    '--one-file-system',
  ],
};
/** `cp -g`, `mv -m` take no value; only `install` has these letters. */
const COPY: OptionSpec = { ...TRANSFER, values: ['-t', '--target-directory', '-S', '--suffix'] };

export function readTransfer(options: Options): Transfer {
  const [dir] = options.values('-t', '--target-directory');
  if (dir) return { sources: options.operands, target: dir, into: true };
  const target = options.operands.at(-1);
  const sources = options.operands.slice(0, -1);
  return { sources, target, into: sources.length > 1 || target?.value.endsWith('/') === true };
}

const DIRECTORIES: ReadonlySet<string> = new Set(['root', 'home', 'workspace']);

/** The files that a transfer replaces. */
function replaced({ sources, target, into }: Transfer, command: ShellCommand, scene: Scene): readonly Placed[] {
  if (!target) return [];
  const whole = scene.place(target, command);
  if (!into && !DIRECTORIES.has(whole.scope) && !/(?:^|\/)\.\.?$/.test(target.value)) return [whole];
  return sources.map((source) =>
    source.glob ? whole : scene.place({ ...target, value: below(target.value, baseName(source.value)) }, command),
  );
}

function readCopy(how: string, spec: OptionSpec): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    if (asksOnly(options) || options.has('--no-clobber') || (how === 'copy' && options.has('-n'))) return NONE;
    if (how === 'install' && options.has('-d', '--directory'))
      return writeEach(options.operands, 'mkdir', command, scene);
    return replaced(readTransfer(options), command, scene).flatMap((placed) =>
      overwritePlace(placed, how, command, scene),
    );
  };
}

const SPECIAL: ReadonlySet<string> = new Set(['root', 'home', 'workspace', 'git', 'system']);

function readMove(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), COPY);
  if (asksOnly(options)) return NONE;
  const transfer = readTransfer(options);
  if (!transfer.target || transfer.sources.length === 0) return NONE;
  const effects: Effect[] = [];
  for (const source of transfer.sources) {
    const placed = scene.place(source, command);
    if (!SPECIAL.has(placed.scope)) continue;
    const tree = isTree(placed);
    effects.push(scene.effect(command, aboutPath('delete', placed, tree ? 'move' : 'move-file', tree)));
  }
  if (options.has('-n', '--no-clobber')) return effects;
  for (const placed of replaced(transfer, command, scene)) {
    effects.push(...overwritePlace(placed, 'move', command, scene));
  }
  return effects;
}

/** Whether the place is a directory that much depends on, rather than a file in it. */
function isTree({ path, scope }: Placed): boolean {
  if (scope === 'git') return path?.endsWith('/.git') === true;
  if (scope !== 'system') return true;
  const depth = path?.split('/').length ?? 0;
  return depth <= 2 || (depth === 3 && /^\/(?:usr|var|System|Library)\//.test(path ?? ''));
}

function readLink(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), COPY);
  if (asksOnly(options)) return NONE;
  const transfer = readTransfer(options);
  const forced = options.has('-f', '--force');
  const places =
    transfer.sources.length === 0 && transfer.target
      ? [scene.place(baseName(transfer.target.value), command)]
      : replaced(transfer, command, scene);
  return places.map((placed) => scene.effect(command, aboutPath(forced ? 'overwrite' : 'write', placed, 'link')));
}

function readTee(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { flags: ['--append', '--help', '--version'] });
  if (asksOnly(options)) return NONE;
  const appends = options.has('-a', '--append');
  return options.operands.flatMap((word) => overwriteFile(word, appends ? 'append' : 'tee', command, scene));
}

export function overwriteFile(word: ShellWord, how: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  return overwritePlace(scene.place(word, command), how, command, scene);
}

/** Nothing for a device that holds nothing; a disk is destroyed rather than overwritten. */
function overwritePlace(placed: Placed, how: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  const { scope, path } = placed;
  if (scope === 'remote' || (scope === 'outside' && path?.startsWith('/dev/') === true)) return NONE;
  if (scope === 'device' && !isDisk(path)) return NONE;
  const kind = scope === 'device' ? 'destroy-disk' : how === 'append' ? 'write' : 'overwrite';
  return [scene.effect(command, aboutPath(kind, placed, how))];
}

const DISK = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|md|dm-|mapper\/|ada|da\d|nbd|loop|zvol|k?mem$|port$)/;

function isDisk(path: string | undefined): boolean {
  return path !== undefined && DISK.test(path);
}

function writeEach(words: readonly ShellWord[], how: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  return words.filter((word) => word.value !== '').map((word) => onPath('write', word, how, command, scene));
}

function readTruncate(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-s', '--size', '-r', '--reference'] });
  if (asksOnly(options)) return NONE;
  const [size] = options.values('-s', '--size');
  const grows = size?.value.startsWith('+') === true;
  return options.operands.map((word) => onPath(grows ? 'write' : 'truncate', word, 'truncate', command, scene));
}

/** Programs that change the files they are given in place when `inPlace` says so; the first operand may be the script. */
function readInPlace(inPlace: (options: Options) => boolean, spec: OptionSpec, script: readonly string[]): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    if (asksOnly(options) || !inPlace(options)) return NONE;
    const files = options.has(...script) ? options.operands : options.operands.slice(1);
    return writeEach(files, 'in-place', command, scene);
  };
}

const SED_SCRIPT = ['-e', '--expression', '-f', '--file'];

function readSed(command: ShellCommand, scene: Scene): readonly Effect[] {
  // On macOS the suffix is a word of its own, often empty: `sed -i '' s/a/b/ file`.
  const words = command.words.slice(1).filter((word) => word.value !== '');
  const options = readOptions(words, {
    values: SED_SCRIPT,
    flags: ['--in-place', '--help', '--version', '--quiet', '--silent'],
  });
  const inPlace = options.has('--in-place') || words.some((word) => /^-[nrEsuzbl]*i/.test(word.value));
  if (asksOnly(options) || !inPlace) return NONE;
  const files = options.has(...SED_SCRIPT) ? options.operands : options.operands.slice(1);
  return writeEach(files, 'in-place', command, scene);
}

/** `perl -i -pe CODE files`, and ruby alike. */
function readPerl(command: ShellCommand, scene: Scene): readonly Effect[] {
  const words = command.words.slice(1);
  const flags = words.filter((word) => /^-[A-Za-z0-9]+/.test(word.value));
  if (!flags.some((word) => /^-[pnlaw0]*i/.test(word.value))) return NONE;
  const code = words.findIndex((word) => /^-[A-Za-z0-9.]*e$/i.test(word.value));
  return writeEach(
    code < 0 ? [] : words.slice(code + 2).filter((word) => !word.value.startsWith('-')),
    'in-place',
    command,
    scene,
  );
}

function readPatch(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: ['-p', '--strip', '-i', '--input', '-d', '--directory', '-o', '--output', '-F', '-r', '-B', '-D', '-z'],
  });
  if (asksOnly(options) || options.has('--dry-run', '-C', '--check')) return NONE;
  const [file] = options.operands;
  const [dir] = options.values('-d', '--directory');
  return [onPath('write', file ?? dir ?? '.', 'in-place', command, scene)];
}

function readEach(how: string, spec: OptionSpec = {}): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    return asksOnly(options) ? NONE : writeEach(options.operands, how, command, scene);
  };
}

/** Programs whose one output is named by an option. */
function readOutput(names: readonly string[], values: readonly string[] = []): ReadEffects {
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), { values: [...names, ...values] });
    if (asksOnly(options)) return NONE;
    return options.values(...names).flatMap((word) => overwriteFile(word, 'output', command, scene));
  };
}

const TAR_VALUES = [
  '-f',
  '--file',
  '-C',
  '--directory',
  '-X',
  '--exclude-from',
  '--exclude',
  '-T',
  '--files-from',
  '-b',
  '-I',
  '--use-compress-program',
  '--transform',
  '--strip-components',
  '--owner',
  '--group',
  '--mode',
  '-g',
  '-N',
  '-V',
  '-L',
  '-H',
  '-K',
];
const TAR: OptionSpec = {
  values: TAR_VALUES,
  flags: [
    '--extract',
    '--get',
    '--create',
    '--list',
    '--update',
    '--append',
    '--gzip',
    '--remove-files',
    '--to-stdout',
    '--help',
    '--version',
    '--diff',
    '--compare',
  ],
};

function readTar(command: ShellCommand, scene: Scene): readonly Effect[] {
  const [, first, ...rest] = command.words;
  if (!first) return NONE;
  // Old style: `tar xzf file` has its letters in front without a dash.
  const bundled = /^[A-Za-z]+$/.test(first.value) ? { ...first, value: `-${first.value}` } : first;
  const options = readOptions([bundled, ...rest], TAR);
  if (asksOnly(options)) return NONE;
  const [dir] = options.values('-C', '--directory');
  if (options.has('-x', '--extract', '--get') && !options.has('-O', '--to-stdout')) {
    return [onPath('write', dir ?? '.', 'archive', command, scene)];
  }
  const effects: Effect[] = [];
  if (options.has('-c', '--create', '-r', '--append', '-u', '--update')) {
    for (const word of options.values('-f', '--file')) {
      if (word.value !== '-' && !isRemote(word.value)) effects.push(...overwriteFile(word, 'archive', command, scene));
    }
    if (options.has('--remove-files'))
      for (const word of options.operands) effects.push(onPath('delete', word, 'archive', command, scene, true));
  }
  return effects;
}

function readUnzip(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-d', '-x', '-P'] });
  if (asksOnly(options) || options.has('-l', '-p', '-t', '-v', '-z', '-Z') || options.operands.length === 0)
    return NONE;
  return [onPath(options.has('-o') ? 'overwrite' : 'write', options.values('-d')[0] ?? '.', 'archive', command, scene)];
}

/** Line editors, and editors run without a screen. */
function readEditor(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-c', '--cmd', '-S', '-u', '-p'] });
  const silent = command.program === 'ed' || command.program === 'ex' || options.has('-e', '-E', '-s', '-c');
  return asksOnly(options) || !silent ? NONE : writeEach(options.operands, 'edit', command, scene);
}

function readXxd(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: ['-c', '-cols', '-g', '-l', '-len', '-s', '-seek', '-o', '-n', '-R'],
  });
  const target = options.operands[1];
  return target && target.value !== '-' ? overwriteFile(target, 'output', command, scene) : NONE;
}

const GAWK = readInPlace(
  (options) => options.values('-i', '--include').some((word) => word.value === 'inplace'),
  { values: ['-i', '--include', '-v', '-F', '-f', '--assign', '--file'] },
  ['-f', '--file'],
);

export const WRITE_PROGRAMS: ProgramTable = {
  cp: readCopy('copy', COPY),
  copy: readCopy('copy', COPY),
  'copy-item': readCopy('copy', COPY),
  install: readCopy('install', TRANSFER),
  mv: readMove,
  move: readMove,
  'move-item': readMove,
  ln: readLink,
  tee: readTee,
  sponge: readTee,
  truncate: readTruncate,
  sed: readSed,
  gsed: readSed,
  perl: readPerl,
  ruby: readPerl,
  awk: GAWK,
  gawk: GAWK,
  patch: readPatch,
  touch: readEach('touch', { values: ['-d', '--date', '-t', '-r', '--reference'] }),
  mkdir: readEach('mkdir', { values: ['-m', '--mode'] }),
  sort: readOutput(
    ['-o', '--output'],
    ['-k', '--key', '-t', '--field-separator', '-T', '-S', '--parallel', '--files0-from', '--batch-size'],
  ),
  tar: readTar,
  gtar: readTar,
  bsdtar: readTar,
  unzip: readUnzip,
  ed: readEditor,
  ex: readEditor,
  vi: readEditor,
  vim: readEditor,
  nvim: readEditor,
  xxd: readXxd,
};
