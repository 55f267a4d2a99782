import type { ArchitectureModel } from './architecture-model.ts';
import { countOf } from './card.ts';
import { STYLES } from './layer-style.ts';

/** What is not in the picture, and why. */
export function notesOf({ moreImports, cycles, inCycles, leftOut }: ArchitectureModel): readonly string[] {
  const { tests, vendored, unread } = leftOut;
  const without = [
    ...(tests > 0 ? [countOf(tests, 'test modules', String)] : []),
    ...(vendored > 0 ? [countOf(vendored, 'vendored modules', String)] : []),
    ...(unread > 0 ? [countOf(unread, 'unread files', String)] : []),
  ];
  return [
    ...(moreImports > 0 ? [`${countOf(moreImports, 'more imports', String)} between districts, not drawn`] : []),
    ...(cycles > 0 ? [`${inCycles} districts in ${countOf(cycles, 'import cycles', String)}`] : []),
    ...(without.length > 0 ? [`left out: ${without.join(', ')}`] : []),
  ];
}

/** `1108 modules in 30 districts`. */
export function sizeOf({ modules, districts }: ArchitectureModel): string {
  return `${countOf(modules, 'modules', String)} in ${countOf(districts, 'districts', String)}`;
}

export function describeModel(model: ArchitectureModel): string {
  const layers = model.layers.map(({ name, cards }) => {
    const names = cards.map((card) => card.name);
    return `${STYLES[name].title} (${STYLES[name].meaning}): ${names.length === 0 ? 'none' : names.join(', ')}.`;
  });
  const shown = countOf(model.edges.length, 'lines', String);
  return [
    `${sizeOf(model)}.`,
    ...layers,
    `Imports between districts as ${shown}.`,
    ...notesOf(model).map((note) => `${note}.`),
  ].join(' ');
}
