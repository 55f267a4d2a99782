import { UNKNOWN } from '../command.ts';
import { decodeBase64, decodeHex } from '../output.ts';
import type { Call, Value } from './values.ts';
import { NOTHING, backwards, changed, joinedValue, knownTextOf, textValue } from './values.ts';

const words = (list: string): readonly string[] => list.split(' ');

/** What a call gives, by the last part of its name: functions of texts and paths that most languages have. */
type Gives = (call: Call) => Value;

const subject = ({ self, args }: Call): Value => self ?? args[0] ?? NOTHING;
const rest = ({ self, args }: Call): readonly Value[] => (self ? args : args.slice(1));
const same: Gives = (call) => {
  const value = subject(call);
  return value.texts || value.items ? value : NOTHING;
};

/** `sep.join(list)`, `list.join(sep)`, `path.join(a, b)`, `join(sep, a, b)`. */
const join: Gives = ({ self, args, owner }) => {
  const [first] = args;
  if (self?.items) return joinedValue(self.items, knownTextOf(first) ?? (args.length === 0 ? ',' : UNKNOWN));
  if (self?.path) return { ...joinedValue([self, ...args], '/'), path: true };
  if (self?.texts && first?.items) return joinedValue(first.items, knownTextOf(self) ?? UNKNOWN);
  if (/(?:^|\.)(?:path|posix|File|filepath)$/.test(owner)) return pathOf(args);
  if (owner === '' && args.length > 1)
    return joinedValue(
      args.slice(1).flatMap((one) => one.items ?? [one]),
      knownTextOf(first) ?? UNKNOWN,
    );
  return pathOf(args);
};

/** Parts of a path; what starts at the root begins anew. */
function pathOf(parts: readonly Value[]): Value {
  const from = parts.findLastIndex((part) => knownTextOf(part)?.startsWith('/') === true);
  const used = from > 0 ? parts.slice(from) : parts;
  return used.length === 1 ? (used[0] as Value) : joinedValue(used, '/');
}

const asPath: Gives = ({ self, args }) => {
  const { texts } = pathOf(self?.path ? [self, ...args] : args.length === 0 ? [textValue('.')] : args);
  return texts ? { texts, path: true } : { path: true };
};
const HOME: Value = { texts: ['~'], path: true };

function decoded(change: (text: string) => string): Gives {
  return (call) => ({
    ...changed(call.owner.endsWith('base64') || call.self === undefined ? call.args[0] : subject(call), change),
    decoded: true,
  });
}

const fromHex = (text: string): string => decodeHex(text.replaceAll(':', ''));
const rotated = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (char) => {
    const base = char <= 'Z' ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });

/** Told by an argument how to decode: `Buffer.from(x, 'base64')`, `codecs.decode(x, 'rot13')`. */
const decodedAsTold: Gives = (call) => {
  const how = rest(call)
    .map(knownTextOf)
    .find((one) => one !== undefined && /^(?:base64|hex|rot_?13)$/.test(one));
  if (how === undefined) return same(call);
  const change = how === 'base64' ? decodeBase64 : how === 'hex' ? fromHex : rotated;
  return { ...changed(subject(call), change), decoded: true };
};

const characters: Gives = ({ args }) => {
  const list = args.length === 1 && args[0]?.items ? args[0].items : args;
  return joinedValue(
    list.map((one) =>
      changed(one, (text) =>
        /^\d{1,7}$/.test(text) ? String.fromCodePoint(Math.min(Number(text), 0x10ffff)) : UNKNOWN,
      ),
    ),
  );
};

/** `a.replace(b, c)`, `a.format(b)`, `sprintf(a, b)`. */
const replaced: Gives = (call) => {
  const [from, to] = rest(call).map(knownTextOf);
  return from === undefined || to === undefined || from === ''
    ? unknownText(call)
    : changed(subject(call), (text) => text.replaceAll(from, to));
};
const formatted: Gives = (call) => filled(subject(call), rest(call), call.named);

function unknownText(call: Call): Value {
  return subject(call).texts ? textValue(UNKNOWN) : NOTHING;
}

/** `%s` and `{}` in order, `{name}` by name. */
export function filled(text: Value, values: readonly Value[], named: ReadonlyMap<string, Value>): Value {
  const form = knownTextOf(text);
  if (form === undefined) return NOTHING;
  const parts: Value[] = [];
  let at = 0;
  let next = 0;
  for (const match of form.matchAll(/%[-+ 0-9.]{0,8}[a-zA-Z@]|\{([\w]*)[^{}]{0,20}\}/g)) {
    parts.push(textValue(form.slice(at, match.index)));
    const key = match[1] ?? '';
    parts.push(named.get(key) ?? values[/^\d+$/.test(key) ? Number(key) : next++] ?? textValue(UNKNOWN));
    at = match.index + match[0].length;
  }
  return joinedValue([...parts, textValue(form.slice(at))]);
}

