import type { Effect, PathScope } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { readOptions } from '../../shell/options.ts';
import { isSecretPath } from '../paths/secret-names.ts';
import type { ProgramTable, ReadEffects, Scene } from '../scene.ts';
import { systemEffect } from '../system/effect.ts';
import { listed } from '../words/arguments.ts';
import { isOwnHost } from './hosts.ts';

/** Who holds more than one project's files. */
const MUCH: ReadonlySet<PathScope> = new Set(['root', 'system', 'home']);

/** What a server of files gives to whoever asks: all of a home, or secrets. */
function serve(word: ShellWord | string, command: ShellCommand, scene: Scene): readonly Effect[] {
  const { name, scope, path } = scene.place(word, command);
  const isSecret = isSecretPath(path ?? name, scene.surroundings);
  if (!isSecret && !MUCH.has(scope)) return [];
  return [scene.effect(command, { kind: 'send', how: 'served', of: isSecret ? 'secret' : 'tree', target: name })];
}

const ADDRESS = /^(?:.*=)?\[?([\w.:]+?)\]?(?::\d+)?$/;

function isForThisMachine(words: readonly ShellWord[]): boolean {
  return words.some(({ value }) => {
    const host = ADDRESS.exec(value)?.[1] ?? '';
    return host !== '0.0.0.0' && host !== '0' && isOwnHost(host);
  });
}

/** The directory that one of the options names, or the first operand, or else where it runs. */
function readServer(dirs: readonly string[], values: readonly string[], hasOperand: boolean): ReadEffects {
  return (command, scene) => {
    const rest = command.words.slice(1);
    const options = readOptions(rest, { values: [...dirs, ...values] });
    if (options.has('--help', '--version') || isForThisMachine(rest)) return [];
    const named = options.values(...dirs).at(-1) ?? (hasOperand ? options.operands[0] : undefined);
    return serve(named ?? '.', command, scene);
  };
}

const byOperand = readServer(
  [],
  listed('-l --listen -p --port -a -b --bind -d --cors -c --config -i --interfaces'),
  true,
);
const pythonServer = readServer(['-d', '--directory', '-w', '--path'], ['-b', '--bind', '-p', '--port', '-m'], false);
const MODULES = /^(?:http\.server|SimpleHTTPServer|uploadserver|pyftpdlib|RangeHTTPServer|twisted)$/i;

const readPython: ReadEffects = (command, scene) => {
  const at = command.words.findIndex(({ value }) => value === '-m');
  return at > 0 && MODULES.test(command.words[at + 1]?.value ?? '')
    ? pythonServer({ ...command, words: command.words.slice(at + 1) }, scene)
    : [];
};

const phpServer = readServer(['-t'], ['-S', '-c', '-d'], false);
const readPhp: ReadEffects = (command, scene) =>
  command.words.some(({ value }) => value.startsWith('-S')) ? phpServer(command, scene) : [];

const caddyServer = readServer(['-r', '--root'], ['-l', '--listen', '-d', '--domain'], false);
const readCaddy: ReadEffects = (command, scene) =>
  command.words[1]?.value === 'file-server' ? caddyServer(command, scene) : [];

/** `ruby -run -e httpd DIR`. */
const readRuby: ReadEffects = (command, scene) => {
  const at = command.words.findIndex(({ value }) => value === 'httpd');
  return at > 0 && command.words.some(({ value }) => value === '-run')
    ? byOperand({ ...command, words: command.words.slice(at) }, scene)
    : [];
};

/** Ports by which a machine is ruled from afar. */
const DOORS = /(?:^|[:/])(?:22|3389|5900)$|^(?:ssh|rdp|vnc):/;

/** A tunnel lets others in from outside: to files, or to the machine itself. */
const readTunnel: ReadEffects = (command, scene) => {
  const rest = command.words.slice(1);
  const files = rest.find(({ value }) => value.startsWith('file://'));
  if (files) return serve({ ...files, value: files.value.slice('file://'.length) }, command, scene);
  return rest.some(({ value }) => DOORS.test(value)) ? [opensDoor(command, scene)] : [];
};

/** `ssh -R 2222:localhost:22 host`. */
const readReverse: ReadEffects = (command, scene) => {
  const forwards = readOptions(command.words.slice(1), {
    values: listed('-R -L -D -i -p -o -l -J -F -W -b -c -E -e -m'),
    stopAtOperand: true,
  });
  return forwards.values('-R').some(({ value }) => DOORS.test(value)) ? [opensDoor(command, scene)] : [];
};

function opensDoor(command: ShellCommand, scene: Scene): Effect {
  return systemEffect('access', 'who can log in to this machine from outside', command, scene);
}

export const SERVING_PROGRAMS: ProgramTable = {
  ...Object.fromEntries(
    listed(
      'serve http-server live-server browser-sync darkhttpd miniserve updog goshs simple-http-server dufs webfsd',
    ).map((name) => [name, byOperand]),
  ),
  httpd: readServer(['-h'], ['-p', '-c', '-u', '-r', '-f'], false),
  twistd: readServer(['--path'], ['--port', '--listen', '-p'], false),
  python: readPython,
  pypy: readPython,
  php: readPhp,
  caddy: readCaddy,
  ruby: readRuby,
  ...Object.fromEntries(listed('ngrok cloudflared bore lt localtunnel zrok frpc').map((name) => [name, readTunnel])),
  ssh: readReverse,
  autossh: readReverse,
};
