import { parseArgs } from 'node:util';
import { VERSION } from '../platform/build.ts';
import { UsageError } from './command.ts';
import type { CliWorld, Command, Input } from './command.ts';
import { meantVerb } from './meant-verb.ts';
import { VERBS } from './verbs.generated.ts';
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

/** It knows which rules are in force, and so how all settings are read. */
const help = () => import('./help.ts');

/** A verb that was called, with what it was given. */
export interface Called {
  readonly verb: string;
  readonly command: Command;
  readonly input: Input;
  readonly args: readonly string[];
}

const HELP: readonly string[] = ['--help', '-h', 'help'];
const VERSION_WORDS: readonly string[] = ['--version', '-v', '-V', 'version'];

/** Runs what a command line asks for; `permit` throws where it is for a person alone and none is there. Returns the exit code. */
export async function dispatch(
  argv: readonly string[],
  world: CliWorld,
  permit: (called: Called) => void,
): Promise<number> {
  const [first = '--help', ...others] = argv;
  if (VERSION_WORDS.includes(first)) return say(world, `${VERSION}\n`);
  if (HELP.includes(first)) return say(world, await helpAbout(others, world));
  const { verb, rest } = verbIn(argv);
  if (verb === undefined) return say(world, (await help()).helpForGroup(first, world));
  const entry = VERBS[verb];
  if (!entry) throw new UsageError(`no verb "${verb}"${meantVerb(argv)}`);
  const own = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  const command = await entry.load();
  if (own.includes('--help') || own.includes('-h')) return say(world, (await help()).helpFor(verb, command, world));
  const input = parseArguments(command, rest);
  // A mistake is said as one, also to those who may not use the verb.
  await command.check?.(input, world);
  permit({ verb, command, input, args: rest });
  if (entry.now !== undefined) world.err(`"fairlead ${verb}" goes with the next version; use: fairlead ${entry.now}\n`);
  return (await command.run(input, world)) ?? 0;
}

/** The verb of a command line and what follows it; no verb where a group is named alone. */
function verbIn(argv: readonly string[]): { readonly verb?: string; readonly rest: readonly string[] } {
  const [first = '', second] = argv;
  if (!isGroup(first) || (first in VERBS && !(`${first} ${second}` in VERBS)))
    return { verb: first, rest: argv.slice(1) };
  if (second === undefined || HELP.includes(second)) return { rest: [] };
  return { verb: `${first} ${second}`, rest: argv.slice(2) };
}

/** The next step after a mistake: the help of the verb that was meant, where that is known. */
export function whereHelpIs(argv: readonly string[]): string {
  const { verb = '' } = verbIn(argv);
  return verb in VERBS
    ? `\`fairlead help ${verb}\` explains it.\n`
    : '`fairlead help` lists the verbs; `fairlead help VERB` explains one.\n';
}

function isGroup(word: string): boolean {
  return Object.keys(VERBS).some((verb) => verb.startsWith(`${word} `));
}

/** `help`, `help all`, `help rules`, `help rules new`. */
async function helpAbout(words: readonly string[], world: CliWorld): Promise<string> {
  const { helpFirst, helpFor, helpForAll, helpForGroup } = await help();
  if (words.length === 0) return helpFirst(VERSION, world);
  if (words.length === 1 && words[0] === 'all') return helpForAll(VERSION, world);
  const { verb } = verbIn(words);
  if (verb === undefined) return helpForGroup(words[0] as string, world);
  const entry = VERBS[verb];
  if (!entry) throw new UsageError(`no verb "${verb}"${meantVerb(words)}`);
  return helpFor(verb, await entry.load(), world);
}

function say(world: CliWorld, text: string): number {
  world.out(text);
  return 0;
}
