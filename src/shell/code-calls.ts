import { UNKNOWN } from './command.ts';
import { decodeBase64 } from './output.ts';
import type { Literal, Scan } from './code-literals.ts';
import { leftFor, readLiteral, skipSpace } from './code-literals.ts';
import { meantName, namesIn } from './code-names.ts';
import { SHELL_NAMES } from './shell-names.ts';

export interface ShellCalls {
  /** Text for a shell, or a program with its arguments; `UNKNOWN` alone for what comes in. */
  readonly calls: readonly (string | readonly string[])[];
  /** It is more than was read. */
  readonly cut: boolean;
  /** It forks without end. */
  readonly forks: boolean;
}

/** Functions whose first argument is shell code, or that take a program and its arguments. */
const RUNS = new RegExp(
  `^(?:${[
    String.raw`os\.(?:system|popen\d?|startfile|execute|execl?[vpe]*|spawn[lv]p?e?)`,
    String.raw`(?:subprocess|sp)\.(?:run|call|Popen|check_call|check_output|getoutput|getstatusoutput)`,
    String.raw`(?:commands\.)?getoutput|pty\.spawn|io\.popen|IO\.popen|Open3\.\w+|Process\.spawn`,
    String.raw`(?:Kernel\.)?(?:system|exec|spawn)|run|call|check_output|check_call|Popen`,
    String.raw`(?:[\w$.]*\.)?(?:execSync|spawnSync|execFileSync|execFile|execa(?:Sync|Command)*|shell_exec|passthru|proc_open|popen)`,
    String.raw`[\w$.]*(?:child_process|childProcess|cp)\.(?:exec|spawn|fork)`,
    String.raw`Deno\.(?:Command|run)|Bun\.spawn(?:Sync)?`,
  ].join('|')})$`,
);
/** Only after a module of processes was named: their names mean other things elsewhere. */
const NEEDS_MODULE = /^(?:exec|run|call|spawn|check_output|check_call|Popen|execFile|system)$/;
const MODULES = /child_process|subprocess|\bos\b|Open3|open3|\bpty\b|execa|zx|process/;
const DECODES =
  /^(?:base64\.)?(?:b64decode|atob|base64_decode|decode64|urlsafe_b64decode|decode_base64)$|(?:Base64\.(?:strict_)?decode64)$/;
const EVALUATES = /^(?:exec|eval|compile|Function)$/;
/** How far code may be evaluated in code, and values be decoded in values. */
const MAX_DEPTH = 16;

