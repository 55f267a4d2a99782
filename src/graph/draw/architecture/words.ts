import type { ArchitectureModel } from './architecture-model.ts';
import { countOf } from './card.ts';
import { STYLES } from './layer-style.ts';

/** What is not in the picture, and why. */
export function notesOf({ moreImports, cycles, inCycles, leftOut }: ArchitectureModel): readonly string[] {
  const { tests, vendored, unread } = leftOut;
  const without = [
    ...(tests > 0 ? [countOf(tests, 'test modules')] : []),
    ...(vendored > 0 ? [countOf(vendored, 'vendored modules')] : []),
    ...(unread > 0 ? [countOf(unread, 'unread files')] : []),
  ];
  return [
    ...(moreImports > 0 ? [`${countOf(moreImports, 'more imports')} between districts, not drawn`] : []),
    ...(cycles > 0 ? [`${inCycles} districts in ${countOf(cycles, 'import cycles')}`] : []),
    ...(without.length > 0 ? [`left out: ${without.join(', ')}`] : []),
  ];
}

export function describeModel(model: ArchitectureModel): string {
  const layers = model.layers.map(({ name, cards }) => {
    const names = cards.map((card) => card.name);
    return `${STYLES[name].title} (${STYLES[name].meaning}): ${names.length === 0 ? 'none' : names.join(', ')}.`;
  });
  const shown = countOf(model.edges.length, 'lines');
  return [
    `${countOf(model.modules, 'modules')} in ${countOf(model.districts, 'districts')}.`,
    ...layers,
    `Imports between districts as ${shown}.`,
    ...notesOf(model).map((note) => `${note}.`),
  ].join(' ');
}
