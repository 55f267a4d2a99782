/** Stands for a type that is not told apart from others. */
const ANY = '?';
const SAME: Readonly<Record<string, string>> = { 'interface{}': 'any', byte: 'uint8', rune: 'int32' };
const NAMED = /^(?!(?:chan|func|interface|struct)\b)\w+ +\S/;

/**
 * The types of parameters and results as texts, without names and packages, from what stands behind the name of a method:
 * `(at, to int, s fmt.Stringer) error` gives `int int Stringer -> error`. Undefined where it cannot be read.
 */
export function methodTypes(behind: string): readonly string[] | undefined {
  if (behind.includes('/*') || behind.includes('//')) return undefined;
  const list = listFrom(behind.trimStart());
  if (list === undefined) return undefined;
  const after = list.after.trim();
  const results = after.startsWith('(') ? listFrom(after)?.items : after === '' ? [] : [after];
  return results && [...typesIn(list.items), '->', ...typesIn(results)];
}

/** What stands in the brackets that a text starts with, and what follows them. */
function listFrom(text: string): { readonly items: readonly string[]; readonly after: string } | undefined {
  const items: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth > 1 || (depth === 1 && char !== ',')) continue;
    const item = text.slice(from, at).trim();
    if (item !== '') items.push(item);
    from = at + 1;
    if (depth === 0) return { items, after: text.slice(from) };
  }
  return undefined;
}

/** Either all have names or none; a name without a type has that of the next. */
function typesIn(items: readonly string[]): string[] {
  if (!items.some((item) => NAMED.test(item))) return items.map(plain);
  let last = ANY;
  return items
    .toReversed()
    .map((item) => {
      const space = item.indexOf(' ');
      if (space !== -1) last = plain(item.slice(space + 1).trim());
      return last;
    })
    .toReversed();
}

function plain(type: string): string {
  const short = type.replace(/\b\w+\./g, '').replace(/ +(?=[{}[\]()])|(?<=[{}[\]()*]) +/g, '');
  if (short.startsWith('func(')) return `func(${methodTypes(short.slice(4))?.join(' ') ?? ANY})`;
  const same = short.replace(/interface\{\}|\b(?:byte|rune)\b/g, (word) => SAME[word] ?? word);
  return /\bfunc\b|\{/.test(same) ? ANY : same;
}

/** Whether two methods can be the same, by what stands behind their names; an alias may be any type. */
export function haveSameTypes(own: string, wanted: string, isAlias: (name: string) => boolean): boolean {
  const [mine, others] = [methodTypes(own), methodTypes(wanted)];
  if (mine === undefined || others === undefined) return true;
  if (mine.length !== others.length) return false;
  return mine.every((type, n) => {
    const other = others[n] ?? '';
    if (type === other || type.includes(ANY) || other.includes(ANY)) return true;
    return `${type} ${other}`.match(/\w+/g)?.some(isAlias) === true;
  });
}
