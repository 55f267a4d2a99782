import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import { readOrigin } from './parse.ts';

/**
 * What the client itself writes as the person's: commands it carries out alone, with their output, and the note that a
 * call was interrupted. A command that becomes a prompt starts with its message instead.
 */
export const NOT_TYPED =
  /^\s*(?:<command-name>|<local-command-|<bash-(?:input|stdout|stderr)>|\[Request interrupted by user)/;

/** Inside a text quotes are escaped, so these stand for the line's own structure and never for what it quotes. */
const OF_USER = /"type":\s*"user"/g;
export const HAS_RESULT = /"type":\s*"tool_result"/;

/** How many prompts the lines of a transcript hold. Lines that are cut or damaged hold none; most are never parsed. */
export function promptsIn(text: string): number {
  let prompts = 0;
  for (OF_USER.lastIndex = 0; OF_USER.test(text);) {
    const start = text.lastIndexOf('\n', OF_USER.lastIndex) + 1;
    const end = text.indexOf('\n', OF_USER.lastIndex);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (!HAS_RESULT.test(line) && isPrompt(line)) prompts += 1;
    OF_USER.lastIndex = start + line.length;
  }
  return prompts;
}

function isPrompt(text: string): boolean {
  const line = parseLine(text);
  return line !== undefined && typedText(line) !== undefined;
}

/** The prompt that a line holds, if a person wrote it. */
export function typedText(line: Fields): string | undefined {
  if (line['type'] !== 'user' || MARKS.some((mark) => line[mark] === true)) return undefined;
  const said = blockText(isFields(line['message']) ? line['message']['content'] : undefined);
  if (said === undefined || said === '' || NOT_TYPED.test(said)) return undefined;
  return readOrigin(said, textAt(line, 'promptSource')) === 'human' ? said : undefined;
}

/** Lines of a person's role that no person wrote. */
const MARKS = ['isMeta', 'isSidechain', 'isCompactSummary'];

export function parseLine(line: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
