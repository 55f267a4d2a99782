import { record } from '../../engine/rule.ts';
import type { Event } from '../../engine/rule.ts';

/** Names that an agent looked for or was told, by agent, newest last. */
export const WANTED = record<readonly string[]>('autocontext.wanted');

const MAX_NAMES = 12;
/** What nobody wrote by hand names nothing. */
const MAX_CHARS = 2_000;
/** Written as only names are: with an underscore, a capital inside, or several. */
const NAME =
  /(?<![\p{ID_Continue}$-])(?=\p{L}*(?:_|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}))[\p{ID_Start}_$][\p{ID_Continue}$]{3,}/gu;
/** A pattern may be a name of one word. */
const WORD = /[\p{ID_Start}_$][\p{ID_Continue}$]{3,}/gu;

/** The names that an event tells of: of a search its pattern, of a prompt or command only what is written as names are. */
export function namesIn({ tool, prompt }: Event): readonly string[] {
  const pattern = tool?.kind === 'search' ? tool.input['pattern'] : undefined;
  if (typeof pattern === 'string') return found(pattern, WORD);
  return found(tool?.command ?? prompt?.text ?? '', NAME);
}

function found(text: string, names: RegExp): readonly string[] {
  return text.slice(0, MAX_CHARS).match(names) ?? [];
}

/** The newest names, each once. */
export function wantedAfter(before: readonly string[] | undefined, names: readonly string[]): readonly string[] {
  return [...new Set([...(before ?? []).filter((name) => !names.includes(name)), ...names])].slice(-MAX_NAMES);
}
