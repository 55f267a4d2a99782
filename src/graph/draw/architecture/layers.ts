import { sumOf } from './flows.ts';
import type { Flow } from './flows.ts';

export type LayerName = 'entry' | 'core' | 'foundation';

/** A district of a circle is above or below when so much of what it has to do with others points there. */
const MOSTLY = 0.9;

/**
 * By the graph that is left when circles are taken as one: imported by none, importing none, or between. A circle has no
 * order of its own, so the few imports that close it do not count against those who otherwise only import, or only are imported.
 */
export function findLayers(flows: readonly Flow[], part: readonly number[]): readonly LayerName[] {
  const imported = new Set<number>();
  const importing = new Set<number>();
  for (const { from, to } of flows) {
    if (part[from] === part[to]) continue;
    importing.add(part[from] as number);
    imported.add(part[to] as number);
  }
  return part.map((own, district) => {
    const isEntry = !imported.has(own);
    const isFoundation = !importing.has(own);
    const isCircle = part.some((other, index) => other === own && index !== district);
    if (isCircle) {
      const into = sumOf(flows.filter(({ to }) => to === district));
      const out = sumOf(flows.filter(({ from }) => from === district));
      if (out >= MOSTLY * (into + out)) return 'entry';
      if (into >= MOSTLY * (into + out)) return 'foundation';
      if (isEntry && isFoundation) return 'core';
    }
    return isEntry ? 'entry' : isFoundation ? 'foundation' : 'core';
  });
}

/** Longest way from above in the condensed graph; within a circle, those who rather import stand above those rather imported. */
export function findDepths(flows: readonly Flow[], part: readonly number[]): readonly number[] {
  const parts = Math.max(0, ...part.map((own) => own + 1));
  const levels = Array.from({ length: parts }, () => 0);
  const across = flows
    .map(({ from, to }) => [part[from] as number, part[to] as number] as const)
    .filter(([a, b]) => a !== b);
  // Parts count from below: what imports has a higher number than what it imports.
  for (let own = parts - 1; own >= 0; own -= 1)
    for (const [from, to] of across)
      if (from === own) levels[to] = Math.max(levels[to] as number, (levels[own] as number) + 1);
  return part.map((home, district) => {
    const own = flows.filter(({ from, to }) => part[from] === part[to] && (from === district || to === district));
    const [into, out] = [
      sumOf(own.filter(({ to }) => to === district)),
      sumOf(own.filter(({ from }) => from === district)),
    ];
    const lean = into + out === 0 ? 0 : into / (into + out);
    return (levels[home] as number) + lean * LEAN;
  });
}

/** Less than a level: districts of one circle stay together. */
const LEAN = 0.9;
