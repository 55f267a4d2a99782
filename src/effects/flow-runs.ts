import type { Effect } from '../event/effect.ts';
import type { ShellCommand, ShellWord } from '../shell/command.ts';
import { UNKNOWN } from '../shell/command.ts';
import type { Cargo } from './flow-cargo.ts';
import { FETCHED, FOREIGN, NOTHING, join } from './flow-cargo.ts';
import type { FlowState } from './flow-state.ts';
import { cargoOfFile, cargoOfWord, isSocket, socketHost } from './flow-state.ts';
import { runsOf } from './runners.ts';
import { transferOf } from './transfers.ts';

/** The command runs code that came from elsewhere or was decoded; `input` is what its standard input carries. */
export function runsForeign(state: FlowState, command: ShellCommand, input: Cargo): Effect | undefined {
  const held = codeOf(state, command, input);
  if ((held.marks & FOREIGN) === 0) return undefined;
  const fetched = (held.marks & FETCHED) !== 0;
  return state.scene.effect(command, {
    kind: 'run-remote',
    how: fetched ? 'fetched' : 'decoded',
    target: fetched && held.host !== '' ? held.host : 'code',
    ...(held.host === '' ? {} : { host: held.host }),
  });
}

function codeOf(state: FlowState, command: ShellCommand, input: Cargo): Cargo {
  const { words, program } = command;
  const first = words[0];
  if (first === undefined) return NOTHING;
  if (program === '' || first.value.includes('/')) {
    const itself = first.from.length > 0 || !first.known ? cargoOfWord(state, first) : cargoOfFile(state, first, command);
    if (itself.marks & FOREIGN) return itself;
  }
  const runs = runsOf(command);
  if (runs === undefined) return NOTHING;
  let all = runs.input ? input : NOTHING;
  if (runs.file) all = join(all, cargoOfFile(state, runs.file, command));
  for (const word of runs.code) if (leadsCode(word)) all = join(all, cargoOfWord(state, word));
  return all;
}

const STARTS_WITH_OUTPUT = /^"?(?:\$|`)/;

/** What comes from another command stands where the name of a command stands, and not only among its arguments. */
function leadsCode({ text, value: code, from }: ShellWord): boolean {
  if (from.length > 0 && STARTS_WITH_OUTPUT.test(text)) return true;
  for (let at = code.indexOf(UNKNOWN); at >= 0; at = code.indexOf(UNKNOWN, at + 1)) {
    const before = code.slice(Math.max(0, at - 8), at).trimEnd();
    if (before === '' || /[;|&({\n]$|\beval$/.test(before) || code.slice(0, at).trim() === '') return true;
  }
  return false;
}

const TALKERS: ReadonlySet<string> = new Set('nc ncat netcat socat telnet openssl'.split(' '));

/** A shell whose input or output is a connection. */
export function serveShell(state: FlowState, command: ShellCommand): Effect | undefined {
  const runs = runsOf(command);
  if (runs?.input !== true || command.input?.kind === 'text') return undefined;
  const socket = command.redirects.find(({ descriptor, target }) => descriptor <= 2 && isSocket(target))?.target;
  const reader = command.pipedTo === undefined ? undefined : state.scene.reading.commands[command.pipedTo];
  const talks = reader !== undefined && TALKERS.has(reader.program);
  if (!socket && !talks) return undefined;
  const host = socket ? socketHost(socket) : ((reader && transferOf(reader)?.host) ?? '');
  return state.scene.effect(command, {
    kind: 'run-remote',
    how: 'shell-served',
    target: host === '' ? 'shell' : host,
    ...(host === '' ? {} : { host }),
  });
}
