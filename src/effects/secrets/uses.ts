import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { baseName, below, listed } from '../words/arguments.ts';
import { isRemote } from '../paths/resolve-path.ts';
import type { ResolvedPath, Scene } from '../scene.ts';
import { isSecretPath } from '../paths/secret-names.ts';
import { readTransfer } from '../files/copies.ts';

/** Text tools: what an option hands them is shown as well. */
const READERS: ReadonlySet<string> = new Set(
  listed(
    'cat tac nl less more most bat batcat head tail sed awk gawk mawk nawk grep egrep fgrep rgrep zgrep rg ag ack cut sort uniq tr paste join comm fold fmt ' +
      'column rev expand unexpand od xxd hexdump hd strings base64 base32 basenc uuencode date xargs diff sdiff colordiff split csplit dd openssl curl wget ' +
      'jq yq envsubst iconv pr shuf look zip tar gtar bsdtar 7z socat nc ncat',
  ),
);

/** Options whose file is used, written, or left out: its content does not show. */
const QUIET_OPTIONS: ReadonlySet<string> = new Set(
  listed(
    '--key --cert -E --cacert --capath -K --config --netrc-file --cert-type --proxy-cert --proxy-key --pinnedpubkey -i --identity --identity-file --env-file ' +
      '--envfile --env --secret-file --kubeconfig --private-key --certificate --ca-certificate -o -O --output --out -out --output-file --output-document ' +
      '--exclude --exclude-from -X --include -g --glob --iglob --ignore-file --ignore --log-file -keyout -CAkey -signkey -inkey -CA -CAfile -cert -key ' +
      '--password-file --passphrase-file',
  ),
);

/** How a secret that the command is given would come to light. */
export interface SecretUse {
  readonly how: 'read' | 'copy' | 'move' | 'archive';
  /** Whether what the word at this place names would be shown or carried elsewhere. */
  readonly shows: (word: ShellWord, at: number) => boolean;
}

export function secretUse(command: ShellCommand, scene: Scene): SecretUse {
  const { program } = command;
  const make = USES.get(program);
  const how = COPIES.includes(program)
    ? program.startsWith('m')
      ? 'move'
      : 'copy'
    : ARCHIVES.includes(program)
      ? 'archive'
      : 'read';
  const shows = make?.(command, scene);
  return { how, shows: (word, at) => !isQuiet(word, at, command) && (shows?.(word, at) ?? true) };
}

function isQuiet(word: ShellWord, at: number, { program, words: all }: ShellCommand): boolean {
  const before = all[at - 1]?.value ?? '';
  const own = /^(--?[A-Za-z][\w-]*)=/.exec(word.value)?.[1];
  const option = own ?? (before.startsWith('-') && before.length > 1 && !before.includes('=') ? before : undefined);
  if (option !== undefined && QUIET_OPTIONS.has(option) && !(option === '-i' && program === 'base64')) return true;
  return ((own !== undefined || before.startsWith('--')) && !READERS.has(program)) || word.value.startsWith('of=');
}

type Use = (command: ShellCommand, scene: Scene) => SecretUse['shows'];

const COPY_VALUES = listed(
  '-t --target-directory -S --suffix -e --rsh --exclude --include --exclude-from -i -o -F -P -c -J -l --password-file',
);

const isNear = ({ scope }: ResolvedPath): boolean => scope === 'inside' || scope === 'workspace' || scope === 'made';

