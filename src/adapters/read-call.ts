import type { Edit, ToolCall, ToolKind } from '../event/event.ts';
import type { Fields } from './fields.ts';
import { isFields, numberAt, stringAt, textAt } from './fields.ts';
import { foreignPaths } from './foreign-paths.ts';
import type { PathBase } from './paths.ts';
import { resolvePath } from './paths.ts';

/** One of an agent's tools: what it does, and what the agent calls its arguments. */
export interface ToolWords {
  readonly kind: ToolKind;
  /** The file, a list of files, or the place that is searched. */
  readonly path?: string;
  /** The whole new text of a file. */
  readonly text?: string;
  readonly old?: string;
  readonly new?: string;
  /** True where every place that holds the old text is replaced. */
  readonly all?: string;
  readonly query?: string;
  /** The first line that is read, and the last or how many. */
  readonly first?: string;
  /** How many lines come before the first that is read. */
  readonly skipped?: string;
  readonly last?: string;
  readonly count?: string;
  /** Both in one list: the first line and the last. */
  readonly range?: string;
  /** Where a command runs, if not where the session is. */
  readonly dir?: string;
}

/** What an agent has for tools. */
export interface ToolTable {
  readonly tools: Readonly<Record<string, ToolWords>>;
  /** All that the agent may take a path for. */
  spell?(path: string): readonly string[];
}

export type CallDraft = { -readonly [K in keyof ToolCall]: ToolCall[K] };

const NO_INPUT: Fields = Object.freeze({});
/** What every agent calls the text that its shell runs. */
const COMMAND = 'command';

/** One call, by the agent's table of its tools. What is in no table is looked through for paths. */
export function readCall(
  name: string,
  given: unknown,
  { tools, spell = (path) => [path] }: ToolTable,
  base: PathBase,
): CallDraft {
  const input = isFields(given) ? given : NO_INPUT;
  const words: ToolWords = (Object.hasOwn(tools, name) ? tools[name] : undefined) ?? { kind: 'other' };
  const { kind } = words;
  const call: CallDraft = { kind, name, input, hasInput: isFields(given), paths: [], edits: [] };
  if (words.path !== undefined) call.paths = pathsIn(input[words.path], spell, base);
  else if (kind === 'other') call.paths = foreignPaths(input, base);
  const command = input[COMMAND];
  if (kind === 'shell' && typeof command === 'string') call.command = command;
  const dir = words.dir === undefined ? undefined : textAt(input, words.dir);
  if (dir !== undefined) call.dir = resolvePath(dir, base);
  if (kind === 'write' || kind === 'edit') call.edits = [readEdit(kind, words, input, call.paths[0] ?? '')];
  const query = words.query === undefined ? undefined : textAt(input, words.query);
  if (query !== undefined) call.query = query;
  addLines(call, words, input);
  const unread = whyUnread(call);
  if (unread !== undefined) call.unread = unread;
  return call;
}

function pathsIn(value: unknown, spell: NonNullable<ToolTable['spell']>, base: PathBase): readonly string[] {
  const told: readonly unknown[] = Array.isArray(value) ? value : [value];
  const spelt = told.flatMap((path) => (typeof path === 'string' && path !== '' ? spell(path) : []));
  return spelt.map((path) => resolvePath(path, base));
}

/** A call of a tool that a server brings. */
export function asServerCall(call: CallDraft, server: string, tool: string, base: PathBase): void {
  call.kind = 'mcp';
  call.mcp = { server, tool };
  call.paths = foreignPaths(call.input, base);
  call.edits = [];
  const query = textAt(call.input, 'query');
  if (query !== undefined) call.query = query;
}

/** One that most agents call by the names of both, `mcp__server__tool`. */
export function asNamedServerCall(call: CallDraft, base: PathBase): void {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(call.name) ?? [];
  if (server !== undefined && tool !== undefined) asServerCall(call, server, tool, base);
}

function readEdit(kind: 'write' | 'edit', words: ToolWords, input: Fields, path: string): Edit {
  const now = stringAt(input, (kind === 'write' ? words.text : words.new) ?? '');
  const before = kind === 'write' ? undefined : stringAt(input, words.old ?? '');
  return {
    path,
    operation: kind === 'write' ? 'write' : 'replace',
    ...(before !== undefined && { old: before }),
    ...(now !== undefined && { new: now }),
    ...(words.all !== undefined && input[words.all] === true && { all: true }),
  };
}

function addLines(call: CallDraft, words: ToolWords, input: Fields): void {
  const at = (key: string | undefined): number | undefined => (key === undefined ? undefined : numberAt(input, key));
  const range = words.range === undefined ? undefined : input[words.range];
  const [from, to] = Array.isArray(range) ? (range as readonly unknown[]) : [];
  const skipped = at(words.skipped);
  const told = skipped === undefined ? at(words.first) : skipped + 1;
  const first = typeof from === 'number' ? from : told;
  // A last line below the first stands for the end of the file.
  const last = typeof to === 'number' && to >= (first ?? 1) ? to : at(words.last);
  const count = last === undefined ? at(words.count) : last - (first ?? 1) + 1;
  if (first === undefined && count === undefined) return;
  call.lines = { ...(first !== undefined && { first }), ...(count !== undefined && { count }) };
}

/** A newer client, or somebody who wants no rule to listen, may give another shape to what a tool is told to do. */
function whyUnread({ kind, name, command, paths }: CallDraft): string | undefined {
  if (name === '') return 'it names no tool';
  if (kind === 'shell') return command === undefined ? 'its command is no text' : undefined;
  const isFile = kind === 'read' || kind === 'write' || kind === 'edit';
  return isFile && paths.length === 0 ? 'it names no file' : undefined;
}
