import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { readOptions } from '../shell/options.ts';
import { NONE, baseName, below } from './arguments.ts';
import { isRemote } from './place.ts';
import type { Placed, ReadEffects, Scene } from './scene.ts';
import { isSecretPath } from './secret-names.ts';
import { readStore } from './secret-stores.ts';
import { readTransfer } from './writes.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that only name, list, make or remove a file, measure it, or use what is in it without showing it. */
const FREE = words(
  'ls dir exa eza lsd tree stat test [ [[ rm unlink rmdir shred trash trash-put touch mkdir chmod chown chgrp setfacl chattr chflags xattr ' +
    'find fd fdfind locate echo printf true false : basename dirname realpath readlink which type command du df wc file cksum sum md5 md5sum sha1sum sha224sum ' +
    'sha256sum sha384sum sha512sum shasum b2sum cmp tee sponge truncate export declare typeset local readonly unset set cd pushd popd source . ' +
    'alias return exit let trap shift hash complete ssh ssh-add ssh-keygen ssh-copy-id ssh-agent sftp mosh autossh sshfs docker docker-compose podman nerdctl ' +
    'kubectl oc helm kustomize kubeseal terraform tofu pulumi aws gcloud az gh glab vercel netlify fly flyctl heroku railway supabase ' +
    'ansible ansible-playbook ansible-vault node deno bun bunx npx npm pnpm yarn python ruby perl php java go cargo make just task cmake ' +
    'uv poetry pip pytest vitest jest tsx ts-node code open xdg-open vim vi nvim nano emacs apt-key rpm apt keytool jarsigner apksigner codesign ' +
    'certbot mkcert step nginx caddy psql mysql redis-cli mongosh dotenv dotenvx env-cmd foreman honcho direnv op sops age git-crypt gpg gpg2 age-keygen ' +
    'act serverless sls sam cdk chezmoi stow mktemp kill pkill security plutil defaults dotnet mvn gradle nix openvpn wg git',
);
/** Text tools: what an option hands them is shown as well. */
const READERS = words(
  'cat tac nl less more most bat batcat head tail sed awk gawk mawk nawk grep egrep fgrep rgrep zgrep rg ag ack cut sort uniq tr paste join comm fold fmt ' +
    'column rev expand unexpand od xxd hexdump hd strings base64 base32 basenc uuencode date xargs diff sdiff colordiff split csplit dd openssl curl wget ' +
    'jq yq envsubst iconv pr shuf look zip tar gtar bsdtar 7z socat nc ncat',
);
const COPIES = words('cp mv ln install rsync scp ditto copy move copy-item move-item gcp gmv');
const ARCHIVES = words('tar gtar bsdtar zip 7z 7za gzip bzip2 xz zstd');
const MATCHERS = words('grep egrep fgrep rgrep zgrep rg ag ack');
const SCRIPTED = words('sed gsed awk gawk mawk nawk jq yq gojq dasel');

/** Options whose file is used, written, or left out: its content does not show. */
const QUIET_OPTIONS = words(
  '--key --cert -E --cacert --capath -K --config --netrc-file --cert-type --proxy-cert --proxy-key --pinnedpubkey -i --identity --identity-file --env-file ' +
    '--envfile --env --secret-file --kubeconfig --private-key --certificate --ca-certificate -o -O --output --out -out --output-file --output-document --exclude --exclude-from ' +
    '-X --include -g --glob --iglob --ignore-file --ignore --log-file -keyout -CAkey -signkey -inkey -CA -CAfile -cert -key --password-file --passphrase-file',
);

