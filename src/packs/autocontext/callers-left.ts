import { asPath, joined, lineStands, own, presentAt } from '../../engine/rule.ts';
import type { CallLink, CodeSymbol, MessageValue, OwnWords, RuleContext, RuleGraph } from '../../engine/rule.ts';
import { isNameAt } from '../../text/plain.ts';
import { parametersOf } from './turn-changes.ts';
import type { TurnChanges } from './turn-changes.ts';

const MAX_BYTES = 512 * 1024;
const NAMED = 4;

type Context = Pick<RuleContext, 'files' | 'workspace'>;

/** A symbol whose callers still use its old form, and the line that says so. */
export interface Left {
  readonly key: string;
  readonly line: OwnWords;
}

export function listed(items: readonly MessageValue[]): OwnWords {
  const more = items.length - NAMED;
  return own`${joined(items.slice(0, NAMED), ', ')}${own(more > 0 ? ` and ${more} more` : '')}`;
}

/** What still calls a symbol by a name that is gone, or with parameters that it no longer has. */
export function callersLeft(changes: TurnChanges, graph: RuleGraph, context: Context): readonly Left[] {
  return changes.symbols.flatMap((before) => {
    const now = graph.symbolAt(before.key);
    const isGone = now === undefined && graph.symbols(before.name, 1).total === 0;
    const isOther = now !== undefined && hasOtherParameters(before, now);
    if (!isGone && !isOther) return [];
    // What the turn has looked at itself was adapted, or left on purpose.
    const callers = before.callers.filter((call) => isGone || !changes.paths.includes(call.path));
    const standing = callers
      .filter((call) => stands(call, context))
      .map((call) => own`${asPath(context.workspace.relative(call.path))}:${call.line}`);
    if (standing.length === 0) return [];
    const what = own(
      isGone ? 'is gone and is still called' : 'takes other parameters now; its callers are as they were',
    );
    return [{ key: before.key, line: own`${before.qualified} ${what}: ${listed(standing)}` }];
  });
}

/** It needs more than it took, or takes less than it needed: calls that were right cannot be right now. */
function hasOtherParameters(before: CodeSymbol, after: CodeSymbol): boolean {
  const [was, is] = [parametersOf(before.signature, before.name), parametersOf(after.signature, after.name)];
  return was !== undefined && is !== undefined && (is.least > was.least || is.most < was.least);
}

function stands(call: CallLink, { files }: Context): boolean {
  const present = presentAt(call, files, MAX_BYTES);
  return lineStands(present, call.line, (text) => isNameAt(text, call.column, call.called));
}
