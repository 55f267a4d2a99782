import type { Edit } from './event.ts';

/**
 * The text a file would hold after these edits, one after the other. Undefined when one of them cannot apply: the agent's
 * own tool will say so.
 */
export function applyEdits(before: string | undefined, edits: readonly Edit[]): string | undefined {
  let text = before;
  for (const edit of edits) {
    text = applyEdit(text, edit);
    if (text === undefined) return undefined;
  }
  return text;
}

function applyEdit(
  before: string | undefined,
  { operation, old = '', new: after = '', all }: Edit,
): string | undefined {
  if (operation === 'write') return after;
  if (operation !== 'replace') return undefined;
  if (old === '') return before === undefined || before === '' ? after : undefined;
  const text = before === undefined || before.includes(old) ? before : withPlainLineEnds(before);
  if (text?.includes(old) !== true) return undefined;
  return all === true ? text.replaceAll(old, () => after) : text.replace(old, () => after);
}

/** Agents are shown a file's lines, not what ends them. */
function withPlainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
