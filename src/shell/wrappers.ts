import type { ShellWord } from './command.ts';
import { UNKNOWN } from './command.ts';
import type { Call, Collected } from './state.ts';
import { plainWord, spend } from './state.ts';
import type { Wrapper } from './wrapper-table.ts';
import { WRAPPERS } from './wrapper-table.ts';
import { resolveDir } from './variables.ts';
import { wordsFromText } from './split.ts';

export interface Unwrapped {
  readonly call: Call;
  readonly dir: string | undefined;
}

const IDLE: ReadonlySet<string> = new Set(['--help', '--version']);

/** Which one it is counts for nothing: it reads its commands from its input. */
const SHELL: ShellWord = { text: 'sh', value: 'sh', known: true, glob: false, from: [] };

/** The call inside `name …`; undefined when the program is no wrapper or runs nothing. */
export function unwrap(name: string, call: Call, dir: string | undefined, all: Collected): Unwrapped | undefined {
  const wrapper = WRAPPERS.get(name);
  if (!wrapper) return undefined;
  const { words } = call;
  let assigns = call.assigns;
  let place = dir;
  let at = 1;
  let operands = wrapper.operands ?? 0;
  let runsShell = wrapper.alone === true;
  let program: ShellWord | undefined;
  if (wrapper.verb) {
    if (!wrapper.verb.includes(words[1]?.value ?? '')) return undefined;
    at = 2;
  }
  if (wrapper.toDashes === true) {
    at = words.findIndex((word) => word.value === '--');
    if (at < 0) return undefined;
  }
  for (; at < words.length; at += 1) {
    const word = words[at] as ShellWord;
    const { value } = word;
    if (value === '--') {
      at += 1;
      if (operands === 0) break;
      continue;
    }
    if (value === '-') continue;
    if (value.startsWith('-')) {
      if (IDLE.has(value) || wrapper.idle?.some((one) => names(value, one, wrapper)) === true) return undefined;
      if (wrapper.shell?.some((one) => names(value, one, wrapper)) === true) runsShell = true;
      if (name === 'env') {
        const split = splitString(value, words[at + 1]);
        if (split) {
          if (!spend(all, 8 + (words.length >> 4) + (value.length >> 4), call.text)) return undefined;
          const rest = words.slice(at + (split.taken ? 2 : 1));
          return unwrap(
            name,
            { ...call, assigns, words: [words[0] as ShellWord, ...split.words, ...rest] },
            place,
            all,
          );
        }
      }
      const [option, given] = optionOf(value, wrapper);
      if (wrapper.values?.has(option) !== true) continue;
      const set = given ?? words[(at += 1)]?.value ?? '';
      if (wrapper.dir?.includes(option) === true) place = resolveDir(place, set);
      if (wrapper.program?.includes(option) === true) program = plainWord(set);
      continue;
    }
    if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(value)) {
      const equals = value.indexOf('=');
      const set = { ...word, text: value.slice(equals + 1), value: value.slice(equals + 1) };
      assigns = [...assigns, { name: value.slice(0, equals), value: set }];
      continue;
    }
    if (name === 'env' && value === UNKNOWN && word.from.length > 0 && at + 1 < words.length) {
      assigns = [...assigns, { name: '', value: word }];
      continue;
    }
    if (operands === 0) break;
    operands -= 1;
  }
  let inner = program ? [program, ...words.slice(at)] : words.slice(at);
  if (inner.length === 0 && runsShell && operands === 0) inner = [SHELL];
  const first = inner[0];
  if (!first) return undefined;
  if (wrapper.versioned === true && first.value.lastIndexOf('@') > 0) {
    inner = inner.with(0, { ...first, value: first.value.replace(/@[^/]*$/, '') });
  }
  return { call: { ...call, words: inner, assigns }, dir: place };
}

/** `value` is the option, or letters with it among them: not in the value of an option before it, as in `-uv`. */
function names(value: string, option: string, wrapper: Wrapper): boolean {
  if (value === option) return true;
  if (option.length !== 2 || !/^-[A-Za-z]{2,}$/.test(value)) return false;
  const at = value.indexOf(option[1] as string, 1);
  return (
    at > 0 &&
    !value
      .slice(1, at)
      .split('')
      .some((letter) => wrapper.values?.has(`-${letter}`) === true)
  );
}

function optionOf(value: string, wrapper: Wrapper): readonly [string, string | undefined] {
  if (value.startsWith('--')) {
    const equals = value.indexOf('=');
    const [typed, given] = equals < 0 ? [value, undefined] : [value.slice(0, equals), value.slice(equals + 1)];
    return [wholeName(typed, wrapper), given];
  }
  if (wrapper.values?.has(value) === true) return [value, undefined];
  for (let at = 1; at < value.length; at += 1) {
    const option = `-${value[at] as string}`;
    if (wrapper.values?.has(option) !== true) continue;
    return [option, at + 1 < value.length ? value.slice(at + 1) : undefined];
  }
  return [value, undefined];
}

/** Long options may be cut short where that is clear. */
function wholeName(typed: string, { values, flags }: Wrapper): string {
  if (values === undefined || values.has(typed) || flags?.includes(typed) === true) return typed;
  const meant = [...values].filter((one) => one.startsWith(typed));
  return meant.length === 1 ? (meant[0] as string) : typed;
}

/** What stands for other characters in the text of `env -S`. */
const SPLIT_ESCAPES = /\\([_tnrvf])/g;

/** `env -S 'a b'` in its spellings. */
function splitString(
  value: string,
  next: ShellWord | undefined,
): { words: readonly ShellWord[]; taken: boolean } | undefined {
  const joined = /^(?:-[a-z0]*S|--s[a-z-]*=)([^]*)$/.exec(value)?.[1];
  if (joined === undefined && !/^--s[a-z-]*$/.test(value)) return undefined;
  const taken = joined === undefined || joined === '';
  const text = taken ? (next?.value ?? UNKNOWN) : joined;
  return { words: wordsFromText(text.replace(SPLIT_ESCAPES, ' ')), taken };
}
