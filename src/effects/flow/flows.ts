import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellInput, ShellWord } from '../../shell/command.ts';
import { DECODED, ENVIRONMENT, FETCHED, FILE, FOREIGN, NOTHING, SECRET, TREE, cargo, join, joinAll } from './cargo.ts';
import type { Cargo } from './cargo.ts';
import type { Contents } from './handed-on.ts';
import { contentsOf, mayDecode } from './contents.ts';
import { runsForeign, serveShell } from './runs.ts';
import {
  cargoOfFile,
  cargoOfWord,
  fileKey,
  forgetFile,
  inputOf,
  isSocket,
  namedSecret,
  openedBy,
  setFile,
  socketHost,
  startFlow,
} from './state.ts';
import type { FlowState } from './state.ts';
import { isClone, keepTrees, runsBrought } from './trees.ts';
import { isMeantFor } from '../network/secret-owners.ts';
import { isStray, isTokenName, printedToken, secretVariable, strayVariable } from './variables.ts';
import { shownIn } from '../marks.ts';
import { mayBeSecret } from '../paths/secret-names.ts';
import { isOwnHost } from '../network/hosts.ts';
import type { Scene } from '../scene.ts';
import { readSecrets } from '../secrets/secrets.ts';
import type { Transfer } from '../network/transfer.ts';
import { moves, transferOf } from '../network/transfers.ts';
import { runsOf } from '../code/runners.ts';
import { isSecretWhenSent } from './secrets.ts';

const CHECKS: ReadonlySet<string> = new Set(
  'sha256sum sha512sum sha1sum shasum md5sum b2sum cksum gpg gpg2 cosign minisign signify file vim vi nvim nano emacs code less more view'.split(
    ' ',
  ),
);

/** Keeps in mind which files the command shows to whoever reads its output, or holds against what they should be. */
function keepShown(state: FlowState, command: ShellCommand): void {
  const { program, words, redirects } = command;
  if (state.files.size === 0) return;
  const isCheck = CHECKS.has(program);
  const contents = isCheck ? undefined : contentsOf(command);
  const reads = isCheck ? words.slice(1) : contents?.output === true ? contents.reads : [];
  if (
    reads.length === 0 ||
    (!isCheck && !isSeen(state, command)) ||
    redirects.some(({ operator }) => operator === '<>')
  )
    return;
  for (const word of reads) state.shown.add(fileKey(state, word, command));
}

/** What is printed comes out at the end, and neither a file nor an interpreter takes it. */
function isSeen(state: FlowState, command: ShellCommand): boolean {
  let last: ShellCommand | undefined = command;
  for (let hops = 0; last && hops < 16; hops += 1) {
    if (last.keptIn !== undefined || runsOf(last)?.input === true) return false;
    if (last.redirects.some(({ descriptor, operator, target }) => descriptor === 1 && operator !== '<' && target))
      return false;
    if (last.pipedTo === undefined) return contentsOf(last)?.output === true;
    last = state.scene.reading.commands[last.pipedTo];
  }
  return false;
}

/** What files carry afterwards that their names do not tell, and which marks are gone. */
function readMarks(state: FlowState): readonly Effect[] {
  const { scene, files, set, shown } = state;
  const effects: Effect[] = [];
  for (const [path, command] of set) {
    const { marks, name, host } = files.get(path) ?? { marks: 0, name: '', host: '' };
    const target = command.words.find(({ value }) => path.endsWith(`/${value}`))?.value ?? path;
    if (!path.startsWith('/')) continue;
    const about = { target, path };
    if (marks & (SECRET | ENVIRONMENT)) {
      if (isSecretWhenSent(path, false, scene.surroundings)) continue;
      const of = marks & SECRET ? 'secret' : 'environment';
      effects.push(scene.effect(command, { kind: 'copy-secret', how: name, of, ...about }));
    } else if (marks & FETCHED && !shown.has(path)) {
      effects.push(scene.effect(command, { kind: 'download', how: host, ...about, ...(host !== '' && { host }) }));
    }
  }
  const [first] = scene.reading.commands;
  for (const { path, what } of scene.surroundings.marks?.files ?? []) {
    const gone = !files.has(path) || (set.has(path) && (files.get(path)?.marks ?? 0) === 0);
    if (first && (gone || (what === 'download' && shown.has(path))))
      effects.push(scene.effect(first, { kind: 'inspect', target: path, path }));
  }
  return effects;
}

