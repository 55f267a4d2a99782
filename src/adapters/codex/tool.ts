import type { Edit, ToolCall } from '../../event/event.ts';
import { hasUnknownHeader, readPatchText } from '../../event/patch-text.ts';
import type { FilePatch } from '../../event/patch-text.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, textAt } from '../fields.ts';
import { foreignPaths } from '../foreign-paths.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import { TOOL_KINDS } from './names.ts';

type Draft = { -readonly [K in keyof ToolCall]: ToolCall[K] };

const NO_INPUT: Fields = Object.freeze({});

export function readTool(fields: Fields, base: PathBase): ToolCall {
  const name = textAt(fields, 'tool_name') ?? '';
  const given = fields['tool_input'];
  const input = isFields(given) ? given : NO_INPUT;
  const call: Draft = { kind: 'other', name, input, hasInput: isFields(given), paths: [], edits: [] };
  const id = textAt(fields, 'tool_use_id');
  if (id !== undefined) call.id = id;
  addSubject(call, base);
  const output = fields['tool_response'];
  if (output !== undefined) {
    call.output = output;
    const text = isFields(output) ? blockText(output['content']) : blockText(output);
    if (text !== undefined) call.outputText = text;
  }
  return call;
}

/** What the call is about, and why that cannot be told where it cannot. */
function addSubject(call: Draft, base: PathBase): void {
  const { name, input } = call;
  const server = /^mcp__(.+?)__(.+)$/.exec(name);
  if (server) {
    call.kind = 'mcp';
    call.mcp = { server: server[1] ?? '', tool: server[2] ?? '' };
    const query = textAt(input, 'query');
    if (query !== undefined) call.query = query;
  } else if (Object.hasOwn(TOOL_KINDS, name)) call.kind = TOOL_KINDS[name] ?? 'other';
  const command = typeof input['command'] === 'string' ? input['command'] : undefined;
  if (name === '') call.unread = 'it names no tool';
  else if (call.kind === 'shell') {
    if (command === undefined) call.unread = 'its command is no text';
    else call.command = command;
  } else if (call.kind === 'edit' || call.kind === 'write') addPatch(call, command ?? '', base);
  else if (call.kind === 'read') {
    const path = textAt(input, 'path');
    if (path === undefined) call.unread = 'it names no file';
    else call.paths = [resolvePath(path, base)];
  } else if (call.kind !== 'agent') call.paths = foreignPaths(input, base);
}

function addPatch(call: Draft, text: string, base: PathBase): void {
  const files = readPatchText(text);
  if (files.length === 0) call.unread = 'it names no file';
  else if (hasUnknownHeader(text)) call.unread = 'a part of its patch cannot be read';
  else if (files.every(({ does }) => does === 'add')) call.kind = 'write';
  call.edits = files.flatMap((file) => editsOf(file, base));
  call.paths = [...new Set(call.edits.map(({ path }) => path))];
}

/** A file that moves goes where it was, and what changes in it changes at its new place. */
function editsOf({ path: told, does, movedTo, hunks }: FilePatch, base: PathBase): readonly Edit[] {
  const path = resolvePath(told, base);
  if (does === 'delete') return [{ path, operation: 'remove' }];
  if (does === 'add') return [{ path, operation: 'write', new: hunks.map((hunk) => hunk.new).join('') }];
  const target = movedTo === undefined ? path : resolvePath(movedTo, base);
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
