/** Longer patterns, and those with more repetitions in one part, are not tried. */
const LONGEST = 200;
const WILD = /^\.[*+]/;
const REPEATS = /(?<!\\)[*+{]/g;

/**
 * Whether a pattern of somebody else finds anything in a text. Its parts between `.*` are looked for one after the other, and
 * a part that could take long counts as found: a pattern must not keep the engine from answering.
 */
export function mayMatch(source: string, text: string, ignoreCase: boolean): boolean {
  if (source.length > LONGEST) return true;
  let at = 0;
  for (const part of partsOf(source)) {
    if ((part.match(REPEATS)?.length ?? 0) > 1 || /\)[*+{]|\\\d/.test(part)) return true;
    const pattern = compile(part, ignoreCase);
    if (!pattern) return true;
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return false;
    at = found.index + found[0].length;
  }
  return true;
}

/** Split at each `.*` that stands in no group; one with alternatives outside of groups stays whole. */
function partsOf(source: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at] as string;
    const set = char === '[' ? /^\[\^?\]?[^\]]*\]/.exec(source.slice(at))?.[0] : undefined;
    const whole = char === '\\' ? source.slice(at, at + 2) : (set ?? char);
    if (whole === '(') depth += 1;
    if (whole === ')') depth -= 1;
    if (whole === '|' && depth === 0) return [source];
    if (depth === 0 && WILD.test(source.slice(at))) {
      parts.push('');
      at += 1;
      continue;
    }
    parts[parts.length - 1] += whole;
    at += whole.length - 1;
  }
  return parts;
}

/** Undefined for what is no pattern here. */
function compile(source: string, ignoreCase: boolean): RegExp | undefined {
  const named = source.replaceAll(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '\\s\\S');
  try {
    return new RegExp(named, ignoreCase ? 'gi' : 'g');
  } catch {
    return undefined;
  }
}

const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  digit: '0-9',
  lower: 'a-z',
  upper: 'A-Z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
};
