import type { BrokenPlaceholder } from '../../event/pack.ts';

/**
 * The first brace that was meant to open a placeholder and does not. A brace before anything but a letter belongs to
 * code in the text and stays as it is.
 */
export function findBrokenPlaceholder(text: string): BrokenPlaceholder | undefined {
  for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', open + 1)) {
    const rest = text.slice(open);
    if (/^\{[A-Za-z][A-Za-z0-9_]*\}/.test(rest)) continue;
    const line = text.slice(0, open).split('\n').length;
    if (!rest.includes('}')) return { line, message: 'a brace is opened and not closed' };
    if (/^\{[A-Za-z]/.test(rest)) {
      const shown = /^\{[^}\n]{0,40}\}?/.exec(rest)?.[0] ?? '';
      return {
        line,
        message: `"${shown}" is no placeholder; write {name}, or a space after a brace that is meant as text`,
      };
    }
  }
  return undefined;
}
