/** At most so many characters, the last of them a mark that there was more; none is cut in half. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A command as it is quoted in backticks: one line, and none of its own would end the quotation. */
export function shortenCommand(text: string, most: number): string {
  return shorten(text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim(), most);
}

/** At most so many characters, a mark in the middle where there was more: names differ at their ends. */
export function shortenMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = most - 1;
  const head = text.slice(0, Math.ceil(kept / 2)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(kept / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${head}…${tail}`;
}
