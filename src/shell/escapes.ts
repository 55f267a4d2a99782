import { runAll } from './run-code.ts';
import type { Draft, Shell } from './state.ts';
import { knownText, plainWord } from './state.ts';

/** How a line of a program's own language starts a command of the shell. */
const ESCAPES: ReadonlyMap<string, RegExp> = new Map([
  ['sqlite3', /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm],
  ['sqlite', /^[ \t]*\.(?:shell|system)[ \t]+(.+)$/gm],
  ['psql', /\\![ \t]*(.+)$/gm],
  ['mysql', /^[ \t]*(?:system[ \t]+|\\!\s*)(.+)$/gm],
  ['mariadb', /^[ \t]*(?:system[ \t]+|\\!\s*)(.+)$/gm],
  ['gdb', /^[ \t]*(?:shell[ \t]+|!)(.+)$/gm],
  ['less', /^\+!(.+)$/gm],
  ['ftp', /^[ \t]*!(.+)$/gm],
]);

export const ESCAPING: readonly string[] = [...ESCAPES.keys()];

/** What a client hands to the shell out of its own language. */
export function launchEscapes(draft: Draft, shell: Shell): string | undefined {
  const escape = ESCAPES.get(draft.program);
  const texts = [...draft.words.slice(1).map((word) => word.value), knownText(draft.input) ?? ''];
  if (!escape) return undefined;
  const codes = texts.flatMap((text) => [...text.matchAll(escape)].map((found) => plainWord(found[1] as string)));
  return runAll(codes, draft.program, draft, shell);
}
