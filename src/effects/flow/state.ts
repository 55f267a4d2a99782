import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { looksLikeTree } from '../files/archives.ts';
import type { Cargo } from './cargo.ts';
import { ENVIRONMENT, FETCHED, FILE, NOTHING, SECRET, TREE, cargo, join, without } from './cargo.ts';
import { isSecretWhenSent } from './secrets.ts';
import type { Scene, Surroundings } from '../scene.ts';
import { isInputName } from '../code/runners.ts';
import { secretVariable } from './variables.ts';

/** What marked files carry. */
function markedFiles({ marks }: Pick<Surroundings, 'marks'>): Map<string, Cargo> {
  const files = new Map<string, Cargo>();
  for (const { path, what, name } of marks?.files ?? []) {
    if (what === 'download') files.set(path, cargo(FETCHED, name, name));
    else files.set(path, cargo(what === 'secret' ? SECRET : ENVIRONMENT, name));
  }
  return files;
}

export interface Brought {
  readonly how: 'unpacked' | 'cloned';
  readonly host: string;
}

/** What is known on the way through the commands of one reading. */
export interface FlowState {
  readonly scene: Scene;
  /** The commands that write into a command's pipe, by its number. */
  readonly writers: ReadonlyMap<number, readonly number[]>;
  /** What each command's standard output carries, by number. */
  readonly outputs: Cargo[];
  /** What a command writes to one that was read before it: in `>( )`, in a coprocess. */
  readonly fed: Map<number, Cargo>;
  /** What files carry that earlier commands made. */
  readonly files: Map<string, Cargo>;
  /** Named pipes, by the key of their file. */
  readonly pipes: Set<string>;
  /** Directories that hold what an archive or a repository from elsewhere brought, and how it came. */
  readonly trees: Map<string, Brought>;
  /** What `read` put into variables. */
  readonly variables: Map<string, Cargo>;
  /** Files that commands have written, each with the last of them. */
  readonly set: Map<string, ShellCommand>;
  /** Files whose content comes out at the end. */
  readonly shown: Set<string>;
  /** Files and sockets that descriptors above 2 stand for. */
  readonly descriptors: Map<number, ShellWord>;
}

/** `before`: what an earlier way through the same commands has found out about those that are read before their writers. */
export function startFlow(scene: Scene, before?: FlowState): FlowState {
  const writers = new Map<number, number[]>();
  for (const { number, pipedTo } of scene.reading.commands) {
    if (pipedTo === undefined) continue;
    const list = writers.get(pipedTo);
    if (list) list.push(number);
    else writers.set(pipedTo, [number]);
  }
  const files = markedFiles(scene.surroundings);
  for (const pipe of before?.pipes ?? []) files.set(pipe, before?.files.get(pipe) ?? NOTHING);
  return {
    scene,
    writers,
    outputs: [],
    fed: new Map(before?.fed),
    files,
    pipes: new Set(),
    trees: new Map(),
    variables: new Map(),
    set: new Map(),
    shown: new Set(),
    descriptors: new Map(),
  };
}

const SOCKET = /^\/dev\/(?:tcp|udp)\//;

export function isSocket(word: ShellWord | undefined): boolean {
  return word !== undefined && SOCKET.test(word.value);
}

export function socketHost({ value }: ShellWord): string {
  const host = value.split('/')[3] ?? '';
  return host.includes('\0') ? '' : host;
}

export function fileKey(state: FlowState, word: ShellWord | string, command: ShellCommand): string {
  return state.scene.place(word, command).path ?? (typeof word === 'string' ? word : word.value);
}

export function setFile(state: FlowState, word: ShellWord | string, command: ShellCommand, given: Cargo): void {
  const { name } = state.scene.place(word, command);
  const key = fileKey(state, word, command);
  const kept = without(given, FILE);
  state.set.set(key, command);
  state.shown.delete(key);
  state.files.set(key, isSecretWhenSent(key, true, state.scene.surroundings) ? join(kept, cargo(SECRET, name)) : kept);
}

