import type { Expression } from '../../model/expression.ts';
import type { Binding, Definition } from '../../model/facts.ts';
import { toPython } from './text.ts';
import type { Declared } from './text.ts';
import { headOf } from '../facts-draft.ts';
import type { Extracted, Extractor } from '../language.ts';
import { createPythonReader } from '../python/extractor.ts';

/** Reads Cython as Python: what only C has is blanked first and added to the facts afterwards. */
export async function createExtractor(): Promise<Extractor> {
  const read = await createPythonReader();
  return {
    extract({ text }) {
      const { text: python, declared, includes } = toPython(text);
      const found = read(python, text);
      const imports = [...found.imports];
      for (const { module, at } of includes) {
        imports.push({ local: '*', module, name: '*', kind: 'star', within: -1, at });
      }
      imports.sort((a, b) => a.at - b.at);
      return addDeclared({ ...found, imports }, declared, text);
    },
  };
}

function addDeclared(found: Extracted, declared: readonly Declared[], text: string): Extracted {
  const types = new Map<number, Declared>();
  const parameters = new Map<string, Declared>();
  for (const one of declared) {
    types.set(one.at, one);
    if (one.kind === 'typed') parameters.set(`${one.start} ${one.name}`, one);
  }
  const bindings = found.bindings.map((binding) => typed(binding, types.get(binding.at)));
  const definitions = found.definitions.map((definition) => {
    const whole = { ...definition, end: lineAround(declared, definition.end) ?? definition.end };
    return withTypes(whole, types.get(definition.at)?.type, parameters);
  });
  const known = new Set(definitions.map(({ at }) => at));
  for (const { at } of bindings) known.add(at);
  const members = new Map(definitions.map(({ name, container }, index) => [`${container} ${name}`, index]));
  const added: Definition[] = [];
  for (const one of declared) {
    if (one.kind === 'typed' || known.has(one.at)) continue;
    const container = innermost(definitions, one.start);
    const outer = definitions[container];
    if (outer?.kind === 'function' || outer?.kind === 'method') {
      const { name, at, type } = one;
      const binding: Binding = { name, within: container, from: outer.start, to: outer.end, at };
      bindings.push(type === undefined ? binding : { ...binding, type });
      continue;
    }
    const definition = define(one, container, outer, text);
    const same = members.get(`${container} ${one.name}`) ?? -1;
    const set = definitions[same];
    // What is declared once and set later is one thing, and it is where it is declared.
    if (set?.kind === definition.kind) definitions[same] = { ...set, ...definition, values: set.values };
    else added.push(definition);
  }
  return inOrder({ ...found, definitions, bindings }, added);
}

function typed(binding: Binding, declared: Declared | undefined): Binding {
  return declared?.type === undefined || binding.type !== undefined ? binding : { ...binding, type: declared.type };
}

/** The types of its parameters, and what it returns or is. */
function withTypes(
  definition: Definition,
  type: Expression | undefined,
  declared: ReadonlyMap<string, Declared>,
): Definition {
  const parameters = definition.parameters.map((parameter) => {
    const own = parameter.type ?? declared.get(`${definition.start} ${parameter.name}`)?.type;
    return own === undefined ? parameter : { ...parameter, type: own };
  });
  return type === undefined ? { ...definition, parameters } : { ...definition, parameters, type };
}

/** The end of the line with a declaration that a place lies in: what is left of the last line of a body may be shorter. */
function lineAround(declared: readonly Declared[], at: number): number | undefined {
  let [low, high] = [0, declared.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((declared[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const line = declared[low - 1];
  return line !== undefined && at < line.end ? line.end : undefined;
}

function innermost(definitions: readonly Definition[], at: number): number {
  let best = -1;
  for (const [index, { start, end, kind }] of definitions.entries()) {
    const isAround = start <= at && at < end && kind !== 'field' && kind !== 'variable' && kind !== 'constant';
    // A container stands before what it contains.
    if (isAround) best = index;
  }
  return best;
}

function define(
  { name, kind, at, start, end, type }: Declared,
  container: number,
  outer: Definition | undefined,
  text: string,
): Definition {
  const isMember = outer !== undefined;
  const isPrivate = name.startsWith('_');
  return {
    name,
    kind:
      kind === 'function' && isMember
        ? 'method'
        : kind === 'variable' && isMember
          ? 'field'
          : kind === 'typed'
            ? 'variable'
            : kind,
    container,
    start,
    end,
    at,
    signature: headOf(text, start, end),
    exported: !isPrivate && outer?.exported !== false,
    visibility: /^__\w+__$/.test(name) ? 'special' : isPrivate ? 'private' : 'public',
    traits: kind === 'function' || kind === 'class' ? ['declared'] : [],
    bases: [],
    generics: [],
    parameters: [],
    values: [],
    ...(type === undefined ? {} : { type }),
  };
}

/** All in order of appearance, with the indices set right. */
function inOrder(found: Extracted, added: readonly Definition[]): Extracted {
  const all = [...found.definitions, ...added];
  const order = all.map((_, index) => index).sort((a, b) => (all[a]?.start ?? 0) - (all[b]?.start ?? 0) || a - b);
  const moved = new Map(order.map((index, place) => [index, place]));
  const place = (index: number): number => moved.get(index) ?? -1;
  const placed = <T extends { readonly within: number }>(entry: T): T => ({ ...entry, within: place(entry.within) });
  return {
    ...found,
    definitions: order.map((index) => {
      const definition = all[index] as Definition;
      return { ...definition, container: place(definition.container) };
    }),
    references: found.references.map(placed),
    bindings: found.bindings.map(placed),
    imports: found.imports.map(placed),
  };
}
