import type { ShellWord } from './command.ts';
import { wordsOf } from './braces.ts';
import { plainWord } from './state.ts';

/** Text cut into words as a shell does, with quotes but without expansions. */
export function wordsFromText(text: string): readonly ShellWord[] {
  return wordsOf(text.replaceAll('\n', ' ')).map((word) => plainWord(word.text, word.value));
}
