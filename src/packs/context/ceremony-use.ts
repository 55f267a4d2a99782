import type { Event } from '../../engine/rule.ts';
import type { ReadingPlace } from '../../shell/command.ts';
import { readShell } from '../../shell/read.ts';

/** How sessions begin and end, as it is typed: here, and in the program this pack takes after. */
export const CEREMONIES = {
  lookback: 3,
  start: ['ctx-remember', 'fairlead context remember'] as readonly unknown[],
  end: ['ctx-wrap-up', 'fairlead context wrap-up'] as readonly unknown[],
};

/**
 * Whether a prompt or a shell command runs one of these ceremonies, which are written as they are typed: a command of the
 * agent, or a program with its first arguments. One that is merely mentioned is not run.
 */
export function runsOne(
  { prompt, tool }: Pick<Event, 'prompt' | 'tool'>,
  ceremonies: readonly string[],
  place: ReadingPlace,
): boolean {
  const typed = prompt ? [typedIn(prompt.text)] : commandsIn(tool?.command ?? '', place);
  return ceremonies.map(typedIn).some(({ words: wanted }) =>
    typed.some(({ words, isCommand }) => {
      if (wanted.length === 0 || (!isCommand && words.length > wanted.length)) return false;
      return wanted.every((word, at) => words[at] === word);
    }),
  );
}

interface Typed {
  readonly words: readonly string[];
  /** What follows are arguments, not prose. */
  readonly isCommand: boolean;
}

/** A command of the agent may name who brought it: `/plugin:command`. */
function typedIn(text: string): Typed {
  const [, mark = '', owner = '', rest = ''] = /^\s*([/!]?)((?:[\w-]+:)?)(.*)$/s.exec(text) ?? [];
  const line = mark === '/' ? rest : owner + rest;
  return { words: line.toLowerCase().split(/\s+/).filter(Boolean), isCommand: mark !== '' };
}

function commandsIn(text: string, place: ReadingPlace): readonly Typed[] {
  return readShell(text, place).commands.map(({ program, words }) => ({
    words: [program, ...words.slice(1).map(({ value }) => value.toLowerCase())],
    isCommand: true,
  }));
}
