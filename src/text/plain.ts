/** One line without characters that control a terminal or turn text around. */
export function plain(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}

/** Most texts are of such characters alone, and told by this, which costs less. */
const PLAIN = /^[ -~]*$/;

/** Whether code holds a name as a word of its own. */
export function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isWord(text, at, name)) return true;
  }
  return false;
}

/** Whether it stands at this very column, counted from 1. */
export function isNameAt(text: string, column: number, name: string): boolean {
  return text.startsWith(name, column - 1) && isWord(text, column - 1, name);
}

function isWord(text: string, at: number, name: string): boolean {
  return isEdge(text[at - 1]) && isEdge(text[at + name.length]);
}

function isEdge(letter: string | undefined): boolean {
  return letter === undefined || !/[\w$]/.test(letter);
}
