import type { ShellInput, ShellRedirect } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { Shell } from './state.ts';
import { NONE } from './state.ts';
import { resolveDir } from './variables.ts';

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

/** The commands whose output comes through it: a pipe, a text, or a file that one of them wrote before. */
export function sourceOf(input: ShellInput | undefined, dir: string | undefined, shell: Shell): readonly number[] {
  switch (input?.kind) {
    case 'pipe':
      return [input.from];
    case 'text':
      return input.from === undefined ? (input.holds ?? NONE) : [input.from];
    case 'file':
      return input.target.from.length > 0 ? input.target.from : writersOf(resolveDir(dir, input.target.value), shell);
    default:
      return NONE;
  }
}

function writersOf(path: string | undefined, { all }: Shell): readonly number[] {
  if (path === undefined) return NONE;
  const isIt = ({ descriptor, target, operator }: ShellRedirect, dir: string | undefined) =>
    descriptor === 1 && operator !== '<' && target !== undefined && resolveDir(dir, target.value) === path;
  const writer = all.commands.findLast(({ redirects, dir }) => redirects.some((one) => isIt(one, dir)));
  return writer ? [writer.number] : NONE;
}

/** Text that stands in the command line, or was written by it. */
export function textInput(text: string, holds?: readonly number[], env?: readonly string[]): ShellInput {
  const input: ShellInput = { kind: 'text', text, known: !text.includes(UNKNOWN) };
  if (!holds?.length && !env) return input;
  return { ...input, ...(holds && { holds }), ...(env && { env }) };
}