const FORKS =
  /\bfork\s*(?:\(\s*\))?\s+while\b|\bwhile\s*\(?\s*(?:1|true|True)?\s*\)?\s*[:{]?\s*(?:\w+\.)?fork\s*(?:\(|;|\})|\bloop\s*(?:\{|do)\s*fork\b|\bwhile\s*\(?\s*fork\b/;

/** Finds what code of another language hands to a shell, in the literals of its calls. */
export function findShellCalls(code: string, language: string, outer?: Scan): ShellCalls {
  if (language === 'osascript')
    return { calls: matchAll(code, /do shell script\s+"((?:[^"\\]|\\.)*)"/g), cut: false, forks: false };
  if (language === 'expect')
    return { calls: matchAll(code, /(?:spawn|exec|system)\s+([^;\n]+)/g), cut: false, forks: false };
  const calls: (string | readonly string[])[] = [];
  const scan: Scan = { known: new Map(), left: outer?.left ?? leftFor(code), depth: (outer?.depth ?? -1) + 1 };
  const { known } = scan;
  const awk = language === 'awk';
  const names = language === 'python' || language === 'node' ? namesIn(code) : undefined;
  /** Where the arguments of a `print` start. */
  let printed = -1;
  const hasModule = language !== 'node' && language !== 'python' ? true : MODULES.test(code);
  let at = 0;
  while (at < code.length) {
    const char = code[at] as string;
    if (awk && (char === ';' || char === '\n' || char === '{' || char === '}')) printed = -1;
    if (isComment(code, at, language)) {
      at = endOfLine(code, at);
      continue;
    }
    if (char === '`' && language !== 'node' && language !== 'python') {
      const literal = readLiteral(code, at, scan);
      if (literal && !awk) calls.push(literal.text);
      at = literal?.end ?? at + 1;
      continue;
    }
    if (char === '"' || char === "'" || char === '`') {
      const literal = readLiteral(code, at, scan);
      if (literal && awk) readPipe(literal.text, at, literal.end);
      at = literal?.end ?? at + 1;
      continue;
    }
    const quoted = readQuoteWord(code, at, language);
    if (quoted) {
      calls.push(quoted.text);
      at = quoted.end;
      continue;
    }
    const name = /[A-Za-z_$]/.test(char) ? nameAt(code, at) : '';
    if (name === '') {
      at += 1;
      continue;
    }
    const after = at + name.length;
    if (name === '$' && code[after] === '`') {
      const literal = readLiteral(code, after, scan);
      if (literal) calls.push(literal.text);
      at = literal?.end ?? after;
      continue;
    }
    if (awk) {
      if (name === 'print' || name === 'printf') printed = after;
      const held = known.get(name);
      if (held) readPipe(held.text, at, after);
    }
    at = readName(name, code, after);
  }
  if (outer) outer.left = scan.left;
  return { calls, cut: scan.left < 0, forks: !outer && FORKS.test(code) };

  /** `"command" | getline` and `print … | "command"`; what is printed to a shell is code. */
  function readPipe(command: string, start: number, end: number): void {
    const pipe = skipSpace(code, end);
    let before = start - 1;
    while (before >= 0 && /\s/.test(code[before] as string)) before -= 1;
    if (code[pipe] === '|' && code.startsWith('getline', skipSpace(code, pipe + 1))) calls.push(command);
    else if (code[before] === '|' && code[before - 1] !== '|') {
      calls.push(printed >= 0 && isShell(command) ? printedText(code, printed, before, scan) : command);
      printed = -1;
    }
  }

  /** Handles a name that ends at `after`; returns where to go on. */
  function readName(name: string, text: string, after: number): number {
    const open = skipSpace(text, after);
    if (text[open] === '=' && text[open + 1] !== '=' && text[open + 1] !== '~') {
      const value = readValue(text, skipSpace(text, open + 1), scan);
      if (value) known.set(name.replace(/^\$/, ''), value);
      return open + 1;
    }
    const plain = meantName(plainName(name), names);
    const runs = RUNS.test(plain) && (hasModule || !NEEDS_MODULE.test(plain));
    const evaluates = EVALUATES.test(name);
    if (!runs && !evaluates) return after;
    const bare = text[open] !== '(';
    if (bare && language !== 'ruby' && language !== 'perl' && language !== 'lua') return after;
    const args = readArguments(text, bare ? open : open + 1, scan);
    const [first] = args.values;
    if (!first) return after;
    if (evaluates && language === 'python' && first.items === undefined) {
      scan.left = scan.depth < MAX_DEPTH ? scan.left - first.text.length : -1;
      if (scan.left >= 0) calls.push(...findShellCalls(first.text, language, scan).calls);
      return args.end;
    }
    if (!runs) return after;
    const call = callOf(plain, args.values, text.slice(open, args.end + 200));
    if (call !== undefined) calls.push(call);
    return args.end;
  }
}

function readArguments(text: string, start: number, scan: Scan): { values: readonly Literal[]; end: number } {
  const values: Literal[] = [];
  let next = skipSpace(text, start);
  while (scan.left >= 0) {
    const value = readValue(text, next, scan);
    if (!value) break;
    values.push(value);
    next = skipSpace(text, value.end);
    if (text[next] !== ',') break;
    next = skipSpace(text, next + 1);
  }
  return { values, end: next };
}

/** A literal, a decoded literal, or a name that held one. */
function readValue(text: string, start: number, scan: Scan, inside = 0): Literal | undefined {
  scan.left -= 1;
  if (inside > MAX_DEPTH) scan.left = -1;
  if (scan.left < 0) return undefined;
  const literal = readLiteral(text, start, scan);
  if (literal) return literal;
  const name = nameAt(text, start);
  if (name === '') return undefined;
  const after = start + name.length;
  if (DECODES.test(name) && text[after] === '(') {
    const inner = readValue(text, skipSpace(text, after + 1), scan, inside + 1);
    if (!inner) return undefined;
    const close = text.indexOf(')', inner.end);
    const tail = /^(?:\.decode\([^)]*\)|\.toString\([^)]*\))?/.exec(text.slice(close + 1))?.[0] ?? '';
    return { text: decodeBase64(inner.text), end: close + 1 + tail.length };
  }
  if (name === 'Buffer.from' && text[after] === '(') {
    const inner = readValue(text, skipSpace(text, after + 1), scan, inside + 1);
    const base64 = inner && /^\s*,\s*['"]base64['"]\s*\)(?:\.toString\([^)]*\))?/.exec(text.slice(inner.end))?.[0];
    return inner && base64 !== undefined
      ? { text: decodeBase64(inner.text), end: inner.end + base64.length }
      : undefined;
  }
  const held =
    scan.known.get(name.replace(/^\$/, '')) ?? scan.known.get(name.replace(/\.(?:split|encode|decode|toString)$/, ''));
  if (held && text[after] !== '(') return { ...held, end: after };
  const split =
    /^(?:shlex\.split|String|str)$/.test(name) && text[after] === '('
      ? readValue(text, skipSpace(text, after + 1), scan, inside + 1)
      : undefined;
  return split && { ...split, end: text.indexOf(')', split.end) + 1 };
}

function isShell(command: string): boolean {
  const program = command.trim().split(/\s/, 1)[0] as string;
  return SHELL_NAMES.has(program.slice(program.lastIndexOf('/') + 1));
}

/** What awk prints between `start` and `end`: texts and values side by side. */
function printedText(code: string, start: number, end: number, scan: Scan): string {
  let text = '';
  for (let at = skipSpace(code, start); at < end; at = skipSpace(code, at)) {
    const literal = readLiteral(code, at, scan);
    const name = literal ? '' : nameAt(code, at);
    if (literal) text += literal.text;
    else if (name !== '') text += scan.known.get(name)?.text ?? UNKNOWN;
    else if (code[at] === ',') text += ' ';
    at = literal?.end ?? at + Math.max(1, name.length);
  }
  return text.replaceAll(UNKNOWN, '').trim() === '' ? UNKNOWN : text;
}

function callOf(name: string, values: readonly Literal[], around: string): string | readonly string[] | undefined {
  const [first, second] = values;
  if (!first) return undefined;
  if (first.items) return first.items.length > 0 ? first.items : undefined;
  if (/(?:^|\.)(?:execl?[vpe]+|execl|spawn[lv]p?e?)$/.test(name) && name.startsWith('os.')) {
    const list = values.find((one) => one.items)?.items;
    return list ?? values.slice(name.includes('spawn') ? 2 : 1).map((one) => one.text);
  }
  if (second?.items)
    return /shell\s*:\s*true/.test(around) ? [first.text, ...second.items].join(' ') : [first.text, ...second.items];
  if (values.length > 1 && /^(?:system|exec|spawn|pty\.spawn|Kernel\.(?:system|exec))$/.test(name))
    return values.map((one) => one.text);
  return first.text === UNKNOWN ? undefined : first.text;
}

function nameAt(code: string, at: number): string {
  return (
    /^(?:\$|[A-Za-z_$][\w$]*)(?:(?:\.|::|->)(?=[A-Za-z_])[\w$]+|\([^()'"]*['"]\w[\w:/]*['"]\)(?=\.))*/.exec(
      code.slice(at, at + 160),
    )?.[0] ?? ''
  );
}

/** `require('child_process').exec` and `Kernel::system` as dotted names. */
function plainName(name: string): string {
  return name
    .replace(/\w+\([^()'"]*['"](?:node:)?(\w+)[\w:/]*['"]\)/, '$1')
    .replaceAll('::', '.')
    .replaceAll('->', '.');
}

function isComment(code: string, at: number, language: string): boolean {
  const char = code[at];
  if (language === 'node' || language === 'php') {
    if (char === '/' && code[at + 1] === '/') return code[at - 1] !== ':';
    return language === 'php' && char === '#';
  }
  if (language === 'lua') return char === '-' && code[at + 1] === '-';
  return char === '#' && (at === 0 || /\s/.test(code[at - 1] as string)) && language !== 'awk';
}

function endOfLine(code: string, at: number): number {
  const end = code.indexOf('\n', at);
  return end < 0 ? code.length : end;
}

/** Perl's `qx{…}` and Ruby's `%x(…)`. */
function readQuoteWord(code: string, at: number, language: string): { text: string; end: number } | undefined {
  if (language !== 'perl' && language !== 'ruby') return undefined;
  if (!code.startsWith('qx', at) && !code.startsWith('%x', at)) return undefined;
  const from = skipSpace(code, at + 2) + 1;
  const open = code[from - 1] ?? '';
  if (!/^[^\w\s]$/.test(open)) return undefined;
  const close = { '(': ')', '{': '}', '[': ']', '<': '>' }[open] ?? open;
  const end = code.indexOf(close, from);
  return end < 0 ? undefined : { text: code.slice(from, end), end: end + 1 };
}

function matchAll(code: string, pattern: RegExp): readonly string[] {
  return [...code.matchAll(pattern)].map((match) => (match[1] ?? '').replace(/\\(["\\])/g, '$1'));
}