/** What only shows across several commands: data that leaves, code that arrives and is run. */
export function readFlows(scene: Scene): readonly Effect[] {
  const { commands } = scene.reading;
  if (!scene.surroundings.marks && !commands.some(isWatched) && !storesSecret(commands)) return [];
  let state = startFlow(scene);
  let effects = followAll(state);
  // Who reads a named pipe, `>( )` or a coprocess is read before who writes to it.
  for (let ways = 0; ways < MOST_WAYS && state.pipes.size + state.fed.size > 0; ways += 1) {
    state = startFlow(scene, state);
    effects = followAll(state);
  }
  return [...effects, ...readMarks(state)];
}

/** So many of those that are read early may stand one behind the other. */
const MOST_WAYS = 2;

function followAll(state: FlowState): readonly Effect[] {
  const effects: Effect[] = [];
  for (const command of state.scene.reading.commands) {
    const input = inputOf(state, command);
    const foreign = runsForeign(state, command, input) ?? runsBrought(state, command);
    const served = serveShell(state, command);
    const effect = command.pipedTo === undefined ? (foreign ?? served) : (served ?? foreign);
    if (effect) effects.push(effect);
    keepTrees(state, command);
    effects.push(...follow(state, command));
    keepShown(state, command);
  }
  return effects;
}

/** Whether anything can come in, be decoded or leave by this command. */
function isWatched(command: ShellCommand): boolean {
  const { program, redirects, input, pipedTo } = command;
  if (moves(program) || mayDecode(program) || isClone(command)) return true;
  if (redirects.some(({ target }) => isSocket(target))) return true;
  if (input === undefined && pipedTo === undefined) return false;
  if (input?.kind === 'file' && isSocket(input.target)) return true;
  return pipedTo !== undefined && (turnsText(program, input) || bringsByCode(command));
}

const COPIERS: ReadonlySet<string> = new Set(
  'cp mv ln install rsync ditto tee sponge dd tar zip 7z gzip openssl gpg'.split(' '),
);

/** A secret may come to lie in a file. */
function storesSecret(commands: readonly ShellCommand[]): boolean {
  const writes = ({ program, redirects }: ShellCommand) =>
    COPIERS.has(program) || redirects.some(({ operator, target }) => operator !== '<' && target && !isNull(target));
  return commands.some(writes) && commands.some(namesSecret);
}

function isNull({ value }: ShellWord): boolean {
  return value.startsWith('/dev/');
}

function namesSecret(command: ShellCommand): boolean {
  if (contentsOf(command)?.environment === true || printedToken(command) !== undefined) return true;
  return command.words.some((word) => mayBeSecret(word.value) || secretVariable(word) !== undefined);
}

/** Text that stands in the command line is made into another: what comes out nobody has read. */
function turnsText(program: string, input: ShellCommand['input']): boolean {
  return TURNERS.has(program) && input?.kind === 'text';
}

const TURNERS: ReadonlySet<string> = new Set(
  'rev tr sed gsed awk gawk mawk nawk cut fold tac sort jq yq iconv dd python python3 perl ruby node php'.split(' '),
);

const INTERPRETER = /^(?:python|perl|ruby|node|php|deno|bun)[\d.]*$/;

/** Code of an interpreter fetches or decodes what is piped on. */
function bringsByCode(command: ShellCommand): boolean {
  const { program, words } = command;
  return INTERPRETER.test(program) && (fetchesByCode(program, words) || contentsOf(command)?.decodes === true);
}

function fetchesByCode(program: string, words: readonly ShellWord[]): boolean {
  return INTERPRETER.test(program) && words.some(({ value }) => value.includes('://'));
}

