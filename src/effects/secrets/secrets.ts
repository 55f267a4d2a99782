import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { NONE, listed } from '../words/arguments.ts';
import type { ResolvedPath, ReadEffects, Scene } from '../scene.ts';
import { isPattern } from '../paths/pattern.ts';
import { isSecretPath, mayBeSecret } from '../paths/secret-names.ts';
import { huntedIn } from './hunts.ts';
import { readStore } from './stores.ts';
import type { SecretUse } from './uses.ts';
import { secretUse } from './uses.ts';

/** Programs that only name, list, make or remove a file, measure it, or use what is in it without showing it. */
const FREE: ReadonlySet<string> = new Set(
  listed(
    'ls dir exa eza lsd tree stat test [ [[ rm unlink rmdir shred trash trash-put touch mkdir chmod chown chgrp setfacl chattr chflags xattr ' +
      'find fd fdfind locate echo printf true false : basename dirname realpath readlink which type command du df wc file cksum sum md5 md5sum sha1sum sha224sum ' +
      'sha256sum sha384sum sha512sum shasum b2sum cmp tee sponge truncate export declare typeset local readonly unset set cd pushd popd source . ' +
      'alias return exit let trap shift hash complete ssh ssh-add ssh-keygen ssh-copy-id ssh-agent sftp mosh autossh sshfs docker docker-compose podman nerdctl ' +
      'kubectl oc helm kustomize kubeseal terraform tofu pulumi aws gcloud az gh glab vercel netlify fly flyctl heroku railway supabase ' +
      'ansible ansible-playbook ansible-vault node deno bun bunx npx npm pnpm yarn python ruby perl php java go cargo make just task cmake ' +
      'uv poetry pip pytest vitest jest tsx ts-node code open xdg-open vim vi nvim nano emacs apt-key rpm apt keytool jarsigner apksigner codesign ' +
      'certbot mkcert step nginx caddy psql mysql redis-cli mongosh dotenv dotenv-cli dotenvx env-cmd foreman honcho direnv op sops age git-crypt gpg gpg2 age-keygen ' +
      'act serverless sls sam cdk chezmoi stow mktemp kill pkill security plutil defaults dotnet mvn gradle nix openvpn wg git',
  ),
);

/** The secret file that a word stands for, seen from where the command runs. */
export function secretIn(word: ShellWord, command: ShellCommand, scene: Scene): ResolvedPath | undefined {
  const path = fileIn(word.value);
  if (path === undefined) return undefined;
  const { surroundings } = scene;
  const inSecretDir = command.dir !== undefined && isSecretPath(command.dir, surroundings);
  if ((!inSecretDir && !mayBeSecret(path)) || path.startsWith('-')) return undefined;
  // In quotes a pattern is text.
  if (word.known && !word.glob && isPattern(path)) return undefined;
  // A word that reads like code or prose is no path.
  if (word.known && !path.startsWith('/') && /[\s;(){}|]/.test(path)) return undefined;
  const placed = scene.place(path === word.value ? word : { ...word, text: path, value: path }, command);
  // A pattern that matches everything is placed as the directory it is in.
  const found = isSecretPath(placed.path ?? path, surroundings) || (word.glob && isSecretPath(path, surroundings));
  return found ? placed : undefined;
}

/** The path in `@file`, `if=file`, `--file=file`, `name=@file;type=x` and `file://` addresses. */
function fileIn(value: string): string | undefined {
  if (value === '') return undefined;
  const url = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value);
  if (url) return url[1]?.toLowerCase() === 'file' ? value.slice(value.indexOf('/', 7)) : undefined;
  const equals = value.indexOf('=');
  const rest = equals > 0 ? value.slice(equals + 1) : value;
  const path = rest.startsWith('@') || rest.startsWith('<') ? rest.slice(1).replace(/[;,][^]*$/, '') : rest;
  return path.startsWith('file://') ? path.slice(7) : path;
}

