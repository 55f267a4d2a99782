import type { Fields } from './fields.ts';
import { blockText, isFields, textAt } from './fields.ts';
import { readOrigin } from './parse.ts';

/**
 * What the client itself writes as the person's: commands it carries out alone, with their output, and the note that a
 * call was interrupted. A command that becomes a prompt starts with its message instead.
 */
const NOT_TYPED = /^\s*(?:<command-name>|<local-command-|\[Request interrupted by user)/;

/** How many prompts the lines of a transcript hold. Lines that are cut or damaged hold none. */
export function promptsIn(text: string): number {
  let prompts = 0;
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end);
    if (line.includes('"user"') && isPrompt(line)) prompts += 1;
    from += line.length + 1;
  }
  return prompts;
}

function isPrompt(text: string): boolean {
  const line = parsed(text);
  if (line?.['type'] !== 'user' || MARKS.some((mark) => line[mark] === true)) return false;
  const content = isFields(line['message']) ? line['message']['content'] : undefined;
  if (Array.isArray(content) && content.some((block) => isFields(block) && block['type'] === 'tool_result'))
    return false;
  const said = blockText(content);
  if (said === undefined || said === '' || NOT_TYPED.test(said)) return false;
  return readOrigin(said, textAt(line, 'promptSource')) === 'human';
}

/** Lines of a person's role that no person wrote. */
const MARKS = ['isMeta', 'isSidechain', 'isCompactSummary'];

function parsed(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
