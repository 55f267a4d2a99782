import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { readOptions } from '../../shell/options.ts';

/** An archive that a command makes. */
export interface Archive {
  /** The file; absent when it goes to standard output. */
  readonly to: ShellWord | undefined;
  readonly members: readonly ShellWord[];
  /** Directories go in with all that is in them. */
  readonly recursive: boolean;
  /** Members are named elsewhere, in a file or on standard input. */
  readonly listed: boolean;
  /** A colon in the name of the file means no host. */
  readonly forceLocal: boolean;
}

const TAR: OptionSpec = {
  values: [
    ...'-f -C -T -X -I -b -g -H -K -L -N -V --file --directory --files-from'.split(' '),
    ...['--exclude', '--exclude-from', '--exclude-tag', '--transform', '--xform', '--owner', '--group', '--mode'],
    ...['--mtime', '--format', '--listed-incremental', '--use-compress-program', '--strip-components', '--newer'],
    ...'--label --rsh-command --checkpoint --checkpoint-action --to-command --sort --blocking-factor'.split(' '),
  ],
  flags: [
    ...['--create', '--append', '--update', '--extract', '--get', '--list', '--diff', '--compare', '--delete'],
    ...['--concatenate', '--no-recursion', '--recursion', '--force-local', '--gzip', '--bzip2', '--xz', '--zstd'],
  ],
};

export function archiveOf({ program, words }: ShellCommand): Archive | undefined {
  switch (program) {
    case 'tar':
    case 'gtar':
    case 'bsdtar':
      return tarOf(words);
    case 'zip':
      return zipOf(words);
    case '7z':
    case '7za':
    case '7zz':
    case 'rar':
      return letterArchive(words);
    case 'git':
      return gitArchive(words);
    case 'cpio':
    case 'pax':
      return words.some(({ value }) => value === '--create' || /^-[a-z]*[ow]/.test(value))
        ? { to: undefined, members: [], recursive: true, listed: true, forceLocal: true }
        : undefined;
    default:
      return undefined;
  }
}

function tarOf(words: readonly ShellWord[]): Archive | undefined {
  const [, first, ...rest] = words;
  if (first === undefined) return undefined;
  // The oldest style has no dash: `tar czf out.tgz src`.
  const dashed = /^[A-Za-z]+$/.test(first.value) ? { ...first, value: `-${first.value}` } : first;
  const options = readOptions([dashed, ...rest], TAR);
  if (!options.has('-c', '--create', '-r', '--append', '-u', '--update')) return undefined;
  const file = options.values('-f', '--file').at(-1);
  const dir = options.values('-C', '--directory').at(-1)?.value;
  return {
    to: file === undefined || file.value === '-' || file.value === '/dev/stdout' ? undefined : file,
    members: dir === undefined ? options.operands : options.operands.map((word) => inside(dir, word)),
    recursive: !options.has('--no-recursion'),
    listed: options.has('-T', '--files-from'),
    forceLocal: options.has('--force-local'),
  };
}

function inside(dir: string, word: ShellWord): ShellWord {
  if (/^[/~]/.test(word.value)) return word;
  return { ...word, value: word.value === '.' ? dir : `${dir}/${word.value}` };
}

function zipOf(words: readonly ShellWord[]): Archive | undefined {
  const options = readOptions(words.slice(1), { values: ['-b', '-n', '-t', '-x', '-i', '-P', '-O'] });
  if (options.has('-d', '-T', '-h', '--help')) return undefined;
  const [to, ...members] = options.operands;
  if (to === undefined) return undefined;
  return {
    to: to.value === '-' ? undefined : /\.[^/.]+$/.test(to.value) ? to : { ...to, value: `${to.value}.zip` },
    members,
    recursive: options.has('-r', '--recurse-paths', '-R'),
    listed: options.has('-@'),
    forceLocal: true,
  };
}

/** `7z a out.7z members`: a letter is the verb. */
function letterArchive(words: readonly ShellWord[]): Archive | undefined {
  const [verb, to, ...members] = words.slice(1).filter(({ value }) => !value.startsWith('-'));
  if (verb?.value !== 'a' || to === undefined) return undefined;
  const toOutput = words.some(({ value }) => value === '-so');
  return { to: toOutput ? undefined : to, members, recursive: true, listed: false, forceLocal: true };
}

function gitArchive(words: readonly ShellWord[]): Archive | undefined {
  const at = words.findIndex(({ value }, index) => index > 0 && (value === 'archive' || value === 'bundle'));
  if (at < 0) return undefined;
  const rest = words.slice(at + 1);
  if (words[at]?.value === 'bundle') {
    return rest[0]?.value === 'create' && rest[1]
      ? {
          to: rest[1].value === '-' ? undefined : rest[1],
          members: [HERE],
          recursive: true,
          listed: false,
          forceLocal: true,
        }
      : undefined;
  }
  const to = readOptions(rest, { values: ['-o', '--output', '--format', '--prefix', '--remote'] })
    .values('-o', '--output')
    .at(-1);
  return { to, members: [HERE], recursive: true, listed: false, forceLocal: true };
}

const HERE: ShellWord = { text: '.', value: '.', known: true, glob: false, from: [] };

/** Whether the word names a directory, as far as its spelling tells. */
export function looksLikeTree({ value, glob }: ShellWord): boolean {
  if (value.endsWith('/') || glob) return true;
  const name = value.slice(value.lastIndexOf('/') + 1);
  return name === '.' || name === '..' || (!name.slice(1).includes('.') && !name.includes(UNKNOWN));
}