/** Secrets that a command reads, whatever program it is. */
export const readSecrets: ReadEffects = (command, scene) => {
  const stored = readStore(command);
  if (stored !== undefined)
    return [scene.effect(command, { kind: 'read-secret', how: 'store', target: stored, of: 'secret' })];
  const shown = environmentShown(command, scene);
  if (shown) return [scene.effect(command, { kind: 'read-secret', how: 'environment', ...shown })];
  const effects: Effect[] = [];
  const add = (how: string, placed: ResolvedPath): void => {
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
  const hunted = huntedIn(command, scene);
  if (hunted) add('search', hunted);
  for (const { operator, target } of command.redirects) {
    if (operator !== '<' || !target || (FREE.has(command.program) && !readsInput(command))) continue;
    const placed = secretIn(target, command, scene);
    if (placed) add('read', placed);
  }
  if (command.program === 'git') readGit(command, scene, add);
  else if (CONTAINERS.has(command.program)) for (const placed of copiedIn(command, scene)) add('copy', placed);
  else if (command.program !== '' && !FREE.has(command.program)) readWords(command, scene, add);
  return effects.length > 0 && becomesEnvironment(command, scene) ? NONE : effects;
};

/** Interpreters read their input as code and show it when it is none. */
function readsInput({ program, words: { length } }: ShellCommand): boolean {
  return length === 1 && /^(?:python|node|ruby|perl|php|deno|bun|tee|sponge)/.test(program);
}

function readWords(command: ShellCommand, scene: Scene, add: (how: string, placed: ResolvedPath) => void): void {
  let use: SecretUse | undefined;
  command.words.forEach((word, at) => {
    const placed = at === 0 ? undefined : secretIn(word, command, scene);
    if (!placed) return;
    use ??= secretUse(command, scene);
    if (use.shows(word, at)) add(use.how, placed);
  });
}

const GIT_SHOWS: ReadonlySet<string> = new Set(
  listed('show cat-file diff log blame annotate grep archive difftool whatchanged'),
);
const GIT_NAMES_ONLY = /^--(?:name-only|name-status|stat|shortstat|numstat|quiet|exit-code|oneline|summary)$/;

function readGit(command: ShellCommand, scene: Scene, add: (how: string, placed: ResolvedPath) => void): void {
  const options = readOptions(command.words.slice(1), {
    values: ['-C', '-c', '--git-dir', '--work-tree', '--namespace'],
    stopAtOperand: true,
  });
  const [verb, ...rest] = options.operands;
  if (verb?.value === 'add') {
    // Only what the repository is told to ignore has to be forced.
    const forced = rest.some(({ value }) => /^-(?:[AnuNvp]*f|-force$)/.test(value));
    const secrets = forced ? rest.map((word) => secretIn(word, command, scene)) : [];
    for (const placed of secrets) if (placed) add('committed', placed);
    return;
  }
  if (!verb || !GIT_SHOWS.has(verb.value) || rest.some((word) => GIT_NAMES_ONLY.test(word.value))) return;
  if (verb.value === 'cat-file' && rest.some((word) => /^-[tse]$/.test(word.value))) return;
  if (verb.value === 'log' && !rest.some((word) => /^(?:-p|-u|--patch|-L.*|-S.*|-G.*)$/.test(word.value))) return;
  const dashes = rest.findIndex((word) => word.value === '--');
  rest.forEach((word, at) => {
    if (word.value.startsWith('-') || (verb.value === 'grep' && at < dashes) || (verb.value === 'grep' && dashes < 0))
      return;
    const colon = word.value.indexOf(':');
    const value = colon >= 0 ? word.value.slice(colon + 1) : word.value;
    const placed = value === '' ? undefined : secretIn({ ...word, value }, command, scene);
    if (placed) add('repository', placed);
  });
}

const CONTAINERS: ReadonlySet<string> = new Set(listed('docker podman nerdctl kubectl oc'));

/** `docker cp .env box:/tmp`, `kubectl cp`: what is copied into a container. */
function copiedIn(command: ShellCommand, scene: Scene): readonly ResolvedPath[] {
  const at = command.words.findIndex(({ value }) => value === 'cp');
  const [source, target] = command.words.slice(at + 1).filter(({ value }) => !value.startsWith('-'));
  if (at < 1 || at > 3 || !source || target?.value.includes(':') !== true) return [];
  const placed = secretIn(source, command, scene);
  return placed ? [placed] : [];
}

/** `export $(grep -v '^#' .env | xargs)`, `env $(cat .env) npm start`: the values are set, not shown, as `source .env` would do. */
function becomesEnvironment(command: ShellCommand, { reading }: Scene): boolean {
  if (command.pipedTo === undefined && command.road.length === 0) return false;
  let last = command;
  for (let hops = 0; last.pipedTo !== undefined && hops < 16; hops += 1) {
    const next = reading.commands[last.pipedTo];
    if (!next) break;
    last = next;
  }
  const holds = (word: ShellWord) => word.from.includes(last.number);
  return reading.commands.some(({ program, words: each, assigns }) =>
    program === 'export' || program === 'declare'
      ? each.some(holds)
      : assigns.some(({ name, value }) => name === '' && holds(value)),
  );
}

/** What the command shows of the variables: those that a file of secrets set are worth as much as the file. */
function environmentShown(command: ShellCommand, scene: Scene): Pick<Effect, 'target' | 'of'> | undefined {
  const all = showsEnvironment(command);
  if (!all && !showsVariable(command)) return undefined;
  const source = sourceOf(scene);
  if (source && source.number < command.number) return { target: source.name, of: 'secret' };
  return all ? { target: 'the environment', of: 'environment' } : undefined;
}

const SECRET_VARIABLE =
  /\$(?:\w*(?:SECRET|TOKEN|PASSW|API_?KEY|PRIVATE)\w*|\{\w*(?:SECRET|TOKEN|PASSW|API_?KEY|PRIVATE)\w*\})/i;

/** Where the output goes on to another program, that one tells what becomes of it. */
function showsVariable({ program, words, pipedTo, redirects }: ShellCommand): boolean {
  if ((program !== 'echo' && program !== 'printf') || pipedTo !== undefined || redirects.length > 0) return false;
  return words.some(({ text, known }) => !known && SECRET_VARIABLE.test(text));
}

interface Source {
  readonly number: number;
  readonly name: string;
}

const sources = new WeakMap<Scene, Source | 'none'>();

/** The first command that makes variables of a file of secrets: `source .env`. */
function sourceOf(scene: Scene): Source | undefined {
  let found = sources.get(scene);
  if (found === undefined) {
    found = 'none';
    for (const command of scene.reading.commands) {
      const file = command.program === 'source' || command.program === '.' ? command.words[1] : undefined;
      const placed = file && secretIn(file, command, scene);
      if (!placed) continue;
      found = { number: command.number, name: placed.name };
      break;
    }
    sources.set(scene, found);
  }
  return found === 'none' ? undefined : found;
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
