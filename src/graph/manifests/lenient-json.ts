/** JSON as configuration files have it: with comments, trailing commas and a byte order mark. Undefined when it is broken. */
export function parseLenientJson(text: string): unknown {
  try {
    return JSON.parse(plain(text));
  } catch {
    return undefined;
  }
}

/** A string, a comment, or a comma that nothing but space and comments separates from a closing bracket. */
const PIECE = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g;

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(PIECE, (piece) => (piece.startsWith('"') ? piece : ' '));
}
