import { createKeyPair, isPublicKey, publicKeyOf } from '../../platform/ed25519.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join, resolve } from '../../platform/paths.ts';
import { parseHead, POLICY_FILE } from '../../team/bundle.ts';
import type { Bundle, PolicyHead } from '../../team/bundle.ts';
import { keyIdOf, open, sign, wrap } from '../../team/envelope.ts';
import { openedBy } from '../../team/kept-policy.ts';
import { messageOf } from '../../text/message-of.ts';
import { parseUserRule } from '../../user-rules/parse.ts';
import { knownWords } from '../../adapters/registry.ts';
import { parseConfig, readYaml } from '../../workspace/config/parse.ts';
import { scanLayer } from '../../workspace/config/scan.ts';
import { CommandError, JSON_OPTION, printJson, UsageError } from '../command.ts';
import type { CliWorld, Command, Input, VerbFile } from '../command.ts';
import { counted } from '../../text/counted.ts';
import { printable } from '../table.ts';

const SECRET_MODE = 0o600;
const OUT_OPTION = { out: { type: 'string', value: 'FILE', help: 'where it is written' } } as const;

const keygen: Command = {
  summary: 'make a pair of keys that signs policies',
  details: `The secret key goes into a new file that only you can read; keep it where policies are signed, and nowhere else. What is printed is the
public key, which machines are given. Keys of \`openssl genpkey -algorithm ed25519\` do as well.`,
  options: { ...OUT_OPTION, ...JSON_OPTION },
  run(input, world) {
    const file = fileIn(input, 'out', world) ?? resolve(world.cwd, 'policy.key');
    if (nodeFiles.lstat(file)) throw new CommandError(`${file} is there already; a key is not overwritten`);
    const pair = createKeyPair();
    nodeFiles.writeAtomic(file, pair.secret, SECRET_MODE);
    if (input.has('json')) return printJson(world, { file, key: pair.public });
    world.out(`${pair.public}\n`);
    world.err(`The secret key is in ${file}.\n`);
  },
};

const build: Command = {
  summary: 'make a policy of a directory',
  usage: '<dir>',
  details: `The directory holds policy.yaml (name, version, expires; rings, weakening, requires, packs, keys) and what a config directory holds:
config.yaml with packs and rules, rules/*.md and messages/. Settings and rules are checked as a machine would. What comes out is not signed yet.`,
  args: [1, 1],
  options: { ...OUT_OPTION, ...JSON_OPTION },
  run(input, world) {
    const [dir = ''] = input.args;
    const bundle = bundleOf(resolve(world.cwd, dir));
    const file = fileIn(input, 'out', world) ?? resolve(world.cwd, `${bundle.name}-${bundle.version}.policy.json`);
    nodeFiles.writeAtomic(file, wrap(new TextEncoder().encode(JSON.stringify(bundle))));
    if (input.has('json')) return printJson(world, { file, name: bundle.name, version: bundle.version });
    const rules = Object.keys(bundle.files).filter((name) => name.startsWith('rules/')).length;
    world.out(`${file}: ${bundle.name}@${bundle.version}, ${counted(rules, 'rule')}, expires ${bundle.expires}\n`);
    world.err(`Next: fairlead policy sign ${file} --key FILE\n`);
  },
};

function bundleOf(dir: string): Bundle {
  const file = join(dir, 'policy.yaml');
  const text = nodeFiles.readText(file);
  if (text === undefined) throw new CommandError(`${file} cannot be read; a policy begins with it`);
  const { value, problems } = readYaml(text, file);
  const [problem] = problems;
  if (problem) throw new CommandError(`${file}:${problem.line}: ${printable(problem.message)}`);
  let head: PolicyHead;
  try {
    head = parseHead(value);
  } catch (error) {
    throw new CommandError(`${file} ${messageOf(error)}`);
  }
  return { ...head, files: filesIn(dir) };
}

const SECTIONS = new Set(['packs', 'rules']);

