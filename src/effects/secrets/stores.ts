import { listed } from '../words/arguments.ts';
import type { ShellCommand } from '../../shell/command.ts';

/** What a command gets out of a store of secrets; undefined when it gets none. */
export function readStore(command: ShellCommand): string | undefined {
  const find = STORES.get(command.program);
  if (!find) return undefined;
  const values = command.words.slice(1).map((word) => word.value);
  return values.includes('--help')
    ? undefined
    : find(
        values,
        values.filter((value) => !value.startsWith('-')),
      );
}

type FindStored = (words: readonly string[], operands: readonly string[]) => string | undefined;

const PASS_VERBS: ReadonlySet<string> = new Set(
  listed('ls list find search init insert add generate rm mv cp git help version edit otp'),
);
const HIDDEN_FORMATS = /^(?:wide|name|custom-columns.*)$/;

const STORES: ReadonlyMap<string, FindStored> = new Map<string, FindStored>([
  [
    'security',
    (words, [verb = '']) => {
      const shows = words.some((word) => /^-[a-z]*[wg]/.test(word));
      if (/^find-(?:generic|internet)-password$/.test(verb) && shows) return 'a password of the keychain';
      return (verb === 'dump-keychain' && words.includes('-d')) || verb === 'export' ? 'the keychain' : undefined;
    },
  ],
  [
    'pass',
    (_words, [verb, name]) =>
      verb === undefined || (PASS_VERBS.has(verb) && verb !== 'show')
        ? undefined
        : verb === 'show'
          ? (name ?? undefined)
          : verb,
  ],
  ['gopass', (_words, [verb, name]) => (verb === 'show' ? name : undefined)],
  [
    'gpg',
    (words) =>
      words.some((word) => /^--export-secret-(?:keys|subkeys|key)$/.test(word)) ? 'secret keys of gpg' : undefined,
  ],
  [
    'op',
    (words, [noun, verb]) =>
      noun === 'read' ||
      (noun === 'item' && verb === 'get' && words.some((word) => /^--(?:reveal|fields|otp)/.test(word)))
        ? 'an item of 1Password'
        : undefined,
  ],
  ['bw', (_words, [verb, what]) => (verb === 'get' && what !== 'template' ? 'an item of Bitwarden' : undefined)],
  ['lpass', (_words, [verb]) => (verb === 'show' || verb === 'export' ? 'an item of LastPass' : undefined)],
  ['secret-tool', (_words, [verb]) => (verb === 'lookup' ? 'a secret of the keyring' : undefined)],
  [
    'vault',
    (_words, [noun, verb]) =>
      (noun === 'kv' && verb === 'get') || noun === 'read' ? 'a secret of the vault' : undefined,
  ],
  [
    'doppler',
    (words, [noun, verb]) =>
      noun === 'secrets' && (verb === 'get' || verb === 'download') && !words.includes('--only-names')
        ? 'secrets of Doppler'
        : undefined,
  ],
  [
    'chamber',
    (_words, [verb]) => (verb === 'read' || verb === 'export' ? 'secrets of the parameter store' : undefined),
  ],
  [
    'sops',
    (words, [verb]) =>
      verb === 'decrypt' || words.some((word) => /^-(?:d|-decrypt)$/.test(word)) ? 'a decrypted file' : undefined,
  ],
  [
    'aws',
    (words, operands) => {
      if (operands.includes('secretsmanager') && operands.some((word) => /^(?:batch-)?get-secret-value$/.test(word)))
        return 'a secret of AWS';
      if (operands[0] === 'configure' && (operands[1] === 'get' || operands[1] === 'export-credentials'))
        return operands[1] !== 'get' || /secret|token/.test(operands[2] ?? '') ? 'the credentials of AWS' : undefined;
      return operands.includes('ssm') && words.includes('--with-decryption') ? 'a parameter of AWS' : undefined;
    },
  ],
  [
    'gcloud',
    (_words, operands) =>
      operands.includes('secrets') && operands.includes('access') ? 'a secret of Google Cloud' : undefined,
  ],
  [
    'az',
    (_words, [noun, kind, verb]) =>
      noun === 'keyvault' && kind === 'secret' && (verb === 'show' || verb === 'download')
        ? 'a secret of Azure'
        : undefined,
  ],
  ...listed('docker podman nerdctl').map((name) => [name, findContainerSecret] as const),
  ['kubectl', findClusterSecret],
  ['oc', findClusterSecret],
]);

/** Services get their secrets as variables. */
function findContainerSecret(words: readonly string[], [noun, verb]: readonly string[]): string | undefined {
  return (noun === 'inspect' || verb === 'inspect') && words.some((word) => /\bConfig\b.*\bEnv\b|\.Env\b/.test(word))
    ? 'the environment of a container'
    : undefined;
}

function findClusterSecret(words: readonly string[], operands: readonly string[]): string | undefined {
  if (operands.includes('config') && operands.includes('view') && words.includes('--raw'))
    return 'the credentials of a cluster';
  if (!operands.includes('get') || !operands.some((word) => /^secrets?(?:$|[/,])|[,]secrets?(?:$|,)/.test(word)))
    return undefined;
  const at = words.findIndex((word) => /^(?:-o|--output)/.test(word));
  if (at < 0) return undefined;
  const format = (words[at] as string).replace(/^(?:-o|--output)=?/, '') || (words[at + 1] ?? '');
  return HIDDEN_FORMATS.test(format) || /metadata|\.type\b/.test(format) ? undefined : 'a secret of the cluster';
}
