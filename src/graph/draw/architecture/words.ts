import type { ArchitectureModel } from './architecture-model.ts';
import { countOf } from './card.ts';
import { STYLES } from './layer-style.ts';
import type { LayerName } from './layers.ts';

/** What is not in the picture, and why. */
export function notesOf({ moreImports, cycles, inCycles, leftOut }: ArchitectureModel): readonly string[] {
  const { vendored, unread } = leftOut;
  const without = [
    ...(vendored > 0 ? [countOf(vendored, 'vendored modules', String)] : []),
    ...(unread > 0 ? [countOf(unread, 'unread files', String)] : []),
  ];
  return [
    ...(moreImports > 0 ? [`${countOf(moreImports, 'more imports', String)} between districts, not drawn`] : []),
    ...(cycles > 0 ? [`${inCycles} districts in ${countOf(cycles, 'import cycles', String)}`] : []),
    ...(without.length > 0 ? [`left out: ${without.join(', ')}`] : []),
  ];
}

/** What a band says of its districts, and the legend of the band. */
export function meaningOf({ layers }: Pick<ArchitectureModel, 'layers'>, layer: LayerName): string {
  const cards = layers.find(({ name }) => name === layer)?.cards ?? [];
  if (cards.length === 0) return `${STYLES[layer].meaning}: none`;
  const isStrict = cards.every(({ importsIn, importsOut }) => (layer === 'entry' ? importsIn : importsOut) === 0);
  return isStrict ? STYLES[layer].meaning : STYLES[layer].roughly;
}

/** What belongs to the project and is no part of the product. */
export function asideOf({ leftOut: { tests, samples } }: ArchitectureModel): string | undefined {
  const parts = [
    ...(tests > 0 ? [countOf(tests, 'test modules', String)] : []),
    ...(samples > 0 ? [`${countOf(samples, 'modules', String)} of docs and samples`] : []),
  ];
  return parts.length === 0 ? undefined : `Beside the product: ${parts.join(', ')}`;
}

/** `1108 modules in 30 districts`. */
export function sizeOf({ modules, districts }: ArchitectureModel): string {
  return `${countOf(modules, 'modules', String)} in ${countOf(districts, 'districts', String)}`;
}

export function describeModel(model: ArchitectureModel): string {
  const layers = model.layers.map(({ name, cards }) => {
    const names = cards.map((card) => card.name);
    return `${STYLES[name].title}${names.length === 0 ? ': none' : ` (${meaningOf(model, name)}): ${names.join(', ')}`}.`;
  });
  const shown = countOf(model.edges.length, 'lines', String);
  return [
    `${sizeOf(model)}.`,
    ...layers,
    `Imports between districts as ${shown}.`,
    ...[asideOf(model) ?? [], ...notesOf(model)].flat().map((note) => `${note}.`),
  ].join(' ');
}
