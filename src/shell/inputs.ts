import type { ShellInput } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { Shell } from './state.ts';

/** Programs whose known output counts as text that stands in the command line. */
const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf', 'cat']);

/** What a command reads through a pipe, once the commands before it are read. */
export function inputFrom(printed: string, producers: readonly number[], shell: Shell): ShellInput {
  const { commands } = shell.all;
  const from = producers.at(-1) ?? Math.max(0, commands.length - 1);
  const told = printed.replaceAll(UNKNOWN, '').trim() !== '' || !printed.includes(UNKNOWN);
  if (!told) return { kind: 'pipe', from };
  const plain = producers.every((number) => PRINTERS.has(commands[number]?.program ?? ''));
  const known = !printed.includes(UNKNOWN);
  if (plain) return { kind: 'text', text: printed, known, from };
  return known ? { kind: 'pipe', from, text: printed } : { kind: 'pipe', from };
}

/** Text that stands in the command line, or was written by it. */
export function textInput(text: string, holds?: readonly number[], env?: readonly string[]): ShellInput {
  const input: ShellInput = { kind: 'text', text, known: !text.includes(UNKNOWN) };
  if (!holds?.length && !env) return input;
  return { ...input, ...(holds && { holds }), ...(env && { env }) };
}
