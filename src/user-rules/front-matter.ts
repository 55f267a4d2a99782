import { isAlias, isMap, LineCounter, parseDocument, visit } from 'yaml';
import type { YAMLMap } from 'yaml';
import type { Report } from './problem.ts';

export interface FrontMatter {
  readonly fields: YAMLMap;
  lineOf(node: unknown): number;
  readonly body: string;
  /** The line of the file that `body` starts on. */
  readonly bodyLine: number;
}

const MAX_CHARACTERS = 64 * 1024;

export function readFrontMatter(text: string, report: Report): FrontMatter | undefined {
  if (text.length > MAX_CHARACTERS) {
    report(1, '', 'the file is larger than 64 KiB; a rule is one short message and its filters');
    return undefined;
  }
  const lines = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n');
  if (lines[0]?.trimEnd() !== '---') {
    report(1, '', 'the file has no front matter; its first line must be `---`');
    return undefined;
  }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---');
  if (end < 0) {
    report(1, '', 'the front matter is never closed; put `---` on a line of its own below the fields');
    return undefined;
  }
  const read = readFields(lines.slice(1, end).map(quotePattern).join('\n'), report);
  return read && { ...read, body: lines.slice(end + 1).join('\n'), bodyLine: end + 2 };
}

function readFields(source: string, report: Report): Pick<FrontMatter, 'fields' | 'lineOf'> | undefined {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + 1;
  const lineOf = (node: unknown) => lineAt((node as { range?: [number] | null } | undefined)?.range?.[0] ?? 0);
  try {
    const document = parseDocument(source, { lineCounter, prettyErrors: false, logLevel: 'silent', stringKeys: true });
    for (const error of document.errors)
      report(lineAt(error.pos[0]), '', `the front matter is not valid YAML: ${error.message}`);
    if (document.errors.length > 0) return undefined;
    let alias: unknown;
    visit(document, (_, node) => {
      if (!isAlias(node)) return undefined;
      alias = node;
      return visit.BREAK;
    });
    if (alias !== undefined) {
      report(lineOf(alias), '', 'YAML aliases (`*name`) are not supported; write the value out, or quote it');
      return undefined;
    }
    if (isMap(document.contents)) return { fields: document.contents, lineOf };
    report(2, '', 'the front matter has no fields; it needs at least `event`');
  } catch {
    report(2, '', 'the front matter is nested too deeply to be read');
  }
  return undefined;
}

/**
 * Patterns are full of characters that YAML gives a meaning to, and people write them unquoted. In a pattern on one line
 * a backslash is a backslash and `[`, `*` or `: ` are text.
 */
function quotePattern(line: string): string {
  const short = /^(\s*-\s+)(field:[^,{]+,.*)$/.exec(line);
  if (short) return `${short[1]}{ ${quoteShortCondition(short[2] as string)} }`;
  const match = /^(\s*(?:-\s+)?pattern:\s+)(\S.*?)\s*$/.exec(line);
  if (!match) return line;
  const [, key = '', value = ''] = match;
  const quoted = /^"(.*)"$/.exec(value);
  if (quoted)
    return /(?<!\\)(?:\\\\)*\\[^\\"/]/.test(quoted[1] as string)
      ? key + quote((quoted[1] as string).replaceAll('\\"', '"'))
      : line;
  if (/^[|>][+-]?\d?$/.test(value) || /^'.*'$/.test(value) || /^(["']).*\1\s+#/.test(value)) return line;
  return /^[[\]{}*&!%@`|>?,"'-]|: |:$/.test(value) ? key + quote(value) : line;
}

/** `field: command, operator: contains, pattern: x` on one line. */
function quoteShortCondition(text: string): string {
  return text
    .split(/,\s*(?=(?:field|operator|pattern):)/)
    .map((part) => {
      const colon = part.indexOf(':');
      return `${part.slice(0, colon)}: ${quote(
        part
          .slice(colon + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, '$2'),
      )}`;
    })
    .join(', ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
