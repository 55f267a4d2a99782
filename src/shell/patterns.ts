/** A shell pattern as a regular expression; undefined when it is too long to be worth it. */
function patternSource(pattern: string, greedy: boolean): string | undefined {
  if (pattern.length > 64) return undefined;
  let source = '';
  let stars = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] as string;
    if (char === '*') {
      stars += 1;
      source += greedy ? '[^]*' : '[^]*?';
    } else if (char === '?') source += '[^]';
    else if (char === '[') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) source += '\\[';
      else {
        const inner = pattern.slice(at + 1, close).replace(/^!/, '^').replaceAll('\\', '\\\\').replaceAll('[', '\\[');
        source += `[${inner}]`;
        at = close;
      }
    } else source += char.replace(/[\\^$.|+(){}\]/]/, '\\$&');
  }
  return stars > 3 ? undefined : source;
}

function compile(source: string | undefined, flags: string, wrap: (source: string) => string): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return new RegExp(wrap(source), flags);
  } catch {
    return undefined;
  }
}

const MAX_TEXT = 4096;

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`. */
export function stripPattern(text: string, pattern: string, operator: string): string {
  if (text.length > MAX_TEXT) return text;
  const longest = operator.length === 2;
  if (operator.startsWith('#')) {
    const found = compile(patternSource(pattern, longest), 'u', (source) => `^(?:${source})`)?.exec(text);
    return found ? text.slice(found[0].length) : text;
  }
  const whole = compile(patternSource(pattern, longest), 'u', (source) => `^(?:${source})$`);
  if (!whole) return text;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const at = longest ? cut : text.length - cut;
    if (whole.test(text.slice(at))) return text.slice(0, at);
  }
  return text;
}

/** `${x/p/y}` and its kin. */
export function replacePattern(text: string, pattern: string, by: string, operator: string): string {
  if (text.length > MAX_TEXT || pattern === '') return operator === '/#' ? by + text : operator === '/%' ? text + by : text;
  const wrap = (source: string) =>
    operator === '/#' ? `^(?:${source})` : operator === '/%' ? `(?:${source})$` : source;
  const found = compile(patternSource(pattern, true), operator === '//' ? 'gu' : 'u', wrap);
  return found ? text.replace(found, () => by) : text;
}
