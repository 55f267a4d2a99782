import { listed } from '../words/arguments.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { matchesAll, matchesName } from './pattern.ts';
import type { Surroundings } from '../scene.ts';

/** Files that hold secrets whatever directory they are in. */
const NAMES: ReadonlySet<string> = new Set(
  listed(
    '.env .netrc _netrc .pgpass .git-credentials .boto .pypirc .s3cfg .vault-token .dockercfg .databrickscfg .credentials.json ' +
      '.credentials credentials.json client_secret.json application_default_credentials.json secrets.json secrets.yml secrets.yaml ' +
      'secrets.toml .secrets id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk id_xmss ssh_host_rsa_key ssh_host_ecdsa_key ' +
      'ssh_host_ed25519_key ssh_host_dsa_key login.keychain-db terraform.tfvars terraform.tfvars.json secrets.tfvars secrets.auto.tfvars',
  ),
);

const ENDINGS: ReadonlySet<string> = new Set(
  listed('pem key p12 pfx pkcs12 p8 jks keystore ppk kdbx kdb keychain keychain-db env'),
);

/** `.env.example` and its like show which variables there are, not what they hold. */
const SHOWN_ENVIRONMENTS: ReadonlySet<string> = new Set(
  listed('example examples sample samples template tmpl tpl dist defaults default schema test testing ci d ts js md'),
);

/** Words in the name of a `.pem` or `.key` file that holds no private part. */
const PUBLIC_PART =
  /(?:^|[^a-z])(?:ca|certs?|certificates?|chain|fullchain|bundle|root|pub|public|csr|crt|dh|dhparams?|cacert)(?:[^a-z]|$)/i;
const PRIVATE_PART = /key|priv/i;

/** Keys of accounts as cloud consoles hand them out. */
const ACCOUNT_KEY =
  /^(?:[\w.-]{0,64}[-_.])?(?:service[-_]?account|credentials?|client[-_]?secrets?|adminsdk[-\w]{0,64}|(?:gcp|gcloud|google|firebase|sa)[-_]?(?:keys?|creds?))(?:[-_.]?keys?)?\.json$/i;
const SHOWN_NAME = /(?:^|[-_.])(?:examples?|samples?|template|tests?|mock|fake|dummy|schema|spec|stub)(?:[-_.]|$)/i;

const PRIVATE_KEY =
  /^(?:(?:.*[-_.])?(?:private|secret|deploy|ssh|signing)[-_]?|(?!.*(?:pub|foreign|primary|sort|hot|short|cache|partition|translation))[a-z]\w*[-_])key$/i;

/** Directories of keys and certificates that come with a project's tests or examples. */
const STAGED: ReadonlySet<string> = new Set(
  listed(
    'fixtures __fixtures__ fixture testdata test-data test tests __tests__ spec examples example node_modules site-packages',
  ),
);

/** Everything below these is secret, but for `free`. */
const SECRET_DIRS: ReadonlyMap<string, (name: string) => boolean> = new Map([
  ['.ssh', isFreeOfSsh],
  ['.gnupg', (name) => name.endsWith('.conf') || name.startsWith('pubring') || name.startsWith('trustdb')],
  ['.password-store', (name) => name === '.gpg-id'],
  ['private-keys-v1.d', never],
  ['keyrings', (name) => name.endsWith('.asc') || name.endsWith('.gpg')],
  ['Keychains', never],
  ['legacy_credentials', never],
]);

/** Secret files of a directory; patterns of one segment. */
const DIR_FILES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.aws', ['credentials']],
  ['.kube', ['config']],
  ['.docker', ['config.json']],
  ['.cargo', ['credentials', 'credentials.toml']],
  ['.gem', ['credentials']],
  ['gcloud', ['credentials.db', 'access_tokens.db', 'application_default_credentials.json']],
  ['gh', ['hosts.yml', 'hosts.yaml']],
  ['glab-cli', ['config.yml']],
  ['containers', ['auth.json']],
  ['rclone', ['rclone.conf']],
  ['doctl', ['config.yaml']],
  ['.azure', ['accessTokens.json', 'msal_token_cache.json', 'msal_token_cache.bin', 'service_principal_entries.json']],
  ['.terraform.d', ['credentials.tfrc.json']],
  ['.composer', ['auth.json']],
  ['.m2', ['settings.xml', 'settings-security.xml']],
  ['kubernetes', ['admin.conf', 'super-admin.conf', 'kubelet.conf', 'controller-manager.conf', 'scheduler.conf']],
  ['k3s', ['k3s.yaml']],
  ['etc', ['shadow', 'shadow-', 'gshadow', 'gshadow-', 'master.passwd', 'krb5.keytab']],
]);

