import { asPath, joined, lineStands, own, presentAt } from '../../engine/rule.ts';
import type { CodeLocation, OwnWords, RuleContext, RuleSymbol } from '../../engine/rule.ts';
import { hasName } from '../../text/plain.ts';

/** What is known of a symbol and was found to be so in the files as they are. */
export interface Answer {
  readonly symbol: string;
  /** `path:line`. */
  readonly definition: OwnWords;
  readonly callers: OwnWords;
}

type AnswerContext = Pick<RuleContext, 'files' | 'workspace'>;

const MAX_BYTES = 512 * 1024;
const NAMED = 2;
/** Places that are looked at to find two callers that still stand where the graph has them. */
const MAX_LOOKS = 4;

/** The answer itself, where one name is looked for, the graph knows it and the files bear it out. */
export function answerFor(words: readonly string[], { files, workspace }: AnswerContext): Answer | undefined {
  const { graph } = workspace;
  const [name, ...more] = words;
  if (name === undefined) return undefined;
  const symbol = graph?.state === 'stable' && more.length === 0 ? graph.symbol(name) : undefined;
  if (!symbol || !stands(symbol, [name], files)) return undefined;
  const at = ({ path, line }: { readonly path: string; readonly line: number }) =>
    own`${asPath(workspace.relative(path))}:${line}`;
  const seen = symbol.callers
    .slice(0, MAX_LOOKS)
    .filter((caller) => stands(caller, [name, caller.name], files))
    .slice(0, NAMED)
    .map((caller) => own`${caller.name} (${at(caller)})`);
  return { symbol: name, definition: at(symbol), callers: describe(symbol, seen) };
}

function describe({ callers }: RuleSymbol, named: readonly OwnWords[]): OwnWords {
  const { length } = callers;
  if (length === 0) return own('no callers are known');
  const count = own(length === 1 ? '1 caller' : `${length} callers`);
  if (named.length === 0) return count;
  return own`${count}${own(named.length < length ? ', among them' : ':')} ${joined(named, ', ')}`;
}

/** It is where the graph has it: the file is as it was, or that line still has one of the names in it. */
function stands(location: CodeLocation, names: readonly string[], files: AnswerContext['files']): boolean {
  const present = presentAt(location, files, MAX_BYTES);
  return lineStands(present, location.line, (text) => names.some((name) => hasName(text, name)));
}
