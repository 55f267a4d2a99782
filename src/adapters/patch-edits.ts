import type { Edit } from '../event/event.ts';
import { hasUnknownHeader, readPatchText } from '../event/patch-text.ts';
import type { FilePatch } from '../event/patch-text.ts';
import type { CallDraft } from './read-call.ts';

/** Makes edits of a patch of the form `*** Begin Patch`. `resolve`: where the agent takes a path of it to be. */
export function addPatch(call: CallDraft, text: string, resolve: (path: string) => string): void {
  const files = readPatchText(text);
  if (files.length === 0) call.unread = 'it names no file';
  else if (hasUnknownHeader(text)) call.unread = 'a part of its patch cannot be read';
  call.kind = files.length > 0 && files.every(({ does }) => does === 'add') ? 'write' : 'edit';
  call.edits = files.flatMap((file) => editsOf(file, resolve));
  call.paths = [...new Set(call.edits.map(({ path }) => path))];
}

/** A file that moves goes where it was, and what changes in it changes at its new place. */
function editsOf({ path: told, does, movedTo, hunks }: FilePatch, resolve: (path: string) => string): readonly Edit[] {
  const path = resolve(told);
  if (does === 'delete') return [{ path, operation: 'remove' }];
  if (does === 'add') return [{ path, operation: 'write', new: hunks.map((hunk) => hunk.new).join('') }];
  const target = movedTo === undefined ? path : resolve(movedTo);
  const changes = hunks.map((hunk): Edit =>
    hunk.old === ''
      ? { path: target, operation: 'insert', new: hunk.new }
      : { path: target, operation: 'replace', old: hunk.old, new: hunk.new },
  );
  if (movedTo === undefined) return changes.length > 0 ? changes : [{ path, operation: 'replace' }];
  return [
    { path, operation: 'remove', movedTo: target },
    ...(changes.length > 0 ? changes : [{ path: target, operation: 'insert' } as const]),
  ];
}
