/** One line without characters that control a terminal or turn text around. */
export function plain(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '');
}

/** Most texts are of such characters alone, and told by this, which costs less. */
const PLAIN = /^[ -~]*$/;

/** Whether code holds a name as a word of its own. */
export function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isEdge(text[at - 1]) && isEdge(text[at + name.length])) return true;
  }
  return false;
}

function isEdge(letter: string | undefined): boolean {
  return letter === undefined || !/[\w$]/.test(letter);
}
