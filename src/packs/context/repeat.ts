import type { Turn } from '../../engine/rule.ts';

/** Whether so many prompts have come since the one at which something was said; 0 is never. */
export function isLongAgo(saidAt: Turn | undefined, now: Turn, prompts: number): boolean {
  return prompts > 0 && typeof saidAt === 'number' && typeof now === 'number' && now - saidAt >= prompts;
}
