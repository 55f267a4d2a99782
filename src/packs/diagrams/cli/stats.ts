import type { StatsView } from '../../../cli/pack-parts.ts';
import { counted } from '../../../cli/table.ts';

/** Drawings that a tool's run or output let pass, and how many of them had a source when their session ended. */
export const stats: StatsView = {
  show({ span, numbers: { counts } }) {
    const { exempted = 0, sourced = 0 } = counts;
    if (exempted === 0) return `No drawing passed without a source in the last ${span}.\n`;
    const open = Math.max(0, exempted - sourced);
    return `${counted(exempted, 'drawing')} passed without a source in the last ${span}; ${open} still ${open === 1 ? 'has' : 'have'} none.\n`;
  },
  facts: ({ numbers: { counts } }) => ({
    withoutSource: Math.max(0, (counts['exempted'] ?? 0) - (counts['sourced'] ?? 0)),
  }),
};
