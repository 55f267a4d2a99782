import { tagged } from '../../event/verdict.ts';
import { asPath, joined, own } from '../../engine/rule.ts';
import { relative as relativeTo } from 'node:path';
import type { MessageValue, OwnWords, RuleWorkspace, Verdict } from '../../engine/rule.ts';
import { plain } from '../../text/plain.ts';
import type { Known } from './answer.ts';
import { isBelow } from './find-index.ts';
import { languageOf } from './languages.ts';
import { askerOf, callOf } from './routes.ts';
import type { Query, Route } from './routes.ts';
import type { Search } from './search.ts';
import type { Usable } from './usable.ts';

/** One word that is a symbol has callers; other words are looked for. Without words it is files that are asked for, or nothing. */
export function queryOf(words: readonly string[], search: Search, known: readonly Known[]): Query | undefined {
  const [first] = words;
  if (first === undefined) {
    const language = languageOf(search);
    return search.listing ? { kind: 'files', words, ...(language === undefined ? {} : { language }) } : undefined;
  }
  const [only, ...more] = known;
  if (only === undefined) return { kind: 'search', words };
  return more.length === 0 && only.total === 1
    ? { kind: 'callers', words: [only.name] }
    : { kind: 'search', words: known.map(({ name }) => name) };
}

export interface Values {
  readonly index: MessageValue;
  readonly place: MessageValue;
  readonly others: OwnWords;
}

export interface Wording extends Values {
  readonly call: OwnWords;
}

export function valuesOf(
  { index }: Usable,
  others: readonly Usable[],
  place: string,
  workspace: RuleWorkspace,
): Values {
  const names = joined(
    others.map((other) => own(other.index.provider.name)),
    ', ',
  );
  const relative = plain(isBelow(place, workspace.root) ? workspace.relative(place) : relativeTo(index.root, place));
  return {
    index: own(index.provider.name),
    place: place === workspace.root ? own('this project') : relative.length > MAX_PLACE ? HERE : asPath(relative),
    others: others.length === 0 ? own('') : own` (${names} too)`,
  };
}

const MAX_PLACE = 60;
const HERE = own('this place');

/** Ways to say the same with less, longest first. */
export function* shorter(
  { index, place, others }: Values,
  query: Query | undefined,
  route: Route,
): Generator<Wording, void> {
  const call = own((query && callOf(route, query)) ?? askerOf(route));
  yield { index, place, others, call };
  yield { index, place, others: own(''), call };
  const least = { index, place: HERE, others: own('') };
  yield { ...least, call };
  for (let words = (query?.words.length ?? 0) - 1; query && words > 0; words -= 1)
    yield { ...least, call: fewer(route, { ...query, words: query.words.slice(0, words) }) ?? call };
}

function fewer(route: Route, query: Query): OwnWords | undefined {
  const call = callOf(route, query);
  return call === undefined ? undefined : own(call);
}

const MAX_LINES = 4;

/** A message that the person has silenced has no text, and fits. */
export function fits({ rule, text = '' }: Verdict, maxChars: number): boolean {
  return tagged(rule, text).length <= maxChars && text.split('\n').length <= MAX_LINES;
}