/** Hands on what the command takes in, and tells what leaves by it. */
function follow(state: FlowState, command: ShellCommand): readonly Effect[] {
  const { program, words } = command;
  const transfer = transferOf(command);
  const contents = transfer === undefined ? contentsOf(command) : undefined;
  if (program === 'rm' || program === 'unlink' || program === 'shred') {
    for (const word of words.slice(1)) if (!word.value.startsWith('-')) forgetFile(state, word, command);
  } else if (program === 'mkfifo' || (program === 'mknod' && words.at(-1)?.value === 'p')) {
    for (const word of words.slice(1)) if (!word.value.startsWith('-')) state.pipes.add(fileKey(state, word, command));
  } else if (program === 'read' || program === 'mapfile' || program === 'readarray') keepVariables(state, command);
  const handed = handedOn(state, command, transfer, contents);
  if (contents) writeFiles(state, command, contents, handed);
  for (const saved of transfer?.saves ?? [])
    setFile(state, saved, command, cargo(FETCHED, transfer?.host, transfer?.host));
  const effects = transfer ? sends(state, command, transfer) : [];
  const output = contents?.output === false ? NOTHING : handed;
  state.outputs[command.number] = output;
  return [...effects, ...redirect(state, command, contents, handed, output)];
}

/** What the command puts out or writes. */
function handedOn(
  state: FlowState,
  command: ShellCommand,
  transfer: Transfer | undefined,
  contents: Contents | undefined,
): Cargo {
  const { program, input, words, pipedTo } = command;
  if (transfer) return transfer.brings === true ? cargo(FETCHED, transfer.host, transfer.host) : NOTHING;
  let all = secretsOf(state, command);
  if (contents === undefined) return all;
  for (const word of contents.reads) all = join(all, cargoOfFile(state, word, command, contents.recursive));
  if (contents.input) all = join(all, inputOf(state, command));
  if (contents.words === true)
    all = join(all, joinAll(words.map((word) => join(cargoOfWord(state, word), namedSecret(word)))));
  if (contents.packed === true) all = join(all, cargo(contents.reads.length === 0 ? TREE : FILE, 'archive'));
  if (contents.credentials === true) all = join(all, cargo(SECRET, 'credentials'));
  if (contents.environment === true) all = join(all, cargo(ENVIRONMENT, 'environment'));
  if (contents.decodes === true || turnsText(program, input)) all = join(all, cargo(DECODED));
  if (pipedTo !== undefined && fetchesByCode(program, words)) all = join(all, cargo(FETCHED));
  return all;
}

function secretsOf(state: FlowState, command: ShellCommand): Cargo {
  const printed = printedToken(command);
  if (printed !== undefined) return cargo(ENVIRONMENT, printed);
  const [first] = readSecrets(command, state.scene).filter(({ kind }) => kind === 'read-secret');
  return first ? cargo(first.of === 'environment' ? ENVIRONMENT : SECRET, first.target) : NOTHING;
}

function writeFiles(state: FlowState, command: ShellCommand, contents: Contents, handed: Cargo): void {
  const { reads, writes, moves: away } = contents;
  const each = away === undefined ? undefined : reads.map((word) => cargoOfFile(state, word, command, true));
  if (away === true) for (const word of reads) forgetFile(state, word, command);
  writes.forEach((word, at) => {
    if (isFeed(word)) state.fed.set(command.number, handed);
    else setFile(state, word, command, at === 0 ? handed : (each?.[at - 1] ?? handed));
  });
}

function keepVariables(state: FlowState, command: ShellCommand): void {
  const descriptor = command.words.findIndex(({ value }) => value === '-u');
  const opened = descriptor < 0 ? undefined : state.descriptors.get(Number(command.words[descriptor + 1]?.value));
  const held = opened ? cargoOfFile(state, opened, command) : inputOf(state, command);
  const names = command.words.slice(1).map(({ value }) => value);
  for (const value of [...names, 'REPLY', 'MAPFILE']) {
    if (!/^[A-Za-z_]\w*$/.test(value)) continue;
    if (held.marks === 0) state.variables.delete(value);
    else state.variables.set(value, held);
  }
}

