import type { Token } from './tokens.ts';

/** A call in code: where its name and its arguments stand among the tokens. */
export interface Call {
  /** What comes before the last dot: `os.path` of `os.path.join`; empty when there is nothing. */
  readonly owner: string;
  readonly name: string;
  /** The call whose result it is called on, as in `Path('x').unlink()`. */
  readonly on: Call | undefined;
  /** From the first token of the arguments to behind the last. */
  readonly start: number;
  readonly end: number;
  /** Where each argument starts and ends. */
  readonly args: readonly (readonly [number, number])[];
}

export interface Code {
  readonly tokens: readonly Token[];
  readonly calls: readonly Call[];
  /** Calls with brackets, by where their arguments start. */
  readonly callsAt: ReadonlyMap<number, Call>;
  /** Strings that names stand for. */
  readonly constants: ReadonlyMap<string, string>;
  /** Some arguments go on further than they were read. */
  readonly cut: boolean;
}

/** Called without brackets on what another name stands for, in Ruby and Perl. */
const BARE: ReadonlySet<string> = new Set([
  'eval',
  'exec',
  'system',
  'FileUtils.rm_rf',
  'FileUtils.rm_r',
  'rmtree',
  'remove_tree',
  'unlink',
]);

const OPEN: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

export function codeOf(tokens: readonly Token[]): Code {
  const closes = pairs(tokens);
  const calls: Call[] = [];
  const callsAt = new Map<number, Call>();
  const endings = new Map<number, Call>();
  const constants = new Map<string, string>();
  // Statements in statements would be read over and over.
  const looks = { left: 4096 + 8 * tokens.length };
  tokens.forEach((token, at) => {
    if (token.kind !== 'name') return;
    const next = tokens[at + 1];
    const assigned = tokens[at + 2];
    if (next?.text === '=' && assigned?.kind === 'string' && assigned.open !== true && isEnd(tokens[at + 3])) {
      constants.set(token.text, assigned.text);
    }
    const close = next?.text === '(' && next.kind === 'mark' ? closes.get(at + 1) : undefined;
    const bare = close === undefined && (next?.kind === 'string' || (next?.kind === 'name' && BARE.has(token.text)));
    if (close === undefined && !bare) return;
    const start = bare ? at + 1 : at + 2;
    const end = bare ? endOfStatement(tokens, start, closes, looks) : (close as number);
    const before = tokens[at - 1];
    const on = before?.text === '.' && before.kind === 'mark' ? endings.get(at - 2) : undefined;
    const module = on && moduleOf(tokens, on);
    const whole = module === undefined ? token.text : `${module}.${token.text}`;
    const dot = whole.lastIndexOf('.');
    const call: Call = {
      owner: dot < 0 ? '' : whole.slice(0, dot),
      name: whole.slice(dot + 1),
      on: module === undefined ? on : undefined,
      start,
      end,
      args: splitArguments(tokens, start, end, closes),
    };
    calls.push(call);
    if (bare) return;
    endings.set(end, call);
    callsAt.set(start, call);
  });
  return { tokens, calls, callsAt, constants, cut: looks.left < 0 };
}

/** `require('node:fs')` stands for the module. */
function moduleOf(tokens: readonly Token[], { name, start, end }: Call): string | undefined {
  const first = tokens[start];
  if (
    (name !== 'require' && name !== 'import' && name !== '__import__') ||
    end !== start + 1 ||
    first?.kind !== 'string'
  )
    return undefined;
  return (first.text.startsWith('node:') ? first.text.slice(5) : first.text).replaceAll('/', '.');
}

/** Which bracket closes which. */
function pairs(tokens: readonly Token[]): Map<number, number> {
  const closes = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, text }, at) => {
    if (kind !== 'mark') return;
    if (OPEN[text] !== undefined) open.push(at);
    else if (text === ')' || text === ']' || text === '}') {
      const start = open.pop();
      if (start !== undefined) closes.set(start, at);
    }
  });
  for (const start of open) closes.set(start, tokens.length);
  return closes;
}

function isEnd(token: Token | undefined): boolean {
  return (
    token === undefined || token.kind === 'break' || token.text === ',' || token.text === ')' || token.text === '}'
  );
}

/** `unlink 'a', 'b';`: arguments without brackets end with the statement. */
function endOfStatement(
  tokens: readonly Token[],
  start: number,
  closes: ReadonlyMap<number, number>,
  looks: { left: number },
): number {
  let at = start;
  while (at < tokens.length && looks.left >= 0) {
    looks.left -= 1;
    const token = tokens[at] as Token;
    if (token.kind === 'break' || token.text === ')' || token.text === '}' || token.text === ']') break;
    at = (token.kind === 'mark' ? closes.get(at) : undefined) ?? at;
    at += 1;
  }
  return Math.min(at, tokens.length);
}

function splitArguments(
  tokens: readonly Token[],
  start: number,
  end: number,
  closes: ReadonlyMap<number, number>,
): (readonly [number, number])[] {
  const args: [number, number][] = [];
  let from = start;
  for (let at = start; at < end; at += 1) {
    const token = tokens[at] as Token;
    if (token.kind !== 'mark') continue;
    const close = closes.get(at);
    if (close !== undefined) at = close;
    else if (token.text === ',') {
      args.push([from, at]);
      from = at + 1;
    }
  }
  if (from < end) args.push([from, end]);
  return args;
}

const HOME_CALL = /^(?:home|homedir|expanduser)$/;
const HOME_NAME = /^(?:process\.env\.(?:HOME|USERPROFILE)|Dir\.home|ENV\.HOME)$/;
const PATH_CALL =
  /^(?:Path|PosixPath|PurePath|Pathname|abspath|realpath|normpath|resolve|join|expanduser|expand_path|absolute|glob|iglob)$/;

/** The text that an argument stands for, where the code tells it; names of paths may be put together. */
export function literalOf(code: Code, [start, end]: readonly [number, number], depth = 0): string | undefined {
  const { tokens, constants } = code;
  if (depth > 4 || start >= end) return undefined;
  let text = '';
  let at = start;
  while (at < end) {
    const token = tokens[at] as Token;
    if (token.kind === 'string') {
      if (token.open === true) return undefined;
      text =
        text.endsWith('/') || text === '' || tokens[at - 1]?.text !== '/' ? text + token.text : `${text}/${token.text}`;
      at += 1;
    } else if (token.kind === 'mark' && (token.text === '+' || token.text === '/' || token.text === '.')) at += 1;
    else if (token.kind === 'break') at += 1;
    else if (token.kind === 'name' && HOME_NAME.test(token.text)) {
      text += '~';
      at += 1;
    } else if (token.kind === 'name') {
      const call = tokens[at + 1]?.text === '(' ? code.callsAt.get(at + 2) : undefined;
      const known = call ? pathOfCall(code, call, depth) : constants.get(token.text);
      if (known === undefined) return undefined;
      text += known;
      at = call ? call.end + 1 : at + 1;
    } else return undefined;
  }
  return text;
}

function pathOfCall(code: Code, call: Call, depth: number): string | undefined {
  if (call.args.length === 0) {
    if (HOME_CALL.test(call.name)) return '~';
    return call.name === 'cwd' || call.name === 'getcwd' || call.name === 'Path' ? '.' : undefined;
  }
  if (!PATH_CALL.test(call.name)) return undefined;
  const parts = call.args.map((one) => literalOf(code, one, depth + 1));
  return parts.includes(undefined) ? undefined : parts.join('/');
}
