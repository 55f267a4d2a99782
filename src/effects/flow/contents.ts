import { SECRET_LOOKS } from '../secrets/hunts.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import type { OptionSpec } from '../../shell/options.ts';
import { archiveOf } from '../files/archives.ts';
import type { Contents, ReadContents } from './handed-on.ts';
import { baseName } from '../network/hosts.ts';

/** Compressors replace the file by one with a suffix, unless they print. */
const compress =
  (suffix: string): ReadContents =>
  (_command, options) => {
    const reads = options.operands;
    const output = reads.length === 0 || options.has('-c', '--stdout', '--to-stdout');
    const undoes = options.has('-d', '--decompress', '--uncompress');
    const rename = ({ value }: ShellWord) =>
      undoes ? value.slice(0, Math.max(0, value.lastIndexOf('.'))) : `${value}${suffix}`;
    const named = options.values('-o', '--output');
    return {
      reads,
      input: reads.length === 0,
      writes: output ? [] : named.length > 0 ? named : reads.map(rename),
      output,
      decodes: undoes,
    };
  };

const openssl: ReadContents = ({ words }) => {
  const verb = words[1]?.value ?? '';
  if (!/^(?:enc|base64|aes.*|des.*|camellia.*|smime|cms|rsautl|pkeyutl|zlib)$/.test(verb)) return undefined;
  const after = (name: string) => words.flatMap((word, at) => (words[at - 1]?.value === name ? [word] : []));
  const reads = after('-in');
  const writes = after('-out');
  const decodes = words.some(({ value }) => value === '-d' || value === '-decrypt');
  return { reads, input: reads.length === 0, writes, output: writes.length === 0, decodes };
};

const gpg: ReadContents = (_command, options) => {
  const decodes = options.has('-d', '--decrypt');
  const writes: (ShellWord | string)[] = [...options.values('-o', '--output')];
  const reads = options.operands;
  const first = reads[0];
  const encrypts = options.has('-c', '-e', '-s', '--symmetric', '--encrypt', '--sign');
  if (writes.length === 0 && encrypts && first) writes.push(`${first.value}.gpg`, `${first.value}.asc`);
  return decodes || encrypts
    ? { reads, input: reads.length === 0, writes, output: writes.length === 0, decodes }
    : undefined;
};

const xxd: ReadContents = (_command, options) => {
  const [from, to] = options.operands;
  const decodes = options.has('-r', '-revert', '-rp');
  return {
    reads: from ? [from] : [],
    input: from === undefined,
    writes: to ? [to] : [],
    output: to === undefined,
    decodes,
  };
};

const filter: ReadContents = (_command, options) => ({
  reads: options.operands,
  input: true,
  writes: options.values('-o', '--output', '-out'),
  output: true,
});

const decoder =
  (...flags: readonly string[]): ReadContents =>
  (command, options) => ({
    ...(filter(command, options) as Contents),
    reads: [...options.operands, ...options.values('-i', '--input', '-in')],
    decodes: options.has(...flags),
  });

/** A search through many files for what credentials look like finds credentials. */
const search: ReadContents = (command, options) => {
  const [pattern, ...reads] = options.operands;
  const through = command.program !== 'grep' || options.has('-r', '-R', '--recursive');
  const finds = through && reads.length > 0 && pattern !== undefined && SECRET_LOOKS.test(pattern.value);
  return { ...(filter(command, options) as Contents), reads, credentials: finds };
};

/** What was packed nobody has read. */
const unpack: ReadContents = (command, options) => ({
  ...(filter(command, options) as Contents),
  output: command.program !== 'unzip' || options.has('-p', '-c'),
  decodes: true,
});

const print: ReadContents = () => ({ reads: [], input: false, writes: [], output: true, words: true });

const tee: ReadContents = (_command, { operands }) => ({ reads: [], input: true, writes: operands, output: true });

const redirected: ReadContents = ({ words }) =>
  words.length === 0 ? { reads: [], input: true, writes: [], output: true } : undefined;

