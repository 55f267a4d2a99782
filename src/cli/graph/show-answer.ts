import { nodeFiles } from '../../platform/files.ts';
import {
  ANSWER_SCHEMA,
  askForPicture,
  askRoot,
  graphPaths,
  holderOf,
  isFound,
  renderAnswer,
} from '../../graph/index.ts';
import type { Answered, Ask, GraphRoot, Wording } from '../../graph/index.ts';
import { quote } from '../../shell/quote.ts';
import { CommandError, JSON_OPTION, printJson } from '../command.ts';
import type { CliWorld, Input, Option } from '../command.ts';
import { paint } from '../table.ts';
import { graphRoot, ROOT_OPTION } from './graph-root.ts';
import { wholeNumber } from './whole-number.ts';
import { withFreshener } from './with-freshener.ts';

export const ANSWER_OPTIONS = {
  'max-chars': { type: 'string', value: 'N', help: 'the most characters of the text; 6000 by default' },
  ...ROOT_OPTION,
  ...JSON_OPTION,
} as const satisfies Record<string, Option>;

const MAX_CHARS = 6_000;
const LEAST_CHARS = 100;
const UNCLEAR = 1;
const DRAW_MS = 10_000;

/** Asks the graph of the root and prints what it says; the exit code says whether anything was found. */
export async function showAnswer(
  input: Input,
  world: CliWorld,
  ask: (maxChars: number, root: GraphRoot) => Ask,
  { draws, waitMs }: { readonly draws?: boolean; readonly waitMs?: number | undefined } = {},
): Promise<number> {
  const root = await graphRoot(input, world);
  const maxChars = maxCharsOf(input);
  const question = ask(maxChars, root);
  return await withFreshener(world, root.path, waitMs, async ({ indexing, freshener, settings }) => {
    const answered = await askRoot(question, root.path, nodeFiles, freshener);
    if (!answered) throw new CommandError(whyNone(root, world, freshener.isThere()));
    const { answer } = answered;
    const kept =
      answer.is === 'impact'
        ? await askForPicture(
            indexing,
            {
              do: 'draw',
              root: root.path,
              what: 'impact',
              symbol: answer.symbol.key,
              origin: 'explicit',
              isTextOnly: draws === false || settings.pictures === 'off',
            },
            waitMs ?? DRAW_MS,
          )
        : {};
    printAnswer({ ...answered, ...kept }, world, input.has('json') ? undefined : maxChars, root);
    return isFound(answer) ? 0 : UNCLEAR;
  });
}

export function maxCharsOf(input: Input): number {
  return wholeNumber(input, 'max-chars', LEAST_CHARS) ?? MAX_CHARS;
}

/** Why there is no graph to ask, and what makes one. */
export function whyNone(root: GraphRoot, { paths }: CliWorld, isThere: boolean): string {
  const holder = holderOf(nodeFiles, graphPaths(paths.state, root.path));
  if (holder)
    return `the code graph of ${root.path} is being made by process ${holder.pid}; \`${commandFor(root, 'status', '', {})}\` tells when it is there`;
  const how = `\`${commandFor(root, 'index', '', {})}\``;
  return isThere
    ? `the code graph of ${root.path} cannot be used and was not made anew in time; ${how} does it`
    : `${root.path} has no code graph; ${how} makes one`;
}

export function printAnswer(answered: Answered, world: CliWorld, maxChars: number | undefined, root: GraphRoot): void {
  const { answer, ...about } = answered;
  if (maxChars === undefined) return printJson(world, { schema: ANSWER_SCHEMA, ...about, ...answer });
  const wording: Wording = { how: (action, subject, options) => `\`${commandFor(root, action, subject, options)}\`` };
  const lines = renderAnswer(answered, maxChars, wording).split('\n');
  const last = lines.length - 1;
  world.out(
    lines
      .map((line, at) => `${paint(world, at === 0 && last > 0 ? 'bold' : at === last ? 'dim' : undefined, line)}\n`)
      .join(''),
  );
}

/** A command to paste that asks for more. */
export function commandFor(
  { path, reason }: Pick<GraphRoot, 'path' | 'reason'>,
  verb: string,
  subject: string,
  options: Readonly<Record<string, string | number | boolean>>,
): string {
  const isLikeOption = subject.startsWith('-');
  const words = ['fairlead', 'graph', verb, ...(subject === '' || isLikeOption ? [] : [quote(subject)])];
  for (const [name, value] of Object.entries(options))
    words.push(`--${name}`, ...(value === true ? [] : [quote(String(value))]));
  if (reason === 'explicit') words.push('--root', quote(path));
  if (isLikeOption) words.push('--', quote(subject));
  return words.join(' ');
}
