/** Joins texts with a blank line and keeps the result within `cap`. Half a character, as a payload may hold, is replaced. */
export function joinWithin(texts: readonly string[], cap: number): string {
  const joined = texts.filter((text) => text.trim() !== '').join('\n\n');
  return cutAtLine(joined.toWellFormed(), cap);
}

/** The text up to the last whole line that fits; a single long line is cut between characters. */
export function cutAtLine(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const lines = text.slice(0, Math.max(0, text.lastIndexOf('\n', cap))).trimEnd();
  if (lines !== '') return lines;
  const last = text.charCodeAt(cap - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? cap - 1 : cap);
}
