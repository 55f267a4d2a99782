/** A word as every shell takes it. */
export function quoteWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const WORD = /(?:'[^']*'|\\.|[^\s'"\\|&;<>()$`])+/y;

/** The words of a line that holds nothing but words, as `quoteWord` writes them; undefined for any other. */
export function wordsOfLine(line: string): readonly string[] | undefined {
  const words: string[] = [];
  const text = line.trim();
  for (let at = 0; at < text.length;) {
    WORD.lastIndex = at;
    const found = WORD.exec(text)?.[0];
    if (found === undefined) return undefined;
    words.push(found.replaceAll(/'([^']*)'|\\(.)/g, (_, inside?: string, escaped?: string) => inside ?? escaped ?? ''));
    at += found.length;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
  return words;
}
