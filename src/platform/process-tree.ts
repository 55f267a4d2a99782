import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';

export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** The short name the system shows; for a script with a `#!` line the script's own name. */
  readonly name: string;
  /** Every name the program goes by: short name, executable, first argument, script and its package. */
  readonly names: readonly string[];
  /** Names of the variables it was started with; absent when the system does not let us look. */
  readonly env?: readonly string[];
  /** The process that leads its session; 0 when that one is out of sight. */
  readonly session: number;
  /** Its controlling terminal, as a key to compare. */
  readonly tty?: string;
}

/** What can be seen of the running processes and of the terminal we were started in. Nothing here throws. */
export interface ProcessTree {
  readonly self: number;
  /** `opens`: the controlling terminal can be opened; `input`, `output`: our own streams are terminals. */
  readonly terminal: { readonly opens: boolean; readonly input: boolean; readonly output: boolean };
  find(pid: number): ProcessFacts | undefined;
  all(): readonly ProcessFacts[];
  /** The process that made this terminal, when the system tells. */
  maker(tty: string): ProcessFacts | undefined;
  /** Terminals the process has open, its own or not; undefined when the system does not tell. */
  opened(pid: number): readonly string[] | undefined;
  /** What it was started with, and when; undefined when the system does not tell. */
  origin(pid: number): Origin | undefined;
}

export interface Origin {
  /** Its words, joined by blanks. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch, in steps of ten. */
  readonly startedAt: number;
}

const DEPTH = 64;

/** The process itself, then its parent, and so on up to the first one. */
export function lineage(tree: Pick<ProcessTree, 'find'>, pid: number): ProcessFacts[] {
  const line: ProcessFacts[] = [];
  for (let next = pid; next > 0 && line.length < DEPTH;) {
    const facts = tree.find(next);
    if (!facts || line.some((seen) => seen.pid === facts.pid)) break;
    line.push(facts);
    next = facts.parent;
  }
  return line;
}

export function readProcessTree(): ProcessTree {
  const terminal = { opens: opensTerminal(), input: isatty(0), output: isatty(1) || isatty(2) };
  const source = process.platform === 'linux' ? readProc() : readPs();
  return { self: process.pid, terminal, ...source };
}

function opensTerminal(): boolean {
  return (
    attempt(() => {
      closeSync(openSync('/dev/tty', 'r+'));
      return true;
    }) ?? false
  );
}

type Source = Pick<ProcessTree, 'find' | 'all' | 'maker' | 'opened' | 'origin'>;

function readProc(): Source {
  const pids = (): number[] => (attempt(() => readdirSync('/proc')) ?? []).map(Number).filter((pid) => pid > 0);
  const find = (pid: number): ProcessFacts | undefined => readProcEntry(pid)?.facts;
  return {
    find,
    all: () => pids().flatMap((pid) => find(pid) ?? []),
    maker(tty) {
      const index = pseudoTerminalIndex(Number(tty));
      if (index === undefined) return undefined;
      // Children may inherit the other end of a terminal; the oldest holder is the one that made it.
      return pids()
        .filter((pid) => holdsTerminal(pid, index))
        .flatMap((pid) => readProcEntry(pid) ?? [])
        .sort((a, b) => a.started - b.started)[0]?.facts;
    },
    opened: (pid) =>
      openFiles(pid)?.flatMap(({ file }) => (file.startsWith('/dev/pts/') ? (deviceOf(file) ?? []) : [])),
    origin: readOrigin,
  };
}

/** The kernel counts the start of a process in hundredths of a second since it started itself. */
const TICK_MS = 10;

function readOrigin(pid: number): Origin | undefined {
  return attempt(() => {
    const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
    const command = splitZeros(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).join(' ');
    const up = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000;
    const ticks = readProcEntry(pid)?.started;
    if (ticks === undefined || !Number.isFinite(up)) return undefined;
    const env = Object.fromEntries(
      splitZeros(environ).map((pair) => [variableName(pair), pair.slice(pair.indexOf('=') + 1)]),
    );
    return { command, env, startedAt: Date.now() - up + ticks * TICK_MS };
  });
}

function readProcEntry(pid: number): { facts: ProcessFacts; started: number } | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may itself hold spaces and parentheses.
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = 0, , session = 0, tty = 0] = fields;
  const argv = splitZeros(attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '');
  const exe = attempt(() => readlinkSync(`/proc/${pid}/exe`));
  const environ = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
  const facts: ProcessFacts = {
    pid,
    parent,
    name,
    names: namesOf(name, argv, exe),
    session,
    ...(tty > 0 ? { tty: String(tty) } : {}),
    ...(environ === undefined ? {} : { env: splitZeros(environ).map(variableName) }),
  };
  return { facts, started: fields[19] ?? 0 };
}

