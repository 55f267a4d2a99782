import { MOST_DEPTH, SYMBOL_KINDS } from '../../graph/index.ts';
import type { Ask, GraphRoot } from '../../graph/index.ts';
import { nodeFiles } from '../../platform/files.ts';
import { contains, relative, resolve, sep } from '../../platform/paths.ts';
import { UsageError } from '../command.ts';
import type { CliWorld, Command, Input, Option, VerbFile } from '../command.ts';
import { ANSWER_OPTIONS, showAnswer } from '../graph/show-answer.ts';
import { wholeNumber } from '../graph/whole-number.ts';
import { hint } from '../hint.ts';

const NAMING = `SYMBOL is a key as answers show it (src/store.ts#Store.save), a place (src/store.ts:12), a qualified name
(Store.save) or a name; failing that, in any case, or the end of one. A path means the whole file. Where several fit
equally well they are listed, and the exit code is 1, as it is when there is none.`;

const MARKS = `A call counts from a confidence of 0.75 on; ~ marks what is below 0.9. What could mean several symbols is
"possible" and never counted; what led nowhere is counted as unresolved. Files that changed are read again first.`;

const NAMING_OPTIONS = {
  file: { type: 'string', value: 'PATH', help: 'only a symbol of this file or directory' },
  pick: { type: 'string', value: 'best', help: 'of several symbols, take the best and name the others' },
} as const satisfies Record<string, Option>;

const limitOption = (usual: number, what: string): Option => ({
  type: 'string',
  value: 'N',
  help: `at most so many ${what}; ${usual} by default`,
});

export const search: Command = {
  summary: 'symbols by name, or by words in it',
  usage: '<words>',
  args: [1, 50],
  details: `Whole names come first, then beginnings, then words of a name (camel or snake case), then any part of it; within these,
what has more callers. Several words describe one name, unless they are names themselves. Exit code 1 when
nothing is found.`,
  options: {
    kind: { type: 'string', value: 'KIND', multiple: true, help: `only of this kind: ${SYMBOL_KINDS.join(', ')}` },
    limit: limitOption(10, 'symbols'),
    ...ANSWER_OPTIONS,
  },
  run: (input, world) =>
    showAnswer(input, world, () => ({
      action: 'search',
      query: input.args.join(' '),
      kinds: kindsOf(input),
      limit: wholeNumber(input, 'limit', 1),
    })),
};

export const callers = callsCommand('callers', 'who calls a symbol, with every place');
export const callees = callsCommand('callees', 'what a symbol calls, with every place');

function callsCommand(action: 'callers' | 'callees', summary: string): Command {
  return {
    summary,
    usage: '<symbol>',
    args: [1, 1],
    details: `${NAMING}\n\n${MARKS}\nOf a class or a file, the calls of all that is in it are taken together.`,
    options: {
      ...NAMING_OPTIONS,
      limit: limitOption(20, action),
      possible: { type: 'boolean', help: 'list the possible ones too, apart' },
      ...ANSWER_OPTIONS,
    },
    run: (input, world) =>
      showAnswer(input, world, (_maxChars, root) => ({
        action,
        ...namingOf(input, world, root),
        limit: wholeNumber(input, 'limit', 1),
        possible: input.has('possible'),
      })),
  };
}

export const impact: Command = {
  summary: 'what a change to a symbol may touch',
  usage: '<symbol>',
  args: [1, 1],
  details: `Callers, their callers and so on, by distance; the tests and files among them; and what the symbol itself calls.
The answer is kept as evidence on the canvas of the project, with a picture.

${NAMING}\n\n${MARKS}`,
  options: {
    ...NAMING_OPTIONS,
    depth: { type: 'string', value: 'N', help: `how many calls away, 1 to ${MOST_DEPTH}; 2 by default` },
    'max-nodes': limitOption(20, 'callers, over all distances'),
    'no-draw': { type: 'boolean', help: 'keep it as evidence without a picture' },
    wait: {
      type: 'string',
      value: 'S',
      help: 'wait so many seconds for files to be read and for the picture; 10 by default',
    },
    ...ANSWER_OPTIONS,
  },
  run(input, world) {
    const seconds = wholeNumber(input, 'wait', 0, 60);
    return showAnswer(
      input,
      world,
      (_maxChars, root) => ({
        action: 'impact',
        ...namingOf(input, world, root),
        depth: wholeNumber(input, 'depth', 1, MOST_DEPTH),
        maxNodes: wholeNumber(input, 'max-nodes', 1),
      }),
      { draws: !input.has('no-draw'), waitMs: seconds === undefined ? undefined : 1_000 * seconds },
    );
  },
};