const split: Gives = (call) => {
  const text = knownTextOf(subject(call));
  const by = knownTextOf(rest(call)[0]);
  return text === undefined
    ? NOTHING
    : { items: (by ? text.split(by) : text.trim().split(/\s+/)).map(textValue), texts: [text] };
};
const turned: Gives = (call) => {
  const value = subject(call);
  return value.items ? { ...value, items: value.items.toReversed() } : changed(value, backwards);
};

function env(name: string | undefined): Value {
  return name === 'HOME' || name === 'USERPROFILE' ? HOME : name === 'PWD' ? { texts: ['.'] } : NOTHING;
}

const GIVES: ReadonlyMap<string, Gives> = new Map<string, Gives>([
  ...words(
    'str String toString decode encode strip trim chomp rstrip lstrip unwrap as_posix to_s to_path bytes expanduser abspath realpath normpath expand_path resolve absolute normalizePath path.expand expand-file-name file-truename shlex.split shQuote quote escapeshellarg raw string promisify freeze dup',
  ).map((name): [string, Gives] => [name, same]),
  ...words('Path PosixPath PurePath Pathname pathlib.Path joinpath').map((name): [string, Gives] => [name, asPath]),
  ...words('home homedir').map((name): [string, Gives] => [name, () => HOME]),
  ...words('cwd getcwd pwd').map((name): [string, Gives] => [
    name,
    ({ args }) => (args.length === 0 ? textValue('.') : NOTHING),
  ]),
  ...words('getenv Sys.getenv env').map((name): [string, Gives] => [name, ({ args }) => env(knownTextOf(args[0]))]),
  ...words(
    'b64decode urlsafe_b64decode atob base64_decode decode64 strict_decode64 urlsafe_decode64 decode_base64 base64decode base64-decode-string a2b_base64',
  ).map((name): [string, Gives] => [name, decoded(decodeBase64)]),
  ...words('unhexlify fromhex a2b_hex hex2bin').map((name): [string, Gives] => [name, decoded(fromHex)]),
  ...words('c list Array vec').map((name): [string, Gives] => [name, ({ args }) => ({ items: args })]),
  ['from', decodedAsTold],
  ['decode', decodedAsTold],
  ['str_rot13', decoded(rotated)],
  ['join', join],
  ['file.path', ({ args }) => pathOf(args)],
  ['paste0', ({ args }) => joinedValue(args)],
  ['paste', ({ args, named }) => joinedValue(args, knownTextOf(named.get('sep')) ?? ' ')],
  ['concat', (call) => joinedValue(call.self ? [call.self, ...call.args] : call.args)],
  ['chr', characters],
  ['fromCharCode', characters],
  ['fromCodePoint', characters],
  ['char', characters],
  ['bytes', characters],
  ['bytearray', characters],
  ['replace', replaced],
  ['replaceAll', replaced],
  ['gsub', replaced],
  ['sub', replaced],
  ['format', formatted],
  ['sprintf', formatted],
  ['format-message', formatted],
  ['split', split],
  ['reverse', turned],
  ['reversed', turned],
  ['strrev', turned],
  ['lower', (call) => changed(subject(call), (text) => text.toLowerCase())],
  ['toLowerCase', (call) => changed(subject(call), (text) => text.toLowerCase())],
  ['downcase', (call) => changed(subject(call), (text) => text.toLowerCase())],
]);

const ENVIRONMENT = /^(?:os\.environ|process\.env|ENV|_ENV|_SERVER|ENVIRON|env|::env|\$ENV)$/;

/** What is under a key of the environment; undefined when `owner` is something else. */
export function fromEnvironment(owner: string, key: string | undefined): Value | undefined {
  return ENVIRONMENT.test(owner) ? env(key) : undefined;
}

/** What a call gives, where that can be told. */
export function givenBy(call: Call): Value {
  const { owner, name } = call;
  if (name === 'get' || name === 'fetch' || name === 'pop')
    return fromEnvironment(owner, knownTextOf(call.args[0])) ?? NOTHING;
  // `Pathname.new(x)` is a path.
  if (name === 'new' && owner === 'Pathname') return asPath(call);
  if (name === 'bytes' && call.args[0]?.texts) return same(call);
  const whole = owner === '' ? name : `${owner}.${name}`;
  return (GIVES.get(whole) ?? GIVES.get(name))?.(call) ?? NOTHING;
}