/** Most words hold none of this, and need no closer look. */
const HINT =
  /env|pem|key|p12|pfx|pkcs|\.p8|jks|ppk|kdb|ssh|aws|cred|secret|id_|netrc|pass|boto|pypirc|s3cfg|vault|docker|databricks|gnupg|private|legacy_|kube|config|cargo|gem|gcloud|gh\/|glab|containers|rclone|doctl|azure|terraform|composer|m2\/|k3s|shadow|keytab|cookies|login|logins|Data|npmrc|yarnrc|\.my|gradle|environ|letsencrypt|ssl|[*?[\0]/i;

/** The secret file that a word stands for, seen from where the command runs. */
export function secretIn(word: ShellWord, command: ShellCommand, scene: Scene): Placed | undefined {
  const path = fileIn(word.value);
  if (path === undefined) return undefined;
  const inSecretDir = command.dir !== undefined && isSecretPath(command.dir);
  if (!inSecretDir && !HINT.test(path)) return undefined;
  // A word that reads like code or prose is no path.
  if (word.known && !path.startsWith('/') && /[\s;(){}|]/.test(path)) return undefined;
  if (!path.startsWith('-') && isSecretPath(path)) return scene.place({ ...word, text: path, value: path }, command);
  if (!inSecretDir && word.known && !/npmrc|yarnrc|\.my|config|cred|hosts|auth/.test(path)) return undefined;
  const placed = scene.place(path === word.value ? word : { ...word, text: path, value: path }, command);
  return placed.path !== undefined && isSecretPath(placed.path) ? placed : undefined;
}

/** The path in `@file`, `if=file`, `--file=file`, `name=@file;type=x` and `file://` addresses. */
function fileIn(value: string): string | undefined {
  if (value === '' || value.length > 1024) return undefined;
  const url = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value);
  if (url) return url[1]?.toLowerCase() === 'file' ? value.slice(value.indexOf('/', 7)) : undefined;
  const equals = value.indexOf('=');
  const rest = equals > 0 ? value.slice(equals + 1) : value;
  const path = rest.startsWith('@') || rest.startsWith('<') ? rest.slice(1).replace(/[;,].*$/, '') : rest;
  return path.startsWith('file://') ? path.slice(7) : path;
}

/** Secrets that a command reads, whatever program it is. */
export const readSecrets: ReadEffects = (command, scene) => {
  const stored = readStore(command);
  if (stored !== undefined)
    return [scene.effect(command, { kind: 'read-secret', how: 'store', target: stored, of: 'secret' })];
  if (showsEnvironment(command)) {
    return [
      scene.effect(command, { kind: 'read-secret', how: 'environment', target: 'the environment', of: 'environment' }),
    ];
  }
  const effects: Effect[] = [];
  const add = (how: string, placed: Placed): void => {
    const { name, path, scope } = placed;
    effects.push(
      scene.effect(command, {
        kind: 'read-secret',
        how,
        target: name,
        scope,
        of: 'secret',
        ...(path !== undefined && { path }),
      }),
    );
  };
  for (const { operator, target } of command.redirects) {
    if (operator !== '<' || !target || (FREE.has(command.program) && !readsInput(command))) continue;
    const placed = secretIn(target, command, scene);
    if (placed) add('read', placed);
  }
  if (command.program === 'git') for (const placed of readGitObjects(command, scene)) add('repository', placed);
  else if (command.program !== '' && !FREE.has(command.program)) readWords(command, scene, add);
  return effects.length > 0 && becomesEnvironment(command, scene) ? NONE : effects;
};

/** Interpreters read their input as code and show it when it is none. */
function readsInput({ program, words: { length } }: ShellCommand): boolean {
  return length === 1 && /^(?:python|node|ruby|perl|php|deno|bun|tee|sponge)/.test(program);
}

function readWords(command: ShellCommand, scene: Scene, add: (how: string, placed: Placed) => void): void {
  let found: Map<ShellWord, Placed> | undefined;
  for (let at = 1; at < command.words.length; at += 1) {
    const word = command.words[at] as ShellWord;
    const placed = secretIn(word, command, scene);
    if (placed) (found ??= new Map()).set(word, placed);
  }
  if (!found) return;
  const { program } = command;
  const how = ARCHIVES.has(program)
    ? 'archive'
    : COPIES.has(program)
      ? program.startsWith('m')
        ? 'move'
        : 'copy'
      : 'read';
  for (const [word, placed] of found) if (shows(word, command, scene)) add(how, placed);
}

