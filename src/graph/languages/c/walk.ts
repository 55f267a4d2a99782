import type { FlatTree } from '../../parse/flat-tree.ts';
import { finishDraft } from '../facts-draft.ts';
import type { FactsDraft } from '../facts-draft.ts';
import type { Extracted } from '../language.ts';
import {
  addInclude,
  addNamespace,
  alias,
  classLike,
  constant,
  declaration,
  functionDefinition,
  lambda,
  rangeLoop,
  steer,
  typeDefinition,
} from './definitions.ts';
import { startWalk } from './file.ts';
import type { CWalk, Frame } from './file.ts';
import type { CFields, CSymbols } from './grammar.ts';

/** A declaration and its definition are one: where a file has both, only the definition stays. */
function mergeDeclarations(draft: FactsDraft): void {
  const { definitions } = draft;
  const defined = new Set<string>();
  let declared = 0;
  for (const { container, name, kind, traits } of definitions) {
    if (kind !== 'function' && kind !== 'method' && kind !== 'variable' && kind !== 'constant') continue;
    if (traits.includes('declared')) declared++;
    else defined.add(`${container}:${name}`);
  }
  if (declared === 0) return;

  const seen = new Set<string>();
  const moved = new Int32Array(definitions.length);
  let kept = 0;
  for (const [index, definition] of definitions.entries()) {
    const { container, name, kind, traits, parameters } = definition;
    const key = `${container}:${name}`;
    let isDropped = false;
    if (traits.includes('declared')) {
      // Declared twice is one as well, unless the parameters say that it is another.
      const whole = `${key}:${kind}:${parameters.length}`;
      isDropped = defined.has(key) || seen.has(whole);
      seen.add(whole);
    }
    moved[index] = isDropped ? -1 : kept;
    if (isDropped) continue;
    definition.container = container === -1 ? -1 : (moved[container] ?? -1);
    definitions[kept++] = definition;
  }
  if (kept === definitions.length) return;
  definitions.length = kept;
  const place = (within: number): number => (within === -1 ? -1 : (moved[within] ?? -1));
  for (const list of [draft.references, draft.candidates, draft.imports, draft.bindings])
    for (const each of list) (each as { within: number }).within = place(each.within);
}

export function extractC(tree: FlatTree, S: CSymbols, F: CFields): Extracted {
  const w = startWalk(tree, S, F);
  for (let node = 1; node < tree.count;) {
    while (node >= w.frame.after) {
      w.frames.pop();
      w.frame = w.frames[w.frames.length - 1] as Frame;
    }
    // What the text lacks has no name.
    node = tree.isMissing(node) ? node + 1 : visit(w, node, tree.symbol(node));
  }
  mergeDeclarations(w.draft);
  const own = namesOfTypes(w.draft);
  return finishDraft(w.draft, tree.damaged, ({ name }) => w.hasProjectInclude || own.has(name));
}

/** Answers where to go on. */
function visit(w: CWalk, node: number, symbol: number): number {
  if (symbol === w.S.call_expression) w.references.call(node, w.frame.index);
  else if (symbol === w.S.type_identifier) w.references.typeName(node, w.frame.index);
  else if (symbol === w.S.declaration || symbol === w.S.field_declaration) declaration(w, node);
  else if (symbol === w.S.function_definition) functionDefinition(w, node);
  else if (symbol === w.S.comment) w.comments.note(w.tree.start(node), w.tree.end(node));
  else if (symbol === w.S.struct_specifier || symbol === w.S.union_specifier) classLike(w, node, 'struct');
  else if (symbol === w.S.class_specifier) classLike(w, node, 'class');
  else if (symbol === w.S.enum_specifier) classLike(w, node, 'enum');
  else if (symbol === w.S.enumerator) constant(w, node, []);
  else if (symbol === w.S.type_definition) typeDefinition(w, node);
  else if (symbol === w.S.namespace_definition) addNamespace(w, node);
  else if (symbol === w.S.new_expression) w.references.instantiate(node, w.frame.index);
  else if (symbol === w.S.preproc_include) addInclude(w, node);
  else if (symbol === w.S.preproc_function_def) constant(w, node, ['callable']);
  else if (symbol === w.S.alias_declaration || symbol === w.S.concept_definition) alias(w, node);
  else if (symbol === w.S.lambda_expression) lambda(w, node);
  else if (symbol === w.S.for_range_loop) rangeLoop(w, node);
  else if (symbol === w.S.access_specifier) steer(w, node);
  else if (symbol === w.S.attribute_specifier) return w.tree.after(node);
  return node + 1;
}

function namesOfTypes({ definitions }: FactsDraft): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, name } of definitions)
    if (kind === 'class' || kind === 'struct' || kind === 'enum' || kind === 'type') names.add(name);
  return names;
}
