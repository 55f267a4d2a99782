/** The lines between the marks at the beginning of a file, and what follows them. */
export interface FrontMatter {
  readonly lines: readonly string[];
  readonly rest: string;
}

export function splitFrontMatter(text: string): FrontMatter | undefined {
  const found = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!found) return undefined;
  return { lines: (found[1] ?? '').split(/\r?\n/).filter((line) => line !== ''), rest: text.slice(found[0].length) };
}

/** The value of a key on one line, without quotes. */
export function frontMatterValue(lines: readonly string[], key: string): string | undefined {
  const line = lines.find((each) => each.startsWith(`${key}:`));
  return line
    ?.slice(key.length + 1)
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
}

/** The lines of all other keys, with what continues them. */
export function otherLines(lines: readonly string[], keys: readonly string[]): readonly string[] {
  let isOther = false;
  return lines.filter((line) => {
    const key = /^([^\s:#-][^:]*):/.exec(line)?.[1];
    if (key !== undefined) isOther = !keys.includes(key);
    return isOther;
  });
}

export function withValue(text: string, key: string, value: string): string | undefined {
  const parts = splitFrontMatter(text);
  if (!parts) return undefined;
  const at = parts.lines.findIndex((line) => line.startsWith(`${key}:`));
  const lines = at < 0 ? [...parts.lines, `${key}: ${value}`] : parts.lines.with(at, `${key}: ${value}`);
  return `---\n${lines.join('\n')}\n---\n${parts.rest}`;
}

/** Plain where that is safe. */
export function yamlText(text: string): string {
  return /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|yes|no|on|off|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