export const context: Command = {
  summary: 'the code of symbols, with who calls them and what they call',
  usage: '[words]',
  args: [0, 50],
  details: `For words, the symbols that a search for them finds; with --symbols, those that are named. Each is shown whole or not
at all: what does not fit is named at the end. Exit code 1 when nothing is found.`,
  options: {
    symbols: { type: 'string', value: 'A,B', multiple: true, help: 'these symbols instead of words' },
    ...ANSWER_OPTIONS,
  },
  run(input, world) {
    const symbols = input.list('symbols').flatMap(separate);
    const query = input.args.join(' ');
    if ((query === '') === (symbols.length === 0)) throw new UsageError('give words, or --symbols');
    return showAnswer(input, world, (maxChars) => ({ action: 'context', query, symbols, maxChars }));
  },
};

export const files: Command = {
  summary: 'the indexed files, with how many symbols each has',
  usage: '[path]',
  args: [0, 1],
  details: 'Exit code 1 when there is none.',
  options: {
    pattern: { type: 'string', value: 'GLOB', help: 'only files that match, such as *.test.ts or src/**/index.ts' },
    language: { type: 'string', value: 'NAME', help: 'only files in this language' },
    format: { type: 'string', value: 'tree|flat', help: 'as a tree (by default), or one path per line' },
    'max-depth': {
      type: 'string',
      value: 'N',
      help: 'directories deeper than that are counted, not opened; by default as deep as --limit allows',
    },
    limit: limitOption(200, 'lines'),
    ...ANSWER_OPTIONS,
  },
  run(input, world) {
    const format = input.text('format');
    if (format !== undefined && format !== 'tree' && format !== 'flat')
      throw new UsageError(`--format is tree or flat, not "${format}"`);
    return showAnswer(input, world, (_maxChars, root) => ({
      action: 'files',
      path: placeBelow(input.args[0], world, root),
      pattern: input.text('pattern'),
      language: input.text('language') || undefined,
      format,
      maxDepth: wholeNumber(input, 'max-depth', 1),
      limit: wholeNumber(input, 'limit', 1),
    }));
  },
};

function namingOf(
  input: Input,
  world: CliWorld,
  root: GraphRoot,
): { symbol: string; file: string | undefined; pickBest: boolean } {
  const pick = input.text('pick');
  if (pick !== undefined && pick !== 'best') throw new UsageError(`--pick knows best alone, not "${pick}"`);
  const [symbol = ''] = input.args;
  return { symbol, file: placeBelow(input.text('file'), world, root), pickBest: pick === 'best' };
}

/** A path from where the person is, as one below the root; what is not there is left as it was given. */
function placeBelow(given: string | undefined, world: CliWorld, { path: root }: GraphRoot): string | undefined {
  if (given === undefined) return undefined;
  const path = nodeFiles.realpath(resolve(world.cwd, given));
  return path !== undefined && contains(root, path) ? relative(root, path).split(sep).join('/') : given;
}

type Kind = NonNullable<Extract<Ask, { action: 'search' }>['kinds']>[number];

function kindsOf(input: Input): Kind[] | undefined {
  const words = input.list('kind').flatMap(separate);
  const kinds = words.map((word) => {
    const kind = SYMBOL_KINDS.find((each) => each === word);
    if (!kind)
      throw new UsageError(
        `no kind of symbol is called "${word}"${hint(word, SYMBOL_KINDS) || `; there is ${SYMBOL_KINDS.join(', ')}`}`,
      );
    return kind;
  });
  return kinds.length === 0 ? undefined : kinds;
}

function separate(list: string): string[] {
  return list.split(',').filter((word) => word !== '');
}

export default {
  order: 310,
  verbs: {
    'graph search': search,
    'graph callers': callers,
    'graph callees': callees,
    'graph impact': impact,
    'graph context': context,
    'graph files': files,
  },
} satisfies VerbFile;