export function forgetFile(state: FlowState, word: ShellWord, command: ShellCommand): void {
  const key = fileKey(state, word, command);
  for (const known of [...state.files.keys()]) if (isWithin(known, key)) state.files.delete(known);
}

function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith('/') ? dir : `${dir}/`);
}

/** What the words of a command hold of the output of others. */
export function cargoOfWord(state: FlowState, word: ShellWord): Cargo {
  let all = NOTHING;
  for (const number of word.from) all = join(all, state.outputs[number] ?? NOTHING);
  if (state.variables.size > 0 && !word.known) {
    for (const [name, held] of state.variables) {
      if (word.text.includes(`$${name}`) || word.text.includes(`\${${name}`)) all = join(all, held);
    }
  }
  return all;
}

const DESCRIPTOR = /^\/(?:dev|proc\/(?:self|thread-self))\/fd\/(\d+)$/;

/** The file or socket that a name such as `/dev/fd/3` stands for. */
export function openedBy(state: FlowState, word: ShellWord): ShellWord {
  const number = DESCRIPTOR.exec(word.value)?.[1];
  return (number === undefined ? undefined : state.descriptors.get(Number(number))) ?? word;
}

/** What the content of a file carries; `recursive` when a directory counts with all that is in it. */
export function cargoOfFile(state: FlowState, given: ShellWord, command: ShellCommand, recursive = false): Cargo {
  const word = openedBy(state, given);
  return isInputName(word.value) ? inputOf(state, command) : cargoOfNamed(state, word, command, recursive);
}

function cargoOfNamed(state: FlowState, word: ShellWord, command: ShellCommand, recursive: boolean): Cargo {
  if (isSocket(word)) return cargo(FETCHED, socketHost(word), socketHost(word));
  if (word.from.length > 0 && word.text.includes('<(')) return cargoOfWord(state, word);
  const { name, scope } = state.scene.place(word, command);
  const key = fileKey(state, word, command);
  const whole = recursive || word.glob;
  let held = state.files.get(key) ?? NOTHING;
  // A file that is named by what lists secrets.
  const namer = cargoOfWord(state, word);
  if (namer.marks & SECRET) held = join(held, namer);
  if (whole) for (const [path, one] of state.files) if (isWithin(path, key)) held = join(held, one);
  const { surroundings } = state.scene;
  if (isSecretWhenSent(key, whole, surroundings) || isSecretWhenSent(word.value, whole, surroundings))
    return join(held, cargo(SECRET, name));
  if (!recursive || !looksLikeTree(word) || scope === 'made') return join(held, cargo(FILE, name));
  return join(held, cargo(scope === 'home' || scope === 'root' ? SECRET | TREE : TREE, name));
}

/** What a command finds on its standard input. */
export function inputOf(state: FlowState, command: ShellCommand): Cargo {
  const { input, number } = command;
  if (input === undefined) return NOTHING;
  // `< /dev/stdin` is what the shell itself was given, which nobody knows.
  if (input.kind === 'file') return cargoOfNamed(state, openedBy(state, input.target), command, false);
  const from = (writer: number) => (writer > number ? state.fed.get(writer) : state.outputs[writer]) ?? NOTHING;
  let all = input.from === undefined ? NOTHING : from(input.from);
  for (const writer of state.writers.get(number) ?? []) all = join(all, from(writer));
  if (input.kind === 'text') {
    for (const maker of input.holds ?? []) all = join(all, state.outputs[maker] ?? NOTHING);
    all = join(all, namedSecret(input));
  }
  return all;
}

/** What a variable of the environment holds, by its name. */
export function namedSecret(held: Pick<ShellWord, 'env'>): Cargo {
  const name = held.env && secretVariable(held);
  return name === undefined ? NOTHING : cargo(ENVIRONMENT, name);
}
