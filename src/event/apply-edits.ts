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

function applyEdit(text: string | undefined, { operation, old = '', new: after = '' }: Edit): string | undefined {
  if (operation === 'write') return after;
  if (operation !== 'replace') return undefined;
  if (old === '') return text === undefined || text === '' ? after : undefined;
  if (text === undefined || !text.includes(old)) return undefined;
  return text.replace(old, () => after);
}