/** A copy under another name that says secret as well, such as `.env` to `.env.local`, goes nowhere new. */
const copies: Use = (command, scene) => {
  const { sources, target, into } = readTransfer(readOptions(command.words.slice(1), { values: COPY_VALUES }));
  const given = new Set(sources);
  return (word) => {
    if (!given.has(word) || !target || isRemote(word.value)) return false;
    if (isRemote(target.value)) return true;
    const name = baseName(word.value);
    const isDir = into || /(?:^|\/)\.{1,2}$/.test(target.value);
    const place = scene.place(isDir ? { ...target, value: below(target.value, name) } : target, command);
    if (!isNear(place)) return true;
    // What begins with a dot keeps its name in another directory, and none of it is shown: `mv wordpress/.* .`.
    if (word.glob && isDir && /^\.[*?[]/.test(name) && isNear(scene.place(word, command))) return false;
    return !(/^\.env\b/.test(name) && isSecretPath(place.path ?? place.name, scene.surroundings));
  };
};

const GREP_VALUES = listed(
  '-e --regexp -f --file -A -B -C -m --max-count --include --exclude --exclude-dir -d -D --label --color --colour --context',
);
const RIPGREP_VALUES = [...GREP_VALUES, ...listed('-g --glob --iglob -t --type -T --type-not -r --replace --sort -j')];
const NAMES_ONLY = listed('-c --count -q --quiet --silent -l --files-with-matches -L --files-without-match --files');

/** The first operand is the pattern; counts and names of files show nothing. */
const searches: Use = ({ program, words: all }) => {
  const options = readOptions(all.slice(1), { values: program.endsWith('grep') ? GREP_VALUES : RIPGREP_VALUES });
  if (options.has(...NAMES_ONLY)) return () => false;
  const named = options.has('-e', '--regexp', '-f', '--file');
  const pattern = named ? options.values('-e', '--regexp') : options.operands.slice(0, 1);
  if (options.has('-o', '--only-matching') && pattern.length > 0 && pattern.every(({ value }) => NAMES.test(value)))
    return () => false;
  const files = new Set([...options.operands.slice(named ? 0 : 1), ...options.values('-f', '--file')]);
  return (word) => files.has(word);
};

const SCRIPT_VALUES = listed('-e --expression -f --file --from-file -v -F --arg --argjson --indent');

/** A pattern that ends before the first value: `^[A-Z_]*`, `^[^=]+=`. */
const NAMES = /^\^\(?(?:export )?(?:\[(?:[A-Za-z0-9_-]+|\^=)\]|\\w)(?:[*+]|\\\+)\)?=?$/;
/** A script of sed that cuts every value off, or of awk that prints the first field alone. */
const BLANKS = /^s([/|#,])=\.[*+]\$?\1(?:(?!\1)[^&\\])*\1g?$/;
const FIRST_FIELD = /^[^{}]*\{\s*print\s+\$1\s*;?\s*\}$/;

function showsNames(program: string, words: readonly ShellWord[], script: string): boolean {
  if (script.length > 256) return false;
  if (program.endsWith('sed')) return BLANKS.test(script);
  const parted = words.some(({ value }, at) => value === '-F=' || (value === '-F' && words[at + 1]?.value === '='));
  return program.endsWith('awk') && parted && FIRST_FIELD.test(script);
}

/** The first operand is the script; a change in place shows nothing. */
const runsScript: Use = ({ program, words: all }) => {
  const rest = all.slice(1);
  if (program.endsWith('sed') && rest.some((each) => /^(?:-[nrEsuzbl]*i|--in-place)/.test(each.value)))
    return () => false;
  const options = readOptions(rest, { values: SCRIPT_VALUES });
  const named = options.has('-e', '--expression', '-f', '--file', '--from-file') || options.operands.length < 2;
  if (!named && showsNames(program, rest, options.operands[0]?.value ?? '')) return () => false;
  return (word) => named || options.operands[0] !== word;
};

const packsTar: Use = ({ words: all }) => {
  const mode = all[1]?.value ?? '';
  const letters = /^-?[A-Za-z]+$/.test(mode) ? mode : '';
  if (/[xt]/.test(letters) || all.some((each) => /^--(?:extract|list|get)$/.test(each.value))) return () => false;
  return (_word, at) => all[at - 1]?.value !== '-f' || !letters.includes('f');
};

const packsZip: Use = ({ words: all }) => {
  const out = all.findIndex((each) => each.value === '-x' || each.value === '--exclude');
  const archive = all.findIndex((each, at) => at > 0 && !each.value.startsWith('-'));
  return (_word, at) => at !== archive && (out < 0 || at < out);
};

const packs7z: Use = ({ words: all }) => {
  const adds = /^[au]$/.test(all[1]?.value ?? '');
  return () => adds;
};

const OPENSSL_SHOWS = /^(?:enc|rsa|dsa|ec|pkey|pkcs8|pkcs12|base64|aes|des|zlib|cms|smime)/;

const opensslShows: Use = ({ words: all }) => {
  const quiet = all.some((each) => /^-(?:pubout|noout|check|nokeys|export)$/.test(each.value));
  const shows = !quiet && OPENSSL_SHOWS.test(all[1]?.value ?? '');
  return () => shows;
};

/** `cut -d= -f1 .env` shows names alone. */
const cuts: Use = ({ words: all }) => {
  const names = all.some((each) => /^(?:-f|--fields=)1$/.test(each.value));
  return () => !names;
};

const COPIES = listed('cp mv ln install rsync scp ditto copy move copy-item move-item gcp gmv');
const ARCHIVES = listed('tar gtar bsdtar zip 7z 7za gzip bzip2 xz zstd');

const USES: ReadonlyMap<string, Use> = new Map<string, Use>([
  ...COPIES.map((name) => [name, copies] as const),
  ...listed('grep egrep fgrep rgrep zgrep rg ag ack').map((name) => [name, searches] as const),
  ...listed('sed gsed awk gawk mawk nawk jq yq gojq dasel').map((name) => [name, runsScript] as const),
  ...listed('tar gtar bsdtar').map((name) => [name, packsTar] as const),
  ['zip', packsZip],
  ['7z', packs7z],
  ['7za', packs7z],
  ['openssl', opensslShows],
  ['cut', cuts],
]);
