import { lineStands, presentAt } from '../../engine/rule.ts';
import type { CallLink, CodeLocation, Impact, Present, RuleFiles } from '../../engine/rule.ts';
import { isNameAt, plain } from '../../text/plain.ts';

/** What of a card the files bear out as they are now. */
export interface Proven {
  readonly callers: readonly CallLink[];
  readonly callees: readonly CallLink[];
  readonly tests: readonly CallLink[];
  readonly also: Impact['also'];
  /** Files, of those looked at, that are no longer what was indexed. */
  readonly changed: readonly string[];
}

/** Files that are looked at for one card. */
const MAX_FILES = 8;
/** No larger file is indexed unless somebody wants it. */
const MAX_BYTES = 1024 * 1024;

/** Leaves out every place that is no longer what it was; undefined when that is the symbol itself. */
export function prove(impact: Impact, files: RuleFiles): Proven | undefined {
  const known = new Map<string, Present>();
  const stands = (location: CodeLocation, name: string): boolean => {
    const { path, line, column } = location;
    // A path that cannot be shown as it is cannot be gone to either.
    if (plain(path) !== path) return false;
    if (!known.has(path)) {
      if (known.size >= MAX_FILES) return false;
      known.set(path, presentAt(location, files, MAX_BYTES));
    }
    return lineStands(known.get(path), line, (text) => isNameAt(text, column, name));
  };
  if (!stands(impact.symbol, impact.symbol.name)) return undefined;
  const standing = ({ items }: { readonly items: readonly CallLink[] }) =>
    items.filter((call) => stands(call, call.called));
  const [callers, callees, tests] = [standing(impact.callers), standing(impact.callees), standing(impact.tests)];
  const also = impact.also && stands(impact.also, impact.also.name) ? impact.also : undefined;
  const changed = [...known].flatMap(([path, text]) => (text === true ? [] : [path]));
  return { callers, callees, tests, also, changed };
}
