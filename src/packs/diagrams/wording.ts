import { asPath, own } from '../../engine/rule.ts';
import type { MessageValue, OwnWords, RuleWorkspace } from '../../engine/rule.ts';
import type { Drawing } from './drawing/drawing.ts';
import type { Settings } from './settings.ts';

const MOST_RANGES = 3;

export function fileName(path: string, { relative }: Pick<RuleWorkspace, 'relative'>): MessageValue {
  return asPath(relative(path));
}

/** `lines 3-9`, `lines 3-9 and 14-20`. */
export function linesOf(drawings: readonly Drawing[]): string {
  const ranges = drawings.slice(0, MOST_RANGES).map(({ first, last }) => `${first}-${last}`);
  const more = drawings.length - ranges.length;
  if (more > 0) ranges.push(`${more} more`);
  return `lines ${inWords(ranges)}`;
}

/** Said behind the place in the first file where one call brings drawings into several. */
export function otherFiles([only, ...rest]: readonly MessageValue[]): OwnWords {
  if (only === undefined) return own('');
  return rest.length === 0 ? own`, and ${only}` : own`, and ${rest.length + 1} more files`;
}

export function boxesOf(drawings: readonly Drawing[]): number {
  return drawings.reduce((sum, { boxes }) => sum + boxes, 0);
}

/** A name that is longer is not offered. */
const LONGEST_SOURCE = 16;

/** The forms of a source that are accepted here, the usual ones first. */
export function acceptedSource({ sources }: Settings, path: string): string {
  const names = sources.map((name) => name.trim()).filter((name) => name !== '' && name.length <= LONGEST_SOURCE);
  const [summary] = preferred(names, 'graph-easy');
  const [label] = preferred(names, 'mermaid').filter((name) => /^[\w#+-]+$/.test(name));
  if (summary === undefined) return `\`${commentFor(path, 'diagram-source: PATH')}\` with a file of the workspace`;
  const element = `\`<details><summary>${summary} source</summary>\` with the source inside`;
  return label === undefined ? element : `${element}, or a \`\`\`${label} fence`;
}

function preferred(names: readonly string[], first: string): readonly string[] {
  return names.some((name) => name.toLowerCase() === first) ? [first, ...names] : names;
}

/** How a drawing in this file is marked as meant. */
export function markerFor(path: string): string {
  return `\`${commentFor(path, 'fairlead: diagram-ok REASON')}\``;
}

/** MDX takes no comments of HTML. */
function commentFor(path: string, text: string): string {
  return path.toLowerCase().endsWith('.mdx') ? `{/* ${text} */}` : `<!-- ${text} -->`;
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
