import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';
import type { Command, Input } from './command.ts';
import { hint } from './hint.ts';

type Token = { readonly kind: 'option' | 'positional' | 'option-terminator' };

/** Reads a verb's arguments; whatever it does not declare is an error, so that a typo never passes for an answer. */
export function parseArguments(command: Command, argv: readonly string[]): Input {
  let parsed: { values: Record<string, unknown>; positionals: string[]; tokens: Token[] };
  try {
    const options = Object.fromEntries(
      Object.entries(command.options ?? {}).map(([name, { type, short, multiple }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    );
    parsed = parseArgs({
      args: withBareValues(command, argv),
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    });
  } catch (error) {
    throw new UsageError(`${firstSentence(error)}${meantOption(error, command)}`);
  }
  const { values, positionals, tokens } = parsed;
  const end = tokens.findIndex(({ kind }) => kind === 'option-terminator');
  const [least, most] = command.args ?? [0, 0];
  if (positionals.length < least) throw new UsageError(`expected ${command.usage ?? 'an argument'}`);
  if (positionals.length > most) throw new UsageError(`unexpected argument: ${positionals[most]}`);
  return {
    args: positionals,
    ...(end < 0 ? {} : { rest: positionals.slice(tokens.slice(0, end).filter(isPositional).length) }),
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    list: (name) => (Array.isArray(values[name]) ? (values[name] as string[]) : []),
    has: (name) => values[name] === true,
  };
}

/** An option that may stand alone gets the value it has then. */
function withBareValues({ options = {} }: Command, argv: readonly string[]): string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, at) => {
    const bare = at < end && word.startsWith('--') ? options[word.slice(2)]?.bare : undefined;
    const next = argv[at + 1];
    return bare !== undefined && (at + 1 >= end || next?.startsWith('-') === true) ? `${word}=${bare}` : word;
  });
}

function isPositional({ kind }: Token): boolean {
  return kind === 'positional';
}

function meantOption(error: unknown, { options = {} }: Command): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const typed = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? /'(--[^']+)'/.exec(message)?.[1] : undefined;
  if (typed === undefined) return '';
  return hint(
    typed,
    Object.keys(options).map((name) => `--${name}`),
  );
}

function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('. ', 1)[0] ?? message).replace(/^(.)/, (letter) => letter.toLowerCase());
}
