/** A word as a shell has to be given it. Also `#` and `~` are quoted: some shells take them for patterns within a word. */
export function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
