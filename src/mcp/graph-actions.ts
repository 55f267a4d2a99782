import { KNOWN_LANGUAGES, renderAnswer, SYMBOL_KINDS } from '../graph/index.ts';
import type { Ask } from '../graph/index.ts';
import { nearestWord } from '../user-rules/nearest-word.ts';
import { ask } from './ask.ts';
import type { Action, Call } from './call.ts';
import { drawPicture } from './draw.ts';
import { indexRoot } from './index-root.ts';
import { impact } from './impact.ts';
import { namingOf, pathBelow } from './naming.ts';
import { Refusal } from './refusal.ts';
import { graphStatus } from './graph-status.ts';
import { wordingFor } from './wording.ts';

export const GRAPH_ACTIONS: Readonly<Record<string, Action>> = {
  search: (call) => answer(call, searchOf(call)),
  callers: (call) => answer(call, callsOf(call, 'callers')),
  callees: (call) => answer(call, callsOf(call, 'callees')),
  impact,
  context: (call) => answer(call, contextOf(call)),
  files: (call) => answer(call, filesOf(call)),
  draw: drawPicture,
  index: indexRoot,
  status: graphStatus,
};

async function answer(call: Call, question: Ask): Promise<string> {
  return renderAnswer(await ask(call, question), call.maxChars, wordingFor('graph', call.root));
}

function searchOf({ given }: Call): Ask {
  const query = given.text('query') ?? '';
  if (query.trim() === '') throw new Refusal('search wants the argument query: words of a name');
  return { action: 'search', query, kinds: kindsOf(given.texts('kind')), limit: given.number('limit') };
}

function callsOf(call: Call, action: 'callers' | 'callees'): Ask {
  const { given } = call;
  return { action, ...namingOf(call), limit: given.number('limit'), possible: given.boolean('possible') };
}

function contextOf({ given, maxChars }: Call): Ask {
  const symbol = given.text('symbol');
  const symbols = given.texts('symbols') ?? (symbol === undefined ? [] : [symbol]);
  const query = given.text('query') ?? '';
  if (query.trim() === '' && symbols.length === 0)
    throw new Refusal('context wants the argument query (words) or symbols (names)');
  return { action: 'context', query, symbols, maxChars };
}

/** A query is a language where there is one of that name, a pattern where it has stars, else a path. */
function filesOf(call: Call): Ask {
  const { given } = call;
  const query = given.text('query')?.trim() ?? '';
  const isLanguage = KNOWN_LANGUAGES.has(query.toLowerCase());
  const isPattern = !isLanguage && /[*?[{]/.test(query);
  const isPath = !isLanguage && !isPattern && query !== '';
  const format = given.text('format');
  return {
    action: 'files',
    path: pathBelow(given.text('path') ?? (isPath ? query : undefined), call),
    pattern: given.text('pattern') ?? (isPattern ? query : undefined),
    language: given.text('language')?.toLowerCase() || (isLanguage ? query.toLowerCase() : undefined),
    format: format === 'flat' || format === 'tree' ? format : undefined,
    maxDepth: given.number('max_depth'),
    limit: given.number('limit'),
  };
}

type Kind = NonNullable<Extract<Ask, { action: 'search' }>['kinds']>[number];

function kindsOf(words: readonly string[] | undefined): Kind[] | undefined {
  const kinds = words?.map((word) => {
    const kind = SYMBOL_KINDS.find((each) => each === word.toLowerCase());
    if (kind !== undefined) return kind;
    const near = nearestWord(word, SYMBOL_KINDS);
    throw new Refusal(
      `no kind of symbol is called "${word}"${near === undefined ? '' : `, perhaps ${near}`}; there is ${SYMBOL_KINDS.join(', ')}`,
    );
  });
  return kinds === undefined || kinds.length === 0 ? undefined : kinds;
}
