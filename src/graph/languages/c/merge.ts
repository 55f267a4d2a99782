import type { FactsDraft } from '../facts-draft.ts';

/** A declaration and its definition are one: where a file has both, only the definition stays. */
export function mergeDeclarations(draft: FactsDraft): void {
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