/** What a machine would not take, nobody should sign. */
function filesIn(dir: string): Readonly<Record<string, string>> {
  const { found, problems } = scanLayer(dir, nodeFiles, dir);
  const texts = found.map(({ name, path, bytes, kind }) => {
    const text = new TextDecoder().decode(bytes);
    if (!POLICY_FILE.test(name)) throw new CommandError(`${path} has a name that a policy cannot hold`);
    const read =
      kind === 'config'
        ? parseConfig(text, path)
        : kind === 'rule'
          ? parseUserRule(text, { file: path, namespace: 'team', ...knownWords() })
          : { problems: [] };
    const other = Object.keys('config' in read ? (read.config ?? {}) : {}).find((key) => !SECTIONS.has(key));
    if (other !== undefined)
      throw new CommandError(`${path}: a policy sets packs and rules; "${other}" is for each machine to say`);
    return { name, text, rule: 'rule' in read ? read.rule?.meta.id : undefined, problems: read.problems };
  });
  const ids = texts.flatMap(({ rule }) => rule ?? []);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new CommandError(`${dir}: two files hold the rule ${twice}`);
  const [first] = [...problems, ...texts.flatMap((one) => one.problems)].filter(({ severity }) => severity === 'error');
  if (first) throw new CommandError(`${first.file}:${first.line}: ${printable(first.message)}`);
  return Object.fromEntries(texts.map(({ name, text }) => [name, text]));
}

const KEY_OPTION = {
  key: { type: 'string', value: 'FILE', help: 'the secret key, as openssl or `policy keygen` write it' },
} as const;

const signing: Command = {
  summary: 'sign a policy with a secret key',
  usage: '<file>',
  details:
    'The signature is written into the file. Others by other keys stay: while keys change hands, sign with the old and the new one.',
  args: [1, 1],
  options: { ...KEY_OPTION, ...JSON_OPTION },
  run(input, world) {
    const file = resolve(world.cwd, input.args[0] ?? '');
    const keyFile = fileIn(input, 'key', world);
    if (keyFile === undefined) throw new UsageError('--key names the file of the secret key');
    const secret = textOf(keyFile);
    try {
      nodeFiles.writeAtomic(file, sign(textOf(file), secret));
    } catch (error) {
      throw new CommandError(`${file} cannot be signed with ${keyFile}: ${messageOf(error)}`);
    }
    const key = publicKeyOf(secret);
    if (input.has('json')) return printJson(world, { file, key, id: keyIdOf(key) });
    world.out(`${file} is signed by ${keyIdOf(key)} (${key})\n`);
  },
};

const verify: Command = {
  summary: 'check a policy against public keys',
  usage: '<file>',
  details: 'Exit code 1 where none of the keys has signed it, or where it is no policy that a machine would take.',
  args: [1, 1],
  options: {
    key: { type: 'string', multiple: true, value: 'ed25519:…', help: 'a public key, or a file that holds one' },
    ...JSON_OPTION,
  },
  run(input, world) {
    const file = resolve(world.cwd, input.args[0] ?? '');
    const keys = keysIn(input.list('key'), world);
    if (keys.length === 0) throw new UsageError('--key names the public key that should have signed it');
    const text = textOf(file);
    try {
      const { bundle, digest } = openedBy(text, keys);
      const by = open(text, keys).by.map(keyIdOf);
      const isExpired = Date.parse(bundle.expires) <= Date.now();
      if (input.has('json')) {
        printJson(world, {
          valid: !isExpired,
          name: bundle.name,
          version: bundle.version,
          digest,
          by,
          expires: bundle.expires,
        });
      } else
        world.out(
          `${bundle.name}@${bundle.version}, signed by ${by.join(', ')}, ${isExpired ? 'expired' : 'expires'} ${bundle.expires}\n`,
        );
      return isExpired ? 1 : 0;
    } catch (error) {
      if (!input.has('json')) throw new CommandError(`${file} ${messageOf(error)}`);
      printJson(world, { valid: false, problem: messageOf(error) });
      return 1;
    }
  },
};

/** Keys as they are written, or files that hold one each. */
export function keysIn(given: readonly string[], world: CliWorld): readonly string[] {
  return given.map((text) => {
    const key = isPublicKey(text) ? text : textOf(resolve(world.cwd, text)).trim();
    if (!isPublicKey(key)) throw new UsageError(`"${text}" is no public key; it begins with ed25519:`);
    return key;
  });
}

function fileIn(input: Input, option: string, world: CliWorld): string | undefined {
  const given = input.text(option);
  return given === undefined ? undefined : resolve(world.cwd, given);
}

function textOf(file: string): string {
  const text = nodeFiles.readText(file);
  if (text === undefined) throw new CommandError(`${file} cannot be read`);
  return text;
}

export default {
  order: 212,
  verbs: { 'policy keygen': keygen, 'policy build': build, 'policy sign': signing, 'policy verify': verify },
} satisfies VerbFile;
