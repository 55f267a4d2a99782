/** With these a statement starts, and nothing inside brackets does. */
const STATEMENT =
  /[ \t]*(?:(?:async[ \t]+)?(?:def|class)[ \t]+\w|(?:return|import|with|try|while|raise|assert|pass|break|continue|del|global|nonlocal)\b|from[ \t]+\S+[ \t]+import\b)/y;

/**
 * A bracket that is never closed would swallow all that follows. Where a statement starts inside one, the brackets that
 * are still open are blanked, so that the parser sees the statement; everything keeps its place.
 */
export function blankOpenBrackets(text: string): string {
  const open: number[] = [];
  const blanked: number[] = [];
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '(':
      case '[':
      case '{':
        open.push(at);
        break;
      case ')':
      case ']':
      case '}':
        open.pop();
        break;
      case '#':
        at = endOfLine(text, at) - 1;
        break;
      case '"':
      case "'":
        at = endOfString(text, at);
        break;
      case '\n':
        STATEMENT.lastIndex = at + 1;
        if (open.length > 0 && STATEMENT.test(text)) blanked.push(...open.splice(0));
        break;
      default:
    }
  }
  if (blanked.length === 0) return text;
  let repaired = '';
  let from = 0;
  for (const at of blanked) {
    repaired += `${text.slice(from, at)} `;
    from = at + 1;
  }
  return repaired + text.slice(from);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

/** Where the last quote is; a string on one line ends with it at the latest. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const isLong = text.startsWith(quote.repeat(3), at);
  for (let next = at + (isLong ? 3 : 1); next < text.length; next++) {
    const char = text[next];
    if (char === '\\') next++;
    else if (isLong && text.startsWith(quote.repeat(3), next)) return next + 2;
    else if (!isLong && char === quote) return next;
    else if (!isLong && char === '\n') return next - 1;
  }
  return text.length;
}
