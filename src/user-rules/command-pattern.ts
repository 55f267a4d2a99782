/** What may stand before a command: the start, an operator, `bash -c "`, and words that only run what follows. */
const BEFORE = String.raw`(?:^|[;&|({\n\x60]|\s-c\s+["'])\s*(?:(?:sudo|env|time|nice|nohup|exec|command|then|do|else|!|\w+=\S*)\s+)*`;
const AFTER = String.raw`(?:$|[\s;&|)}"'\x60])`;
/** A wildcard stays within its command. */
const ANYTHING = String.raw`[^;&|\n]*`;

/**
 * A pattern for commands that are written as a person would type them, with `*` for anything: `npm run deploy*`. It finds
 * the command where it is run, not where its words are only named, as in a commit message.
 */
export function commandPattern(typed: string): string {
  const words = typed.trim();
  const body = words
    .split(/(\s+|\*+|\?)/)
    .map((part) => {
      if (/^\s+$/.test(part)) return String.raw`\s+`;
      if (part.startsWith('*')) return ANYTHING;
      return part === '?' ? '.' : part.replaceAll(/[\\^$.*+?()[\]{}|/#-]/g, (sign) => ESCAPED[sign] ?? `\\${sign}`);
    })
    .join('');
  return BEFORE + body + (words.endsWith('*') ? '' : AFTER);
}

/** These need no escape outside a set, and a rule file is easier to read without. */
const ESCAPED: Readonly<Record<string, string>> = { '/': '/', '-': '-', '#': '#' };

/** The longest word that every such command has; the index of words finds it before the pattern is looked at. */
export function wordOfCommand(typed: string): string | undefined {
  const [longest] = (typed.match(/[A-Za-z0-9_-]{2,}/g) ?? []).toSorted((a, b) => b.length - a.length);
  return longest;
}