const dd: ReadContents = ({ words }) => {
  const named = (key: string) =>
    words.flatMap((word) => (word.value.startsWith(key) ? [{ ...word, value: word.value.slice(key.length) }] : []));
  const reads = named('if=');
  const writes = named('of=');
  return { reads, input: reads.length === 0, writes, output: writes.length === 0 };
};

/** Copies: the last operand is the file or the directory that gets the others. */
const copy =
  (moves: boolean): ReadContents =>
  (_command, options) => {
    const [given] = options.values('-t', '--target-directory');
    const to = given ?? options.operands.at(-1);
    const reads = given ? options.operands : options.operands.slice(0, -1);
    if (to === undefined || reads.length === 0) return undefined;
    const writes = [to, ...reads.map(({ value }) => `${to.value}/${baseName(value)}`)];
    return { reads, input: false, writes, output: false, recursive: true, moves };
  };

const ENVIRONMENT: Contents = { reads: [], input: false, writes: [], output: true, environment: true };

const BARE_FLAGS = /^(?:-0|--null|-p|-x|-px|-xp)$/;

/** The bare forms print everything; of the others only `printenv` prints what it is asked for. */
const environment: ReadContents = ({ program, words }) => {
  const named = words.slice(1).filter(({ value }) => !BARE_FLAGS.test(value));
  if (named.length === 0) return ENVIRONMENT;
  return program === 'printenv' && named.some(({ value }) => SECRET_LOOKS.test(value)) ? ENVIRONMENT : undefined;
};

const compgen: ReadContents = ({ words }) =>
  words.some(({ value }) => /^-[ev]$/.test(value)) ? ENVIRONMENT : undefined;

const DECODES =
  /b64decode|decode_?base64|base64_decode|fromhex|unhexlify|decompress|gunzip|inflate|codecs|\batob\b|\bunpack\b|Buffer\.from|rot_?13|\bchr\b/i;

/** Interpreters with code of their own hand on what they read. */
const interpret: ReadContents = ({ words }) => ({
  reads: words.slice(2),
  input: true,
  writes: [],
  output: true,
  decodes: words.some(({ value }) => DECODES.test(value)),
});

const make: ReadContents = (command) => {
  const archive = archiveOf(command);
  if (!archive) return unpackedBy(command);
  const { to, members, recursive, listed } = archive;
  const listedHere = listed && command.input?.kind === 'text' ? linesAsWords(command.input.text) : [];
  return {
    reads: [...members, ...listedHere],
    input: false,
    writes: to ? [to] : [],
    output: to === undefined,
    recursive,
    packed: listed || recursive,
  };
};

const TO_OUTPUT = /^-?[A-Za-z]*O[A-Za-z]*$|^--to-stdout$|^-so$/;

/** `tar xzO`: the members of the archive come out as they are. */
function unpackedBy({ program, words }: ShellCommand): Contents | undefined {
  if (!/tar$|^7z|^rar|^cpio/.test(program) || !words.some(({ value }) => value.length < 32 && TO_OUTPUT.test(value)))
    return undefined;
  const reads = words.filter((_word, at) => /^-?[A-Za-z]*f$|^--file$/.test(words[at - 1]?.value ?? ''));
  return { reads, input: reads.length === 0, writes: [], output: true, decodes: true };
}

function linesAsWords(text: string): ShellWord[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((value) => ({ text: value, value, known: true, glob: false, from: [] }));
}

const VALUES: OptionSpec = {
  values: '-o -t -C -n --output --target-directory -S --suffix --wrap -w --lines --bytes'.split(' '),
};
const BASE64: OptionSpec = { values: ['-o', '-i', '-w', '-b', '--wrap', '--input', '--output', '--break'] };
const XXD: OptionSpec = { values: ['-s', '-l', '-c', '-g', '-seek', '-len', '-cols', '-o'] };
const GPG: OptionSpec = {
  values:
    '-o -r -u --output --recipient --local-user --passphrase --passphrase-file --homedir --batch-size --cipher-algo --pinentry-mode --passphrase-fd'.split(
      ' ',
    ),
};
const COPY: OptionSpec = {
  values: ['-t', '-S', '-m', '-o', '-g', '--target-directory', '--suffix', '--mode', '--owner', '--group'],
};
const SYNC: OptionSpec = {
  values: ['-e', '-f', '--rsh', '--filter', '--exclude', '--include', '--exclude-from', '--include-from'],
};

