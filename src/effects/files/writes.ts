import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import type { Options, OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE, asksOnly, below, listed } from '../words/arguments.ts';
import { discardCompared } from '../git/discard.ts';
import { onPath, overwriteFile, writeEach } from '../paths/path-effect.ts';
import { isRemote } from '../paths/resolve-path.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';

function readTee(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { flags: ['--append', '--help', '--version'] });
  if (asksOnly(options)) return NONE;
  const appends = options.has('-a', '--append');
  return options.operands.flatMap((word) => overwriteFile(word, appends ? 'append' : 'tee', command, scene));
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
  const [script] = options.has(...SED_SCRIPT) ? options.values('-e', '--expression') : options.operands;
  if (script && DELETES_ALL.test(script.value))
    return files.map((word) => onPath('truncate', word, 'in-place', command, scene));
  return writeEach(files, 'in-place', command, scene);
}

/** A script of sed that leaves no line. */
const DELETES_ALL = /^(?:1,\$|\/\.?\*?\/|0~1)?\s*d$/;

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
    values: listed('-p --strip -i --input -d --directory -o --output -F -r -B -D -z'),
  });
  if (asksOnly(options) || options.has('--dry-run', '-C', '--check')) return NONE;
  const [file] = options.operands;
  const [dir] = options.values('-d', '--directory');
  if (!file && options.has('-R', '--reverse')) {
    const lost = discardCompared({ command, scene, name: 'apply', words: [], config: new Map() });
    if (lost.length > 0) return lost;
  }
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
    const files = options.values(...names).filter(({ value }) => value !== '-');
    return files.flatMap((word) => overwriteFile(word, 'output', command, scene));
  };
}

const TAR_VALUES = listed(
  '-f --file -C --directory -X --exclude-from --exclude -T --files-from -b -I --use-compress-program --transform ' +
    '--strip-components --owner --group --mode -g -N -V -L -H -K',
);
const TAR: OptionSpec = {
  values: TAR_VALUES,
  flags: listed(
    '--extract --get --create --list --update --append --gzip --remove-files --to-stdout --help --version --diff --compare',
  ),
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
    const renamed = options.has('--strip-components', '--transform', '--xform', '-T', '--files-from');
    return unpacked(dir, renamed ? [] : options.operands, 'write', command, scene);
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

/** What comes out of an archive, by the members that are named; without these it may be anything. */
function unpacked(
  dir: ShellWord | undefined,
  members: readonly ShellWord[],
  kind: 'write' | 'overwrite',
  command: ShellCommand,
  scene: Scene,
): readonly Effect[] {
  const effect = onPath(kind, dir ?? '.', 'archive', command, scene);
  if (members.length === 0) return [effect];
  const within = members.map((word) => ({ ...word, value: word.value.replace(/^(?:\.?\/)+/, '') }));
  const files = dir ? within.map((word) => ({ ...word, value: below(dir.value, word.value) })) : within;
  return [
    { ...effect, names: within.map(({ value }) => value.split('/', 1)[0] ?? '') },
    ...files.map((word) => onPath(kind, word, 'archive', command, scene)),
  ];
}

/** `7z x a.7z -oDIR`, `unrar x a.rar DIR`, `unar -o DIR a.zip`, `cpio -i -D DIR`, `pax -r`, `ditto -x -k a.zip DIR`. */
function readUnpack(command: ShellCommand, scene: Scene): readonly Effect[] {
  const { program, words } = command;
  const values = words.map(({ value }) => value);
  const given = (at: number) => (at > 0 ? words[at + 1] : undefined);
  const last = words.findLast(({ value }, at) => at > 0 && !value.startsWith('-'));
  const joined = words.find(({ value }, at) => at > 0 && /^-o./.test(value));
  switch (program) {
    case 'cpio':
    case 'pax': {
      if (!values.some((value) => /^-[a-z]*[ir]|^--extract$/.test(value))) return NONE;
      const at = values.findIndex((value) => /^(?:-D|--directory)$/.test(value));
      return unpacked(given(at), [], 'write', command, scene);
    }
    case 'ditto':
      return last ? unpacked(last, [], 'write', command, scene) : NONE;
    case 'unar': {
      const at = values.findIndex((value) => /^-o(?:utput-directory)?$/.test(value));
      return unpacked(given(at), [], 'write', command, scene);
    }
    default: {
      if (/^[amu]f?$/.test(values[1] ?? '')) return readLetters(command, scene);
      if (values[1] !== 'x' && values[1] !== 'e') return NONE;
      const dir = joined
        ? { ...joined, text: joined.value.slice(2), value: joined.value.slice(2) }
        : last?.value.endsWith('/') === true
          ? last
          : undefined;
      return unpacked(dir, [], 'write', command, scene);
    }
  }
}

/** `7z a -sdel`, `rar a -df` and `rar m` remove what they pack. */
function readLetters(command: ShellCommand, scene: Scene): readonly Effect[] {
  const [, verb, ...rest] = command.words;
  const [archive, ...members] = rest.filter(({ value }) => !value.startsWith('-'));
  const removes = verb?.value.startsWith('m') === true || rest.some(({ value }) => /^-(?:sdel|d[fwr])$/.test(value));
  const packed = archive ? overwriteFile(archive, 'archive', command, scene) : NONE;
  if (!removes) return packed;
  return [...packed, ...members.map((word) => onPath('delete', word, 'archive', command, scene, true))];
}

/** `zip -m` removes what it packs. */
function readZip(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), {
    values: listed('-b -n -t -tt -x -i -P -O --exclude --include --out'),
    flags: listed('--move --recurse-paths --help --version --filesync'),
  });
  if (asksOnly(options)) return NONE;
  const [archive, ...members] = options.operands;
  if (!archive) return NONE;
  const tree = options.has('-r', '--recurse-paths', '-R');
  const packed = archive.value === '-' ? NONE : overwriteFile(archive, 'archive', command, scene);
  if (!options.has('-m', '--move')) return packed;
  return [...packed, ...members.map((word) => onPath('delete', word, 'archive', command, scene, tree))];
}

