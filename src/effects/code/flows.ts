import type { Effect } from '../../event/effect.ts';
import type { ShellCommand } from '../../shell/command.ts';
import type { Code } from '../../shell/languages/calls.ts';
import type { Call } from '../../shell/languages/values.ts';
import { knownTextOf } from '../../shell/languages/values.ts';
import { hostOf, isOwnHost } from '../network/hosts.ts';
import type { Scene } from '../scene.ts';
import { isSecretToOthers } from '../paths/secret-names.ts';

type Test = (call: Call) => boolean;

function named(list: string, owners?: RegExp): Test {
  const set = new Set(list.split(' '));
  return ({ name, owner }) => set.has(name) && (owners === undefined || owners.test(owner));
}

function any(...tests: readonly Test[]): Test {
  return (call) => tests.some((test) => test(call));
}

const CLIENTS =
  /(?:^|\.)(?:requests|httpx|axios|got|superagent|urllib3|session|http|https|client|HTTParty|Faraday|RestClient|Net\.HTTP|URI|LWP\.Simple|LWP\.UserAgent|\$ua|ky|)$/i;
const fetches = any(
  named('urlopen urlretrieve curl_exec wget fetch getstore fsockopen'),
  named('get request read open', /(?:requests|httpx|axios|got|urllib3|https?|HTTParty|Net\.HTTP|URI|LWP)$/i),
);
const posts = any(
  named('post put patch postForm post_form sendall sendto urlopen curl_exec send_message sendmail', CLIENTS),
  named('sendall sendto urlopen curl_exec sendmail post_form'),
  named('fetch request', /^(?:|https?|requests|httpx|axios|globalThis|window)$/),
);
/** Text is run as code of the same language. */
const evaluates = any(
  named('exec eval execfile compile', /^(?:|builtins|__builtins__|globalThis|window)$/),
  named(
    'runInThisContext runInNewContext runInContext instance_eval class_eval module_eval Function create_function assert',
  ),
);
/** Text is run as a command. */
const starts = any(
  named('system popen getoutput getstatusoutput shell_exec passthru proc_open execSync execFileSync spawnSync'),
  named('run call Popen check_output check_call', /^subprocess$/),
  named('exec spawn', /child_process|^$/),
);
const decodes = any(
  named(
    'b64decode b32decode b85decode a85decode unhexlify fromhex a2b_hex a2b_base64 atob decode64 strict_decode64 urlsafe_decode64',
  ),
  named(
    'base64_decode decode_base64 hex2bin gzinflate gzuncompress str_rot13 convert_uudecode MIME.Base64 loads',
    /^(?!json|yaml|toml|pickle|orjson)/,
  ),
  named('decompress', /zlib|gzip|bz2|lzma/),
);
const reads = named(
  'open fopen readFileSync readFile read_text read_bytes file_get_contents read createReadStream readTextFile file binread readlines Path',
);

/** `Buffer.from(x, 'base64')` and `pack('H*')` decode by what they are told. */
function decodesAsTold(code: Code, { name, start, end }: Call): boolean {
  if (name !== 'from' && name !== 'decode' && name !== 'pack' && name !== 'unpack' && name !== 'unpack1') return false;
  return code.tokens
    .slice(start, end)
    .some(({ kind, text }) => kind === 'string' && /^(?:base64|hex|rot_?13|H\*|m0?)$/.test(text));
}

/** Code that arrives or is decoded and is run; secrets and variables that leave; a shell at the end of a connection. */
export function readCodeFlows(code: Code, text: string, command: ShellCommand, scene: Scene): readonly Effect[] {
  const effects: Effect[] = [];
  const how = runsHow(code) ?? (runsSimple(code, command) ? 'fetched' : undefined);
  if (how) effects.push(scene.effect(command, { kind: 'run-remote', how, target: 'code' }));
  else if (servesShell(code, text))
    effects.push(scene.effect(command, { kind: 'run-remote', how: 'shell-served', target: 'shell' }));
  const environments = environmentsIn(code);
  const sent = sends(code, environments, command, scene);
  if (sent) effects.push(sent);
  if (environments.length > 0 && code.calls.some((call) => prints(call) && holdsEnvironment(environments, call))) {
    const loaded = /dotenv/.test(text);
    effects.push(
      scene.effect(command, {
        kind: 'read-secret',
        how: 'code',
        target: loaded ? '.env' : 'the environment',
        of: loaded ? 'secret' : 'environment',
      }),
    );
  }
  return effects;
}

function runsHow(code: Code): string | undefined {
  const runners = code.calls.filter((call) => (evaluates(call) || starts(call)) && call.args.length > 0);
  if (runners.length === 0) return handsOn(code) ? 'fetched' : undefined;
  const fetchers = code.calls.filter((call) => fetches(call) || fetchesByName(call));
  const decoders = code.calls.filter((call) => decodes(call) || decodesAsTold(code, call));
  let decoded = false;
  for (const runner of runners) {
    const [first] = runner.args;
    if (knownTextOf(first) !== undefined && !first?.decoded) continue;
    // What is evaluated may have been kept in a variable; commands are mostly put together from other things.
    const reaches = evaluates(runner) ? (call: Call) => call !== runner : (call: Call) => isInside(call, runner);
    if (fetchers.some(reaches)) return 'fetched';
    if (!decoded && decoders.some(reaches) && !isUnshelled(code, runner)) decoded = true;
  }
  if (!decoded && handsOn(code)) return 'fetched';
  return decoded ? 'decoded' : undefined;
}