type Entry = readonly [ReadContents, OptionSpec];

const FILTERS =
  'cat bat batcat head tail sed gsed awk gawk mawk nawk zgrep sort uniq cut paste rev tac fold fmt nl tr ' +
  'od hexdump strings column expand unexpand jq yq gojq envsubst iconv dos2unix unix2dos pv ts less more ' +
  'uuencode hexyl age rage split csplit xargs parallel find ls fd realpath readlink fmt pr comm join diff';
const UNPACKERS = 'zcat gzcat bzcat xzcat zstdcat lz4cat gunzip bunzip2 unxz unzstd unlz4 uncompress unzip funzip';

const SEARCH: OptionSpec = {
  values: '-A -B -C -m -e -f -g -t --include --exclude --exclude-dir --glob --type'.split(' '),
};

const CONTENTS: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack'].map((name): [string, Entry] => [name, [search, SEARCH]]),
  ...FILTERS.split(' ').map((name): [string, Entry] => [name, [filter, VALUES]]),
  ...UNPACKERS.split(' ').map((name): [string, Entry] => [name, [unpack, VALUES]]),
  ...['base64', 'gbase64', 'base32', 'basenc', 'base58', 'uudecode', 'xxencode'].map((name): [string, Entry] => [
    name,
    [name === 'uudecode' ? unpack : decoder('-d', '-D', '--decode'), BASE64],
  ]),
  ...['python', 'python3', 'perl', 'ruby', 'node', 'php', 'deno', 'bun'].map((name): [string, Entry] => [
    name,
    [interpret, VALUES],
  ]),
  ['xxd', [xxd, XXD]],
  ['openssl', [openssl, VALUES]],
  ['gpg', [gpg, GPG]],
  ['gpg2', [gpg, GPG]],
  ['echo', [print, VALUES]],
  ['printf', [print, VALUES]],
  ['tee', [tee, {}]],
  ['sponge', [tee, {}]],
  // `$(< file)`: no program, only a redirection.
  ['', [redirected, {}]],
  ['dd', [dd, {}]],
  ['cp', [copy(false), COPY]],
  ['ln', [copy(false), COPY]],
  ['link', [copy(false), COPY]],
  ['install', [copy(false), COPY]],
  ['rsync', [copy(false), SYNC]],
  ['ditto', [copy(false), COPY]],
  ['scp', [copy(false), { values: ['-i', '-F', '-o', '-P', '-l', '-c', '-J', '-S'] }]],
  ['mv', [copy(true), COPY]],
  ['gzip', [compress('.gz'), VALUES]],
  ['pigz', [compress('.gz'), VALUES]],
  ['bzip2', [compress('.bz2'), VALUES]],
  ['xz', [compress('.xz'), VALUES]],
  ['zstd', [compress('.zst'), VALUES]],
  ['lz4', [compress('.lz4'), VALUES]],
  ['env', [environment, VALUES]],
  ['printenv', [environment, VALUES]],
  ['export', [environment, VALUES]],
  ['set', [environment, VALUES]],
  ['declare', [environment, VALUES]],
  ['typeset', [environment, VALUES]],
  ['compgen', [compgen, VALUES]],
  ...['tar', 'gtar', 'bsdtar', 'zip', '7z', '7za', '7zz', 'rar', 'git', 'cpio', 'pax'].map((name): [string, Entry] => [
    name,
    [make, VALUES],
  ]),
]);

/** What the command does with content; undefined when it hands none on. */
export function contentsOf(command: ShellCommand): Contents | undefined {
  const entry = CONTENTS.get(command.program);
  return entry?.[0](command, readOptions(command.words.slice(1), entry[1]));
}

const DECODERS: ReadonlySet<string> = new Set(
  `base64 gbase64 base32 basenc base58 uudecode xxd openssl gpg gpg2 gzip xz bzip2 zstd tar bsdtar 7z cpio ${UNPACKERS}`.split(
    ' ',
  ),
);

export function mayDecode(program: string): boolean {
  return DECODERS.has(program);
}
