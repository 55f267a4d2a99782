import type { Edit, ToolCall, ToolKind } from '../../event/event.ts';
import type { PathBase } from '../paths.ts';
import { resolvePath } from '../paths.ts';
import type { Fields } from '../fields.ts';
import { blockText, isFields, numberAt, stringAt, textAt } from '../fields.ts';
import { foreignPaths } from '../foreign-paths.ts';
import { toolKind } from './names.ts';

type Draft = { -readonly [K in keyof ToolCall]: ToolCall[K] };

const NO_INPUT: Fields = Object.freeze({});
const NO_PATHS: readonly string[] = Object.freeze([]);
const NO_EDITS: readonly Edit[] = Object.freeze([]);

const FILE_KEYS = ['file_path', 'filePath', 'notebook_path', 'notebookPath'];
const RESULT_KEYS = ['filePath', 'file_path', 'notebook_path', 'notebookPath'];
const PLACE_KEYS = ['path', 'folder', 'directory_path', 'directoryPath'];
const REJECTED = '<tool_use_error>';

/** One tool call from the fields of an event, or from one entry of a batch. */
export function readTool(fields: Fields, base: PathBase, failed = false): ToolCall {
  const name = textAt(fields, 'tool_name', 'toolName') ?? '';
  const given = fields['tool_input'] ?? fields['toolInput'];
  const hasInput = isFields(given);
  const input = hasInput ? given : NO_INPUT;
  const output = fields['tool_response'] ?? fields['toolResponse'];
  const mcp = name.startsWith('mcp__') ? readServer(name, fields) : undefined;
  const kind = mcp === undefined ? toolKind(name) : 'mcp';
  const paths = readPaths(kind, input, output, base);
  const call: Draft = { kind, name, input, hasInput, paths, edits: readEdits(kind, input, paths[0] ?? '') };

  const id = textAt(fields, 'tool_use_id', 'toolUseId');
  if (id !== undefined) call.id = id;
  if (mcp !== undefined) call.mcp = mcp;
  if (kind === 'shell') {
    const command = commandOf(hasInput ? input['command'] : given);
    if (command !== undefined) call.command = command;
  }
  const unread = whyUnread(call);
  if (unread !== undefined) call.unread = unread;
  if (kind === 'read') addLines(call, input, output);
  const query = readQuery(kind, input);
  if (query !== undefined) call.query = query;
  const durationMs = numberAt(fields, 'duration_ms', 'durationMs');
  if (durationMs !== undefined) call.durationMs = durationMs;
  if (failed) addFailure(call, fields['error']);
  if (output !== undefined) addOutput(call, output);
  return call;
}

/** A newer client, or somebody who wants no rule to listen, may give another shape to what a tool is told to do. */
function whyUnread({ kind, name, command, paths }: Draft): string | undefined {
  if (name === '') return 'it names no tool';
  if (kind === 'shell') return command === undefined ? 'its command is no text' : undefined;
  const isFile = kind === 'read' || kind === 'write' || kind === 'edit';
  return isFile && paths.length === 0 ? 'it names no file' : undefined;
}

/** A command's text; words in a list are quoted, so that they stay the words they are. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words = value as readonly unknown[];
  if (!words.every((word) => typeof word === 'string')) return undefined;
  if (words.length === 1) return words[0];
  return words.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/**
 * The server is named without the plugin that brought it, so that `mcp__x__t` and `mcp__plugin_p_x__t` are one server.
 * Plugin names have no underscore; the payload's own server name settles the rest where it is there.
 */
function readServer(name: string, fields: Fields): ToolCall['mcp'] {
  const told = fields['mcp_server'] ?? fields['mcpServer'];
  const full = isFields(told) ? textAt(told, 'name') : undefined;
  if (full !== undefined) {
    const prefix = `mcp__${full.replace(/[^A-Za-z0-9_-]/g, '_')}__`;
    const server = full.startsWith('plugin:') ? full.slice(full.lastIndexOf(':') + 1) : full;
    if (name.startsWith(prefix) && name.length > prefix.length) return { server, tool: name.slice(prefix.length) };
  }
  const end = name.indexOf('__', 5);
  if (end <= 5 || end + 2 === name.length) return undefined;
  const part = name.slice(5, end);
  const cut = part.startsWith('plugin_') ? part.indexOf('_', 7) + 1 : 0;
  return { server: cut > 8 ? part.slice(cut) : part, tool: name.slice(end + 2) };
}

function readPaths(kind: ToolKind, input: Fields, output: unknown, base: PathBase): readonly string[] {
  switch (kind) {
    case 'read':
    case 'write':
    case 'edit': {
      const path = firstAt(input, FILE_KEYS) ?? resultPath(output);
      return path === undefined ? NO_PATHS : [resolvePath(path, base)];
    }
    case 'search':
    case 'glob':
    case 'list': {
      const path = firstAt(input, PLACE_KEYS);
      return path === undefined ? NO_PATHS : [resolvePath(path, base)];
    }
    case 'mcp':
    case 'other':
      return foreignPaths(input, base);
    default:
      return NO_PATHS;
  }
}