function readUnzip(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-d', '-x', '-P'] });
  if (asksOnly(options) || options.has('-l', '-p', '-t', '-v', '-z', '-Z') || options.operands.length === 0)
    return NONE;
  const [, ...members] = options.operands;
  return unpacked(options.values('-d')[0], members, options.has('-o') ? 'overwrite' : 'write', command, scene);
}

/** Line editors, and editors run without a screen. */
function readEditor(command: ShellCommand, scene: Scene): readonly Effect[] {
  const options = readOptions(command.words.slice(1), { values: ['-c', '--cmd', '-S', '-u', '-p'] });
  const silent = command.program === 'ed' || command.program === 'ex' || options.has('-e', '-E', '-s', '-c');
  return asksOnly(options) || !silent ? NONE : writeEach(options.operands, 'edit', command, scene);
}

/** Programs whose output is the last of at least two operands: `uniq FROM TO`. */
function readLast(values = ''): ReadEffects {
  const spec = { values: listed(values) };
  return (command, scene) => {
    const options = readOptions(command.words.slice(1), spec);
    const target = options.operands.slice(1).at(-1);
    if (asksOnly(options) || !target || target.value === '-') return NONE;
    return overwriteFile(target, 'output', command, scene);
  };
}

/** A file is cut into numbered ones, over those that are there. */
const readSplit: ReadEffects = (command, scene) => {
  const options = readOptions(command.words.slice(1), { values: listed('-a -b -C -l -n --lines --bytes --number') });
  if (asksOnly(options)) return NONE;
  const named = options.operands[1];
  const value = `${named?.value ?? 'x'}${options.has('-a', '--suffix-length') ? '*' : '??'}`;
  return [
    onPath('overwrite', { text: value, from: [], known: true, ...named, value, glob: true }, 'output', command, scene),
  ];
};

const GPG = readOutput(['-o', '--output'], listed('-r --recipient -u --local-user --homedir --passphrase-file'));

const GAWK = readInPlace(
  (options) => options.values('-i', '--include').some((word) => word.value === 'inplace'),
  { values: ['-i', '--include', '-v', '-F', '-f', '--assign', '--file'] },
  ['-f', '--file'],
);

export const WRITE_PROGRAMS: ProgramTable = {
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
    listed('-k --key -t --field-separator -T -S --parallel --files0-from --batch-size'),
  ),
  tar: readTar,
  gtar: readTar,
  bsdtar: readTar,
  zip: readZip,
  unzip: readUnzip,
  ...Object.fromEntries(listed('7z 7za 7zz 7zr unrar rar unar cpio pax ditto').map((name) => [name, readUnpack])),
  ed: readEditor,
  ex: readEditor,
  vi: readEditor,
  vim: readEditor,
  nvim: readEditor,
  xxd: readLast('-c -cols -g -l -len -s -seek -o -n -R'),
  uniq: readLast('-f --skip-fields -s --skip-chars -w --check-chars'),
  pdftotext: readLast('-f -l -r -x -y -W -H -enc'),
  ...Object.fromEntries(listed('ps2pdf qpdf convert ffmpeg wkhtmltopdf').map((name) => [name, readLast()])),
  split: readSplit,
  openssl: readOutput(['-out']),
  iconv: readOutput(['-o', '--output'], listed('-f -t --from-code --to-code')),
  pandoc: readOutput(['-o', '--output'], listed('-f --from -t --to -r -w -V -M --template --metadata-file')),
  gpg: GPG,
  gpg2: GPG,
  ...Object.fromEntries(
    listed('age xsltproc xmllint rsvg-convert cwebp dot terser uglifyjs').map((name) => [
      name,
      readOutput(['-o', '--output']),
    ]),
  ),
};
