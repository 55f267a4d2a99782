import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly args: readonly string[];
}

/** Started as a daemon, whatever options Node got; whether it is one is for the lock to say. */
export function isDaemon({ args }: Process): boolean {
  return args.slice(0, 4).some((word) => word.endsWith('/daemon.js'));
}

/** The running processes that have a text in one of their words. */
export function processesOf(text: string): Process[] {
  return readdirSync('/proc').flatMap((name): Process[] => {
    const pid = Number(name);
    const line = Number.isInteger(pid) ? readProc(pid, 'cmdline') : '';
    return line.includes(text) ? [{ pid, args: line.split('\0') }] : [];
  });
}

/**
 * Those of the processes just listed that are still there and still run the same program: these existed at one moment.
 * The list itself takes a while, in which one may end and the next one start.
 */
export function atOnce(listed: readonly Process[]): Process[] {
  return listed.filter(({ pid, args }) => readProc(pid, 'cmdline') === args.join('\0'));
}

/** A file of a process; empty once it is gone. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const PAGE_BYTES = 4096;

export function residentBytes(pid: number): number {
  return Number(readProc(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES;
}
