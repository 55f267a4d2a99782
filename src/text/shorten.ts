/** At most so many characters, the last of them a mark that there was more; none is cut in half. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** A command as it is quoted in backticks: one line, and none of its own would end the quotation. */
export function shortenCommand(text: string, most: number): string {
  return shorten(text.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim(), most);
}
