/**
 * The parts of a typed word that stand for themselves, with `*` between them; undefined for `<name>` and `*`, which stand
 * for any word.
 */
export function literalIn(word: string): readonly string[] | undefined {
  if (word === '*' || /^(?:<.*>|\[.*\]|\.\.\.|…)$/.test(word)) return undefined;
  return word.split('*');
}

/** Why commands that are typed so can never be told apart from others; undefined where they can. */
export function typedProblem(typed: string): string | undefined {
  const [program = '', ...rest] = typed.trim().split(/\s+/);
  if (program === '') return 'it is empty';
  if (/[;&|><`$"'\\()]/.test(typed.replaceAll(/<[^<>]*>/g, '')))
    return 'a command is a program and its words, without operators, quotes or variables';
  if (program === '*' && rest.every((word) => !/^-./.test(word))) return 'it fits every command';
  return /[*<>[\]]/.test(program) && program !== '*' ? 'the program has to be named' : undefined;
}

/** A word that the text of every such command has, for the index of words. */
export function wordOfTyped(typed: string): string | undefined {
  const [program = '', ...rest] = typed.trim().split(/\s+/);
  const operand = rest.find((word) => /^[\w:.-]{2,}$/.test(word) && !word.startsWith('-'));
  const long = rest.find((word) => /^--\w[\w-]*$/.test(word));
  return [operand, program === '*' ? long : program].find((word) => word !== undefined && word.length > 1);
}
