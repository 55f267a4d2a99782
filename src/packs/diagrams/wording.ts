import type { RuleWorkspace } from '../../engine/rule.ts';
import type { Drawing } from './drawing/drawing.ts';
import type { Settings } from './settings.ts';

const LONGEST_PATH = 80;
const MOST_RANGES = 3;

/** A path too long for a message keeps its end. */
export function fileName(path: string, { relative }: Pick<RuleWorkspace, 'relative'>, longest = LONGEST_PATH): string {
  const name = relative(path);
  return name.length <= longest ? name : `…${name.slice(1 - longest)}`;
}

/** `lines 3-9`, `lines 3-9 and 14-20`. */
export function linesOf(drawings: readonly Drawing[]): string {
  const ranges = drawings.slice(0, MOST_RANGES).map(({ first, last }) => `${first}-${last}`);
  const more = drawings.length - ranges.length;
  if (more > 0) ranges.push(`${more} more`);
  return `lines ${inWords(ranges)}`;
}

export function boxesOf(drawings: readonly Drawing[]): number {
  return drawings.reduce((sum, { boxes }) => sum + boxes, 0);
}

export function counted(count: number, noun: string): string {
  const ending = /(?:x|s)$/.test(noun) ? 'es' : 's';
  return `${count} ${noun}${count === 1 ? '' : ending}`;
}

/** What can be run here: tools that are not installed are not offered. */
export function runnable({ tools }: Settings, { hasProgram }: Pick<RuleWorkspace, 'hasProgram'>): string {
  const there = tools.filter((tool) => hasProgram(tool)).slice(0, 2);
  if (there.length === 0) return 'paste the output of a diagram tool (none is installed here)';
  return `run ${there.map((tool) => `\`${tool}\``).join(' or ')} and paste its output`;
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) as string}`;
}