/** Whether what the word names would be shown or carried elsewhere. */
function shows(word: ShellWord, command: ShellCommand, scene: Scene): boolean {
  const { program } = command;
  const at = command.words.indexOf(word);
  const before = command.words[at - 1]?.value ?? '';
  const own = /^(--?[A-Za-z][\w-]*)=/.exec(word.value)?.[1];
  const option = own ?? (before.startsWith('-') && before.length > 1 && !before.includes('=') ? before : undefined);
  if (option !== undefined && QUIET_OPTIONS.has(option) && !(option === '-i' && program === 'base64')) return false;
  if ((own !== undefined || before.startsWith('--')) && !READERS.has(program)) return false;
  if (word.value.startsWith('of=')) return false;
  if (COPIES.has(program)) return isCarriedOff(word, command, scene);
  if (MATCHERS.has(program)) return isSearched(word, command);
  if (SCRIPTED.has(program)) return !isScriptOrInPlace(word, command);
  if (ARCHIVES.has(program)) return isPacked(word, command);
  if (program === 'openssl') return isShownByOpenssl(command);
  if (program === 'cut') return !command.words.some((each) => /^-f1$|^--fields=1$/.test(each.value));
  return true;
}

const COPY_VALUES = [
  '-t',
  '--target-directory',
  '-S',
  '--suffix',
  '-e',
  '--rsh',
  '--exclude',
  '--include',
  '--exclude-from',
  '-i',
  '-o',
  '-F',
  '-P',
  '-c',
  '-J',
  '-l',
  '--password-file',
];

/** A copy under another name that says secret as well, such as `.env` to `.env.local`, goes nowhere new. */
function isCarriedOff(word: ShellWord, command: ShellCommand, scene: Scene): boolean {
  const { sources, target, into } = readTransfer(readOptions(command.words.slice(1), { values: COPY_VALUES }));
  if (!sources.includes(word) || !target || isRemote(word.value)) return false;
  if (isRemote(target.value)) return true;
  const name = baseName(word.value);
  const isDir = into || /(?:^|\/)\.{1,2}$/.test(target.value);
  const place = scene.place(isDir ? { ...target, value: below(target.value, name) } : target, command);
  const near = place.scope === 'inside' || place.scope === 'workspace' || place.scope === 'made';
  return !(near && /^\.env\b/.test(name) && isSecretPath(place.path ?? place.name));
}

const MATCHER_VALUES = [
  '-e',
  '--regexp',
  '-f',
  '--file',
  '-A',
  '-B',
  '-C',
  '-m',
  '--max-count',
  '--include',
  '--exclude',
  '--exclude-dir',
  '-g',
  '--glob',
  '--iglob',
  '-t',
  '--type',
  '-T',
  '--type-not',
  '-r',
  '--replace',
  '-d',
  '-D',
  '--label',
  '--color',
  '--colour',
  '--context',
  '--sort',
  '-j',
];
const GREP_VALUES = MATCHER_VALUES.filter((name) => !['-r', '-t', '-T', '-g', '-j'].includes(name));

function isSearched(word: ShellWord, command: ShellCommand): boolean {
  const grep = command.program.endsWith('grep') && command.program !== 'zgrep';
  const options = readOptions(command.words.slice(1), { values: grep ? GREP_VALUES : MATCHER_VALUES });
  if (
    options.has(
      '-c',
      '--count',
      '-q',
      '--quiet',
      '--silent',
      '-l',
      '--files-with-matches',
      '-L',
      '--files-without-match',
      '--files',
    )
  )
    return false;
  const named = options.has('-e', '--regexp', '-f', '--file');
  return options.operands.slice(named ? 0 : 1).includes(word) || options.values('-f', '--file').includes(word);
}

function isScriptOrInPlace(word: ShellWord, command: ShellCommand): boolean {
  const rest = command.words.slice(1);
  const { program } = command;
  if (program.endsWith('sed') && rest.some((each) => /^(?:-[nrEsuzbl]*i|--in-place)/.test(each.value))) return true;
  const options = readOptions(rest, {
    values: ['-e', '--expression', '-f', '--file', '--from-file', '-v', '-F', '--arg', '--argjson', '--indent'],
  });
  return (
    !options.has('-e', '--expression', '-f', '--file', '--from-file') &&
    options.operands.length > 1 &&
    options.operands[0] === word
  );
}

