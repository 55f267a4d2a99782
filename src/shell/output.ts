import { UNKNOWN } from './command.ts';
import type { Draft, Shell } from './state.ts';

const SILENT: ReadonlySet<string> = new Set([':', 'true', 'false', 'cd', 'set', 'export', 'test', '[', 'sleep', 'wait', 'unset', 'shopt', 'readonly']);

/** What a command prints, `UNKNOWN` where only running would tell. */
export function outputOf(draft: Draft, shell: Shell): string {
  const { program, words, input } = draft;
  const args = words.slice(1).map((word) => word.value);
  if (SILENT.has(program)) return '';
  if (words.some((word) => word.glob)) return UNKNOWN;
  switch (program) {
    case 'echo':
      return echo(args);
    case 'printf':
      return args[0] === undefined ? '' : printf(args[0] === '--' ? args.slice(1) : args);
    case 'pwd':
      return shell.dir === undefined ? UNKNOWN : `${shell.dir}\n`;
    case 'cat':
      return input?.kind === 'text' && args.every((one) => one === '-') ? input.text : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

function echo(args: readonly string[]): string {
  let at = 0;
  let newline = true;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[at] ?? ''); at += 1) {
    const flag = args[at] as string;
    if (flag.includes('n')) newline = false;
    if (flag.includes('e')) escapes = true;
  }
  const text = args.slice(at).join(' ');
  return (escapes ? unescapeText(text) : text) + (newline ? '\n' : '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v', '\\': '\\', e: '\u001b', "'": "'", '"': '"' };

export function unescapeText(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|0?([0-7]{1,3})|([^]))/g, (whole, hex, wide, octal, letter) => {
    if (hex !== undefined || wide !== undefined) return String.fromCharCode(Number.parseInt(hex ?? wide, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return ESCAPES[letter as string] ?? whole;
  });
}

function printf(args: readonly string[]): string {
  const format = unescapeText(args[0] as string);
  const values = args.slice(1);
  let printed = '';
  let at = 0;
  let rounds = 0;
  do {
    const start = at;
    printed += format.replace(/%(?:%|[-+ 0#]*(?:\d+|\*)?(?:\.\d+)?([a-zA-Z]))/g, (whole, kind: string | undefined) => {
      if (kind === undefined) return '%';
      const value = values[at] ?? '';
      at += 1;
      if (kind === 's') return value;
      if (kind === 'b') return unescapeText(value);
      if (kind === 'c') return value.slice(0, 1);
      if (kind === 'd' || kind === 'i') return value === '' ? '0' : value;
      return whole.length > 0 ? UNKNOWN : '';
    });
    if (at === start) break;
    rounds += 1;
  } while (at < values.length && rounds < 64);
  return printed;
}
