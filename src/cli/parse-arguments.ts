import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';
import type { Command, Input } from './command.ts';

/** Reads a verb's arguments; whatever it does not declare is an error, so that a typo never passes for an answer. */
export function parseArguments(command: Command, argv: readonly string[]): Input {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    const options = Object.fromEntries(
      Object.entries(command.options ?? {}).map(([name, { type, short, multiple }]) => [
        name,
        { type, ...(short === undefined ? {} : { short }), ...(multiple === undefined ? {} : { multiple }) },
      ]),
    );
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(firstSentence(error));
  }
  const { values, positionals } = parsed;
  const [least, most] = command.args ?? [0, 0];
  if (positionals.length < least) throw new UsageError(`expected ${command.usage ?? 'an argument'}`);
  if (positionals.length > most) throw new UsageError(`unexpected argument: ${positionals[most]}`);
  return {
    args: positionals,
    text: (name) => (typeof values[name] === 'string' ? values[name] : undefined),
    list: (name) => (Array.isArray(values[name]) ? (values[name] as string[]) : []),
    has: (name) => values[name] === true,
  };
}

function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('. ', 1)[0] ?? message).replace(/^(.)/, (letter) => letter.toLowerCase());
}