/** `perl -MLWP::Simple -e 'eval get("…")'`: the module gives a bare `get`. */
function runsSimple({ calls, tokens }: Code, { program, words }: ShellCommand): boolean {
  if (program !== 'perl' || !words.some(({ value }) => value.includes('LWP::Simple'))) return false;
  return (
    calls.some(({ name, owner }) => name === 'get' && owner === '') &&
    tokens.some(({ text }) => text === 'eval' || text === 'system')
  );
}

/** `.then(eval)`: the function is given by name. */
function handsOn(code: Code): boolean {
  return (
    code.calls.some(fetches) &&
    code.calls.some(
      ({ name, start, end }) => name === 'then' && end === start + 1 && code.tokens[start]?.text === 'eval',
    )
  );
}

/** `open('http://…')` and `include 'http://…'` fetch as well. */
function fetchesByName(call: Call): boolean {
  return reads(call) && /^(?:https?|ftp):/.test(knownTextOf(call.args[0]) ?? '');
}

function isInside(call: Call, outer: Call): boolean {
  return call !== outer && call.start >= outer.start && call.end <= outer.end;
}

/** `shell=False` starts a program by name, which bytes that were decoded seldom are. */
function isUnshelled(code: Code, call: Call): boolean {
  const { tokens } = code;
  for (let at = call.start; at < call.end; at += 1) {
    if (tokens[at]?.text === 'shell' && tokens[at + 1]?.text === '=') return tokens[at + 2]?.text === 'False';
  }
  return false;
}

const CONNECTS = any(
  named('socket create_connection', /socket|^$/),
  named('connect createConnection createServer Socket', /^(?:net|tls|socket|s|client|)$/),
  named('fsockopen stream_socket_client socket_create'),
  named('open new', /TCPSocket|TCPServer|IO\.Socket/),
);
const SHELL_NAME = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k|a)?sh(?: -i.*)?$|^cmd(?:\.exe)?$|^powershell/;

/** A connection is opened and a shell, or whatever comes in, is started at its end. */
function servesShell(code: Code, text: string): boolean {
  const connected =
    code.calls.some(CONNECTS) ||
    /\b(?:use Socket|IO::Socket|TCPSocket)\b/.test(text) ||
    code.tokens.some((token) => token.kind === 'string' && /^(?:node:)?(?:net|tls)$/.test(token.text));
  if (!connected) return false;
  const shell = code.tokens.some((token) => token.kind === 'string' && SHELL_NAME.test(token.text));
  const startsOne = code.calls.some(
    (call) =>
      starts(call) || call.name === 'spawn' || call.name === 'exec' || call.name === 'execl' || call.name === 'execve',
  );
  if (shell && (startsOne || /\bexec\b|\bspawn\b|\bpty\b/.test(text))) return true;
  return code.calls.some(
    (call) => starts(call) && call.args.length > 0 && knownTextOf(call.args[0]) === undefined && !call.args[0]?.items,
  );
}

const WHOLE_ENVIRONMENT: ReadonlySet<string> = new Set(['ENV', '_ENV', '_SERVER']);

const prints = named('log print puts dir table pp p dump var_dump print_r echo say stringify dumps info error');

/** All of the environment is among the arguments, not one variable of it. */
function holdsEnvironment(environments: readonly number[], { start, end }: Call): boolean {
  return environments.some((at) => at >= start && at < end);
}

/** Where the code names all of the environment. */
function environmentsIn({ tokens }: Code): readonly number[] {
  return tokens.flatMap(({ kind, text }, at) => {
    if (kind !== 'name') return [];
    const owner = tokens[at - 1]?.kind === 'joint' ? tokens[at - 2]?.text : undefined;
    const whole =
      owner === undefined
        ? WHOLE_ENVIRONMENT.has(text)
        : (owner === 'os' && text === 'environ') || (owner === 'process' && text === 'env');
    const next = tokens[at + 1];
    return whole && next?.kind !== 'joint' && next?.text !== '[' && next?.text !== '{' ? [at] : [];
  });
}

function sends(code: Code, environments: readonly number[], command: ShellCommand, scene: Scene): Effect | undefined {
  const senders = code.calls.filter((call) => posts(call) || fetches(call));
  if (senders.length === 0) return undefined;
  const urls = code.tokens
    .filter(({ kind, text }) => kind === 'string' && /^https?:\/\//.test(text))
    .map(({ text }) => hostOf(text));
  if (urls.length > 0 && urls.every(isOwnHost)) return undefined;
  const host = urls.find((url) => url !== '' && !isOwnHost(url));
  const uploads = senders.some(
    (call) => posts(call) && call.name !== 'urlopen' && call.name !== 'fetch' && call.name !== 'request',
  );
  for (const call of code.calls.filter(reads)) {
    if (!uploads && !senders.some((sender) => isInside(call, sender))) continue;
    const name = knownTextOf(call.self?.path ? call.self : call.args[0]);
    const placed = name === undefined ? undefined : scene.place(name, command);
    if (name !== undefined && placed && isSecretToOthers(placed.path ?? name, scene.surroundings)) {
      return scene.effect(command, {
        kind: 'send',
        of: 'secret',
        target: placed.name,
        ...(host !== undefined && { host }),
      });
    }
  }
  return senders.some((sender) => holdsEnvironment(environments, sender))
    ? scene.effect(command, {
        kind: 'send',
        of: 'environment',
        target: 'environment',
        ...(host !== undefined && { host }),
      })
    : undefined;
}