function isPacked(word: ShellWord, { program, words: all }: ShellCommand): boolean {
  const [, mode] = all;
  if (program.endsWith('tar')) {
    const bundle = /^-?[A-Za-z]+$/.test(mode?.value ?? '') ? (mode?.value as string) : '';
    if (/[xt]/.test(bundle) || all.some((each) => /^--(?:extract|list|get)$/.test(each.value))) return false;
    return all[all.indexOf(word) - 1]?.value !== '-f' || !bundle.includes('f');
  }
  if (program === 'zip') {
    const out = all.findIndex((each) => each.value === '-x' || each.value === '--exclude');
    return all.filter((each) => !each.value.startsWith('-'))[1] !== word && (out < 0 || all.indexOf(word) < out);
  }
  return !(program.startsWith('7z') && !/^[au]$/.test(mode?.value ?? ''));
}

function isShownByOpenssl({ words: all }: ShellCommand): boolean {
  const verb = all[1]?.value ?? '';
  if (!/^(?:enc|rsa|dsa|ec|pkey|pkcs8|pkcs12|base64|aes|des|zlib|cms|smime)/.test(verb)) return false;
  return !all.some((each) => /^-(?:pubout|noout|check|nokeys|export)$/.test(each.value));
}

const GIT_SHOWS = words('show cat-file diff log blame annotate grep archive difftool whatchanged');
const GIT_NAMES_ONLY = /^--(?:name-only|name-status|stat|shortstat|numstat|quiet|exit-code|oneline|summary)$/;

function readGitObjects(command: ShellCommand, scene: Scene): readonly Placed[] {
  const options = readOptions(command.words.slice(1), {
    values: ['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
    stopAtOperand: true,
  });
  const [verb, ...rest] = options.operands;
  if (!verb || !GIT_SHOWS.has(verb.value) || rest.some((word) => GIT_NAMES_ONLY.test(word.value))) return [];
  if (verb.value === 'cat-file' && rest.some((word) => /^-[tse]$/.test(word.value))) return [];
  if (verb.value === 'log' && !rest.some((word) => /^(?:-p|-u|--patch|-L.*|-S.*|-G.*)$/.test(word.value))) return [];
  const found: Placed[] = [];
  const dashes = rest.findIndex((word) => word.value === '--');
  rest.forEach((word, at) => {
    if (word.value.startsWith('-') || (verb.value === 'grep' && at < dashes) || (verb.value === 'grep' && dashes < 0))
      return;
    const colon = word.value.indexOf(':');
    const value = colon >= 0 ? word.value.slice(colon + 1) : word.value;
    const placed = value === '' ? undefined : secretIn({ ...word, value }, command, scene);
    if (placed) found.push(placed);
  });
  return found;
}

/** `export $(grep -v '^#' .env | xargs)`: the values are set, not shown, as `source .env` would do. */
function becomesEnvironment(command: ShellCommand, { reading }: Scene): boolean {
  if (command.pipedTo === undefined && command.road.length === 0) return false;
  let last = command;
  for (let hops = 0; last.pipedTo !== undefined && hops < 16; hops += 1) {
    const next = reading.commands[last.pipedTo];
    if (!next) break;
    last = next;
  }
  return reading.commands.some(
    ({ program, words: each }) =>
      (program === 'export' || program === 'declare') && each.some((word) => word.from.includes(last.number)),
  );
}

function showsEnvironment({ program, words: { length }, words: all }: ShellCommand): boolean {
  switch (program) {
    case 'env':
    case 'printenv':
    case 'set':
      return length === 1 || (length === 2 && /^-(?:0|-null)$/.test(all[1]?.value ?? ''));
    case 'export':
    case 'declare':
      return length === 2 && /^-(?:p|x|px|xp)$/.test(all[1]?.value ?? '');
    default:
      return false;
  }
}