/** Follows output into files, sockets and process substitutions. */
function redirect(
  state: FlowState,
  command: ShellCommand,
  contents: Contents | undefined,
  handed: Cargo,
  output: Cargo,
): readonly Effect[] {
  const effects: Effect[] = [];
  for (const word of contents?.writes ?? []) {
    const opened = typeof word === 'string' ? undefined : openedBy(state, word);
    if (opened && isSocket(opened)) effects.push(...sendTo(state, command, socketHost(opened), handed));
  }
  for (const { operator, descriptor, target } of command.redirects) {
    if (target === undefined) continue;
    if (descriptor > 2) state.descriptors.set(descriptor, target);
    if (descriptor !== 1 || operator === '<') continue;
    if (isSocket(target)) effects.push(...sendTo(state, command, socketHost(target), output));
    else if (isFeed(target)) state.fed.set(command.number, output);
    else if (operator === '>>') setFile(state, target, command, join(output, cargoOfFile(state, target, command)));
    else setFile(state, target, command, output);
    if (output.marks & SECRET)
      for (const host of sendersBehind(state, command)) effects.push(...sendTo(state, command, host, output));
    state.outputs[command.number] = NOTHING;
  }
  return effects;
}

/** Who sends a file in the background meanwhile: by another name it may be the one that is written, if that is a pipe. */
function sendersBehind({ scene }: FlowState, { number }: ShellCommand): readonly string[] {
  return scene.reading.commands.flatMap((one) => {
    const transfer = one.background && one.number < number ? transferOf(one) : undefined;
    return transfer?.files?.length ? [transfer.host ?? ''] : [];
  });
}

/** The shell's own descriptor of `>( )` or of a coprocess. */
function isFeed(word: ShellWord | string): boolean {
  return typeof word !== 'string' && (word.text.startsWith('>(') || /^\/dev\/fd\/\d\d+$/.test(word.value));
}

function sends(state: FlowState, command: ShellCommand, transfer: Transfer): readonly Effect[] {
  const { files = [], texts = [], seen = [], recursive, takesInput, host = '' } = transfer;
  let all = texts.length > 0 ? cargo(FILE, 'text') : NOTHING;
  for (const word of files) all = join(all, cargoOfFile(state, word, command, recursive));
  for (const word of texts)
    all = join(all, join(cargoOfWord(state, word), join(strayIn(word, host), shownKey(state, word, host))));
  for (const word of seen) {
    const held = join(cargoOfWord(state, word), join(strayIn(word, host), shownKey(state, word, host)));
    // Credentials in a header are for whoever is asked, unless they are known to be another's.
    if ((held.marks & SECRET) === 0 && isTokenName(held.name) && !isStray(held.name, host)) continue;
    if (held.marks >= TREE) all = join(all, held);
  }
  if (takesInput === true && command.input && !isEmpty(command.input))
    all = join(all, join(inputOf(state, command), cargo(FILE, 'input')));
  return sendTo(state, command, host, all);
}

function strayIn(word: ShellWord, host: string): Cargo {
  const name = strayVariable(word, host);
  return name === undefined ? NOTHING : cargo(ENVIRONMENT, name);
}

/** A key that was shown in this session and is not for the other end. */
function shownKey({ scene: { surroundings } }: FlowState, { value }: ShellWord, host: string): Cargo {
  const name = shownIn(value, surroundings);
  return name === undefined || isMeantFor(name, host) ? NOTHING : cargo(SECRET, name);
}

function isEmpty(input: ShellInput): boolean {
  return input.kind === 'file' ? input.target.value === '/dev/null' : input.kind === 'text' && input.text.trim() === '';
}

function sendTo(state: FlowState, command: ShellCommand, host: string, all: Cargo): readonly Effect[] {
  const { marks, name } = all;
  if ((marks & ~FOREIGN) === 0 || isOwnHost(host)) return [];
  if ((marks & SECRET) === 0 && marks & ENVIRONMENT && isMeantFor(name, host)) return [];
  const of = marks & SECRET ? 'secret' : marks & ENVIRONMENT ? 'environment' : marks & TREE ? 'tree' : 'file';
  return [state.scene.effect(command, { kind: 'send', of, target: name, ...(host === '' ? {} : { host }) })];
}
