import type { ToolCall } from '../../event/event.ts';
import { quote } from '../../shell/quote.ts';

/** Cells of these kinds are text. */
const PROSE = /^(?:markdown|raw|text)$/i;

/** What the cells of a notebook run, as a shell would be told to. */
export function cellTextOf({ kind, edits }: ToolCall): string | undefined {
  if (kind !== 'edit') return undefined;
  const codes = edits.flatMap(({ cell, new: text }) =>
    cell && text !== undefined && text.trim() !== '' && !PROSE.test(cell.kind ?? '') ? [pythonLine(text)] : [],
  );
  return codes.length === 0 ? undefined : codes.join('\n');
}

const LANGUAGE = /^\s*%%(?:script\s+)?([\w./-]+)[^\n]*\n([^]*)$/;
const SHELLS = /^(?:bash|sh|zsh|system|sx|!)$/;
const OTHERS: Readonly<Record<string, string>> = {
  perl: 'perl -e',
  ruby: 'ruby -e',
  javascript: 'node -e',
  js: 'node -e',
  R: 'Rscript -e',
};
/** `!command`, `x = !command`, `%sx command`, `%cd place`. */
const LINE =
  /^[ \t]*(?:[A-Za-z_]\w*[ \t]*=[ \t]*)?(?:!!?|%(?:sx|system)[ \t]+|%(?=(?:cd|rm|mv|cp|rmdir)\b))([^\n]*)$/gm;

/** A text of IPython: code of Python with lines, or a whole cell, for a shell. */
export function pythonLine(text: string): string {
  const [, language, rest] = LANGUAGE.exec(text) ?? [];
  if (language !== undefined && rest !== undefined) {
    if (SHELLS.test(language)) return rest;
    const run = Object.hasOwn(OTHERS, language) ? OTHERS[language] : undefined;
    if (run !== undefined) return `${run} ${quote(rest)}`;
  }
  const commands: string[] = [];
  const code = text.replace(LINE, (_, command: string) => {
    commands.push(command);
    return '';
  });
  return [...commands, `python3 -c ${quote(code)}`].join('\n');
}