const BROWSER_STORES: ReadonlySet<string> = new Set([
  'Cookies',
  'Login Data',
  'Web Data',
  'cookies.sqlite',
  'logins.json',
  'key4.db',
  'key3.db',
  'Cookies.binarycookies',
]);
const BROWSERS =
  /\/(?:google-chrome|chromium|Google\/Chrome|Chromium|BraveSoftware|Microsoft Edge|microsoft-edge|firefox|Firefox|\.mozilla|Safari|Cookies)\//;

const HOME_ONLY: ReadonlySet<string> = new Set(['.npmrc', '.yarnrc.yml', '.my.cnf', '.mylogin.cnf', '.dockercfg']);
const DEEP =
  /\/(?:\.aws\/(?:sso|cli)\/cache|run\/secrets|etc\/ssl\/private|etc\/letsencrypt\/(?:live|archive)|proc\/[^/]+\/environ$)(?:\/|$)/;

/** Names that a pattern such as `.env*` or `id_*` most likely stands for. */
const LIKELY = listed('.env .env.local .envx .netrc .pgpass .git-credentials id_rsa id_ed25519 id_ecdsa');

/** Most paths hold none of this, and need no closer look. */
const HINT =
  /env|pem|key|p12|pfx|pkcs|\.p8|jks|ppk|kdb|ssh|aws|cred|secret|id_|netrc|pass|boto|pypirc|s3cfg|vault|docker|databricks|gnupg|private|legacy_|kube|config|cargo|gem|gcloud|gh\/|glab|containers|rclone|doctl|azure|terraform|tfvars|account|adminsdk|composer|m2\/|k3s|shadow|keytab|cookies|login|logins|Data|npmrc|yarnrc|\.my|gradle|environ|letsencrypt|ssl|[*?[\0]/i;

export function mayBeSecret(path: string): boolean {
  return HINT.test(path);
}

/** What says whether a path belongs to a project's tests, and whose home it is in. */
export type SecretPlace = Pick<Surroundings, 'root' | 'home'>;

/**
 * True when the path, which may hold wildcards, is that of a file or directory that keeps secrets. What a project keeps
 * for its tests holds none: a relative path counts as one of the project.
 */
export function isSecretPath(path: string, place?: SecretPlace): boolean {
  return isSecret(path, place, true);
}

/** As `isSecretPath`, for what would leave the machine: there, a test's file is as good as any. */
export function isSecretToOthers(path: string, place?: SecretPlace): boolean {
  return isSecret(path, place, false);
}

function isSecret(path: string, place: SecretPlace | undefined, mayBeStaged: boolean): boolean {
  if (!HINT.test(path)) return false;
  const clean = path.includes(UNKNOWN) ? path.replaceAll(UNKNOWN, '*') : path;
  const segments = clean.split('/').filter((part) => part !== '' && part !== '.');
  const name = segments.at(-1);
  if (name === undefined || name === '..') return false;
  return (
    isSecretByDirectory(segments, name, clean, place?.home) ||
    (isSecretName(name) && !(mayBeStaged && isStagedKind(name) && isStaged(segments, clean, place?.root)))
  );
}

/** True when the file's own name says that it holds a secret. */
export function isSecretName(name: string): boolean {
  if (NAMES.has(name)) return true;
  if (name.startsWith('.env')) return isSecretEnvironment(name);
  const dot = name.lastIndexOf('.');
  if (dot > 0 && ENDINGS.has(name.slice(dot + 1).toLowerCase())) return isSecretEnding(name, dot);
  if (name.endsWith('.json')) return ACCOUNT_KEY.test(name) && !SHOWN_NAME.test(name);
  return PRIVATE_KEY.test(name) || isLikelyPattern(name);
}

function isSecretEnvironment(name: string): boolean {
  if (name.length === 4 || name[4] === '?' || name[4] === '*' || name[4] === '[') return true;
  return (
    name[4] === '.' &&
    !name
      .slice(5)
      .split('.')
      .some((part) => SHOWN_ENVIRONMENTS.has(part))
  );
}

function isSecretEnding(name: string, dot: number): boolean {
  const stem = name.slice(0, dot);
  const ending = name.slice(dot + 1).toLowerCase();
  // `.a.key` and `.key` are filters of jq and yq, not files.
  if (stem.startsWith('.') || stem.includes('(') || stem.includes(' ')) return false;
  if (ending === 'env')
    return !SHOWN_ENVIRONMENTS.has(stem) && stem !== 'process' && !stem.endsWith('.meta') && stem !== 'import';
  if (ending === 'pem') return PRIVATE_PART.test(stem) || !PUBLIC_PART.test(stem);
  if (ending === 'key') return !PUBLIC_PART.test(stem);
  return !(ending === 'keystore' && stem === 'debug');
}

function isLikelyPattern(name: string): boolean {
  const wild = name.search(/[*?[]/);
  if (wild < 0 || matchesAll(name)) return name === '.*';
  // A bracket that nothing closes is a name's own, and would be looked at from each of its kind.
  const sets = name.lastIndexOf(']') + 1;
  const plain = name.slice(0, sets).replace(/[*?]|\[[^\]]*\]/g, '') + name.slice(sets).replace(/[*?]/g, '');
  if (wild < 2 && plain.length < 4) return false;
  return LIKELY.some((likely) => matchesName(name, likely));
}

function isSecretByDirectory(
  segments: readonly string[],
  name: string,
  path: string,
  home: string | undefined,
): boolean {
  const parent = segments.at(-2);
  for (let at = 0; at < segments.length; at += 1) {
    const isFree = SECRET_DIRS.get(segments[at] as string);
    if (isFree) return at === segments.length - 1 || !isFree(name);
  }
  if (name === '.aws' || DEEP.test(path)) return true;
  if (parent === undefined) return false;
  const files = isStore(parent, segments) ? DIR_FILES.get(parent) : undefined;
  if (files?.some((file) => file === name || matchesName(name, file)) === true) return true;
  if (HOME_ONLY.has(name)) return isHome(segments, home);
  if (parent === '.gradle' && name === 'gradle.properties') return isHome(segments.slice(0, -1), home);
  return BROWSER_STORES.has(name) && BROWSERS.test(path);
}

/** `gh` and its like mean something only where programs keep their settings. */
function isStore(parent: string, segments: readonly string[]): boolean {
  const above = segments.at(-3);
  if (parent === 'etc') return above === undefined;
  return parent.startsWith('.') || above === '.config' || above === 'etc' || above === 'rancher';
}

/** Keys and `.env` files by name may be part of a test; `id_rsa` in a home called `test` is not. */
function isStagedKind(name: string): boolean {
  return name.startsWith('.env') || name.includes('.');
}

/** Only directories below the workspace say what a file is for; `root` is absent when nobody knows it. */
function isStaged(segments: readonly string[], path: string, root: string | undefined): boolean {
  let start = 0;
  if (path.startsWith('/')) {
    if (root === undefined || root === '/' || !path.startsWith(`${root}/`)) return false;
    start = root.split('/').filter((part) => part !== '').length;
  } else if (path.startsWith('~') || segments.includes('..')) return false;
  for (let at = start; at < segments.length - 1; at += 1) if (STAGED.has(segments[at] as string)) return true;
  return false;
}

function isHome(segments: readonly string[], home: string | undefined): boolean {
  const [top] = segments;
  if (home !== undefined && `/${segments.slice(0, -1).join('/')}` === home) return true;
  if (top === '~' || top === 'root' || top === '*') return segments.length === 2;
  return (top === 'home' || top === 'Users') && segments.length === 3;
}

function isFreeOfSsh(name: string): boolean {
  if (name.includes('.pub') || /\.(?:md|txt)$/i.test(name)) return true;
  return /^(?:config|known_hosts|authorized_keys|README|environment$|rc$|allowed_signers)/.test(name);
}

function never(): boolean {
  return false;
}