/** The number N of /dev/pts/N behind a terminal device number; undefined for consoles and serial lines. */
function pseudoTerminalIndex(device: number): number | undefined {
  const major = (device >> 8) & 0xfff;
  return major >= 136 && major <= 143 ? (device & 0xff) | ((device >> 12) & 0xfff00) : undefined;
}

function holdsTerminal(pid: number, index: number): boolean {
  for (const { fd, file } of openFiles(pid) ?? []) {
    if (!file.endsWith('/ptmx')) continue;
    const info = attempt(() => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? '';
    // A container numbers its terminals from 0 again, so only holders that see our files count.
    if (/^tty-index:\s*(\d+)$/m.exec(info)?.[1] === String(index) && sameMounts(pid)) return true;
  }
  return false;
}

function openFiles(pid: number): { fd: string; file: string }[] | undefined {
  const fds = attempt(() => readdirSync(`/proc/${pid}/fd`));
  return fds?.flatMap((fd) => ({ fd, file: attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? '' }));
}

function deviceOf(file: string): string | undefined {
  return attempt(() => String(statSync(file).rdev));
}

function sameMounts(pid: number): boolean {
  const mounts = (of: number | 'self') => attempt(() => readlinkSync(`/proc/${of}/ns/mnt`));
  return mounts(pid) === mounts('self');
}

function readPs(): Source {
  const args = ['axwwE', '-o', 'pid=,ppid=,stat=,tty=,command='];
  const text = attempt(() =>
    execFileSync('/bin/ps', args, { encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const table = parsePs(text ?? '');
  const own = table.get(process.pid);
  if (own) table.set(own.pid, { ...own, env: Object.keys(process.env) });
  return {
    find: (pid) => table.get(pid),
    all: () => [...table.values()],
    maker: () => undefined,
    opened: () => undefined,
    origin: () => undefined,
  };
}

/** Rows of `ps`: pid, parent, state, terminal, then the command with its environment behind it. */
export function parsePs(text: string): Map<number, ProcessFacts> {
  const rows = text.split('\n').flatMap((line) => {
    const [, pid, parent, state = '', tty = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid
      ? [
          {
            pid: Number(pid),
            parent: Number(parent),
            leads: state.includes('s'),
            tty: /^\?+$|^-$/.test(tty) ? '' : tty,
            command,
          },
        ]
      : [];
  });
  const leaders = new Map(rows.filter((row) => row.leads && row.tty).map((row) => [row.tty, row.pid]));
  return new Map(
    rows.map(({ pid, parent, leads, tty, command }) => {
      const words = command.split(' ');
      const firstVariable = words.findIndex((word) => /^[A-Za-z_]\w*=/.test(word));
      const argv = firstVariable < 0 ? words : words.slice(0, firstVariable);
      const env =
        firstVariable < 0
          ? undefined
          : words
              .slice(firstVariable)
              .filter((word) => word.includes('='))
              .map(variableName);
      const name = baseName(argv[0] ?? '').replace(/^-/, '');
      const session = leads ? pid : (leaders.get(tty) ?? 0);
      return [
        pid,
        { pid, parent, name, names: namesOf(name, argv), session, ...(tty ? { tty } : {}), ...(env ? { env } : {}) },
      ];
    }),
  );
}

const INTERPRETER = /^(node|nodejs|bun|deno|python[\d.]*|ruby|perl|(ba|da|z|k)?sh)$/;

function namesOf(name: string, argv: readonly string[], exe?: string): string[] {
  // Only what an interpreter runs is a program; the argument of an editor is a file that may be called anything.
  const runsScript = [name, exe, argv[0]].some((file) => file && INTERPRETER.test(baseName(file)));
  const script = (runsScript && argv.slice(1).find((word) => !word.startsWith('-'))) || '';
  const inPackage = script.includes('/node_modules/')
    ? script.slice(script.lastIndexOf('/node_modules/') + 14).split('/')
    : [];
  const all = [name, exe, argv[0]?.replace(/^-/, ''), script].flatMap((file) => (file ? [baseName(file)] : []));
  return [...new Set([...all, ...inPackage].map((word) => word.replace(/\.([cm]?js|py|exe)$/, '')))];
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

function splitZeros(text: string): string[] {
  return text.split('\0').filter(Boolean);
}

function variableName(pair: string): string {
  return pair.slice(0, pair.indexOf('='));
}

/** Processes end while we look and others are not ours to see: what cannot be read is absent. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
