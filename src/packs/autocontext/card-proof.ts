import type { CallLink, Impact, CodeLocation, RuleFiles } from '../../engine/rule.ts';
import { isNameAt, plain } from '../../text/plain.ts';

/** What of a card the files bear out as they are now. */
export interface Proven {
  readonly callers: readonly CallLink[];
  readonly callees: readonly CallLink[];
  readonly tests: readonly CallLink[];
  /** Files, of those looked at, that are no longer what was indexed. */
  readonly changed: readonly string[];
}

/** Files that are looked at for one card. */
const MAX_FILES = 8;
/** No larger file is indexed unless somebody wants it. */
const MAX_BYTES = 1024 * 1024;

/** Leaves out every place that is no longer what it was; undefined when that is the symbol itself. */
export function prove(impact: Impact, files: RuleFiles): Proven | undefined {
  const known = new Map<string, string | undefined | true>();
  const stands = (location: CodeLocation, name: string): boolean => {
    const { path, line, column } = location;
    // A path that cannot be shown as it is cannot be gone to either.
    if (plain(path) !== path) return false;
    if (!known.has(path)) {
      if (known.size >= MAX_FILES) return false;
      known.set(path, look(location, files));
    }
    const text = known.get(path);
    return text === true || (text !== undefined && isNameAt(lineOf(text, line), column, name));
  };
  if (!stands(impact.symbol, impact.symbol.name)) return undefined;
  const standing = ({ items }: { readonly items: readonly CallLink[] }) =>
    items.filter((call) => stands(call, call.called));
  const [callers, callees, tests] = [standing(impact.callers), standing(impact.callees), standing(impact.tests)];
  const changed = [...known].flatMap(([path, text]) => (text === true ? [] : [path]));
  return { callers, callees, tests, changed };
}

/** True when the file is the one that was indexed, else what it holds now. */
function look({ path, size, mtimeMs }: CodeLocation, files: RuleFiles): string | undefined | true {
  const now = files.stat(path);
  if (now?.kind !== 'file') return undefined;
  return now.size === size && now.mtimeMs === mtimeMs ? true : files.readText(path, MAX_BYTES);
}

/** Empty beyond the end. */
function lineOf(text: string, line: number): string {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return '';
  }
  const end = text.indexOf('\n', start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
}
