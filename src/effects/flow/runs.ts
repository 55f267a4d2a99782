import type { Effect } from '../../event/effect.ts';
import type { ShellCommand, ShellWord } from '../../shell/command.ts';
import { UNKNOWN } from '../../shell/command.ts';
import { startFileOf } from '../../shell/shells.ts';
import type { Cargo } from './cargo.ts';
import { FETCHED, FOREIGN, NOTHING, join } from './cargo.ts';
import type { FlowState } from './state.ts';
import { cargoOfFile, cargoOfWord, isSocket, socketHost } from './state.ts';
import { runsOf } from '../code/runners.ts';
import { transferOf } from '../network/transfers.ts';

const SQL_CLIENTS: ReadonlySet<string> = new Set('psql mysql mariadb sqlite3 duckdb mongosh redis-cli'.split(' '));

/** The command runs code that came from elsewhere or was decoded; `input` is what its standard input carries. */
export function runsForeign(state: FlowState, command: ShellCommand, input: Cargo): Effect | undefined {
  const statements = SQL_CLIENTS.has(command.program) ? statementsOf(state, command, input) : NOTHING;
  if ((statements.marks & FETCHED) !== 0) {
    const target = statements.host === '' ? 'statements' : statements.host;
    return state.scene.effect(command, { kind: 'run-remote', how: 'statements', target });
  }
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

function statementsOf(state: FlowState, command: ShellCommand, input: Cargo): Cargo {
  const at = command.words.findIndex(({ value }) => value === '-f' || value === '--file');
  const file = at < 0 ? undefined : command.words[at + 1];
  return file ? cargoOfFile(state, file, command) : input;
}

function codeOf(state: FlowState, command: ShellCommand, input: Cargo): Cargo {
  const { words, program } = command;
  const first = words[0];
  if (first === undefined) return NOTHING;
  if (program === '' || first.value.includes('/')) {
    const itself =
      first.from.length > 0 || !first.known ? cargoOfWord(state, first) : cargoOfFile(state, first, command);
    if (itself.marks & FOREIGN) return itself;
  }
  const runs = runsOf(command);
  if (runs === undefined) return NOTHING;
  let all = runs.input && inputLeads(command) ? input : NOTHING;
  const start = startFileOf(command);
  if (start) all = join(all, cargoOfFile(state, start, command));
  if (runs.file) all = join(all, cargoOfFile(state, runs.file, command));
  for (const word of runs.code) if (leadsWord(word)) all = join(all, cargoOfWord(state, word));
  return all;
}

/** Text that is partly told may only have what came in among the arguments of its commands. */
function inputLeads({ input }: ShellCommand): boolean {
  return input?.kind !== 'text' || input.known || leadsCode(input.text);
}

const STARTS_WITH_OUTPUT = /^"?(?:\$|`)/;

/** What comes from another command stands where the name of a command stands, and not only among its arguments. */
function leadsWord({ text, value, from }: ShellWord): boolean {
  return (from.length > 0 && STARTS_WITH_OUTPUT.test(text)) || leadsCode(value);
}

const BEFORE_COMMAND = /(?:^|[;|&({\n\0]|\beval)$/;

function leadsCode(code: string): boolean {
  for (let at = code.indexOf(UNKNOWN); at >= 0; at = code.indexOf(UNKNOWN, at + 1)) {
    let end = at;
    while (end > 0 && /[ \t"']/.test(code[end - 1] as string)) end -= 1;
    if (BEFORE_COMMAND.test(code.slice(Math.max(0, end - 5), end))) return true;
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