function firstAt(fields: Fields, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function resultPath(output: unknown): string | undefined {
  if (!isFields(output)) return undefined;
  const file = output['file'];
  return firstAt(output, RESULT_KEYS) ?? (isFields(file) ? firstAt(file, RESULT_KEYS) : undefined);
}

/** Shapes tell the edits apart, not tool names: a list of edits, a notebook cell, a whole file, one replacement. */
function readEdits(kind: ToolKind, input: Fields, path: string): readonly Edit[] {
  if (input === NO_INPUT || (kind !== 'write' && kind !== 'edit')) return NO_EDITS;
  if (kind === 'write') return [edit(path, 'write', undefined, stringAt(input, 'content'))];
  const list = input['edits'];
  if (Array.isArray(list)) return list.filter(isFields).map((item) => readReplacement(item, path));
  if (input['notebook_path'] === undefined && input['notebookPath'] === undefined)
    return [readReplacement(input, path)];
  const mode = textAt(input, 'edit_mode', 'editMode');
  if (mode === 'delete') return [edit(path, 'delete')];
  const made = edit(
    path,
    mode === 'insert' ? 'insert' : 'replace',
    undefined,
    stringAt(input, 'new_source', 'newSource'),
  );
  return [{ ...made, cell: readCell(input) }];
}

function readCell(input: Fields): NonNullable<Edit['cell']> {
  const id = textAt(input, 'cell_id', 'cellId');
  const kind = textAt(input, 'cell_type', 'cellType');
  return { ...(id !== undefined && { id }), ...(kind !== undefined && { kind }) };
}

function readReplacement(input: Fields, path: string): Edit {
  const before = stringAt(input, 'old_string', 'oldString');
  const made = edit(path, 'replace', before, stringAt(input, 'new_string', 'newString'));
  return input['replace_all'] === true || input['replaceAll'] === true ? { ...made, all: true } : made;
}

function edit(path: string, operation: Edit['operation'], before?: string, after?: string): Edit {
  const made: { -readonly [K in keyof Edit]: Edit[K] } = { path, operation };
  if (before !== undefined) made.old = before;
  if (after !== undefined) made.new = after;
  return made;
}

function addLines(call: Draft, input: Fields, output: unknown): void {
  const file = isFields(output) && isFields(output['file']) ? output['file'] : NO_INPUT;
  const first = numberAt(input, 'offset') ?? numberAt(file, 'startLine', 'start_line');
  const count = numberAt(input, 'limit') ?? numberAt(file, 'numLines', 'num_lines');
  if (first !== undefined) call.lines = count === undefined ? { first } : { first, count };
  else if (count !== undefined) call.lines = { count };
}

function readQuery(kind: ToolKind, input: Fields): string | undefined {
  switch (kind) {
    case 'search':
    case 'glob':
      return textAt(input, 'pattern');
    case 'web':
    case 'mcp':
      return textAt(input, 'query');
    case 'fetch':
      return textAt(input, 'url');
    default:
      return undefined;
  }
}

function addOutput(call: Draft, output: unknown): void {
  call.output = output;
  const text = isFields(output) ? resultText(call.kind, output) : blockText(output);
  if (text !== undefined) call.outputText = text;
  if (typeof output === 'string') {
    if (output.startsWith(REJECTED))
      addFailure(call, output.slice(REJECTED.length).replace(/<\/tool_use_error>\s*$/, ''));
  } else if (isFields(output)) {
    if (textAt(output, 'backgroundTaskId', 'background_task_id') !== undefined) call.background = true;
    const error = output['error'];
    const reported = isFields(error) || (typeof error === 'string' && error !== '');
    const flagged = output['success'] === false || output['is_error'] === true || output['isError'] === true;
    if (reported || flagged) addFailure(call, error);
  }
}

function resultText(kind: ToolKind, output: Fields): string | undefined {
  switch (kind) {
    case 'shell': {
      const printed = stringAt(output, 'stdout');
      const errors = textAt(output, 'stderr');
      return printed === undefined || printed === ''
        ? (errors ?? printed)
        : errors === undefined
          ? printed
          : `${printed}\n${errors}`;
    }
    case 'read':
      return isFields(output['file']) ? stringAt(output['file'], 'content') : stringAt(output, 'content');
    case 'search':
    case 'glob':
      return textAt(output, 'content') ?? blockText(output['filenames']);
    case 'write':
    case 'edit':
      return undefined;
    default:
      return blockText(output['content']);
  }
}

function addFailure(call: Draft, error: unknown): void {
  call.failed = true;
  const text = isFields(error)
    ? textAt(error, 'message')
    : typeof error === 'string' && error !== ''
      ? error
      : undefined;
  if (text !== undefined) call.error = text;
}
