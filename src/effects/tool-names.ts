import { listed } from './arguments.ts';
import type { ToolCall } from '../event/event.ts';

type Input = ToolCall['input'];

/** The words of a tool's name: `write_file`, `writeFile`, `fs.write-file`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

export type FileVerb = 'delete' | 'write' | 'append' | 'mkdir' | 'edit' | 'read' | 'move' | 'copy';

const FILE_VERBS: ReadonlyMap<string, FileVerb> = new Map([
  ...['delete', 'remove', 'unlink', 'rm', 'erase', 'rmdir', 'del'].map((word) => [word, 'delete'] as const),
  ...['move', 'rename', 'mv'].map((word) => [word, 'move'] as const),
  ...['copy', 'cp', 'duplicate'].map((word) => [word, 'copy'] as const),
  ['append', 'append'],
  ...['edit', 'patch', 'replace', 'insert', 'update', 'modify', 'touch'].map((word) => [word, 'edit'] as const),
  ...['write', 'create', 'save', 'overwrite', 'put', 'download'].map((word) => [word, 'write'] as const),
  ['mkdir', 'mkdir'],
  ...listed('read view open cat load get show head tail').map((word) => [word, 'read'] as const),
]);
/** Say something about files and neither read nor change them. */
const HARMLESS: ReadonlySet<string> = new Set(
  listed('list ls stat info metadata exists allowed outline symbols diagnostics references'),
);
const FOLDERS: ReadonlySet<string> = new Set(['directory', 'dir', 'folder', 'directories']);

/** What a tool does to files, by the first verb in its name. */
export function fileVerbOf(words: readonly string[]): FileVerb | undefined {
  if (words.some((word) => HARMLESS.has(word))) return undefined;
  for (const word of words) {
    const verb = FILE_VERBS.get(word);
    if (verb === undefined) continue;
    return verb === 'write' && words.some((each) => FOLDERS.has(each)) ? 'mkdir' : verb;
  }
  return undefined;
}

const ELSEWHERE = ['repo', 'repository', 'owner', 'bucket', 'project_id', 'projectId', 'fileId', 'file_id'];

/** The paths of such a call are those of a repository or store on another machine. */
export function namesRemote(input: Input): boolean {
  return ELSEWHERE.some((key) => typeof input[key] === 'string');
}

const FROM = listed('source src from source_path sourcePath old_path oldPath path file_path oldName');
const TO = listed('destination dest to target destination_path destinationPath new_path newPath target_path newName');

export function movedBy(input: Input): { readonly from: string | undefined; readonly to: string | undefined } {
  return { from: firstOf(input, FROM), to: firstOf(input, TO) };
}

const SHELL_WORDS: ReadonlySet<string> = new Set(
  listed('run exec execute shell bash zsh sh terminal command commands cmd console process powershell ssh spawn'),
);
const SHELL_KEYS = ['command', 'cmd', 'script', 'commandLine', 'command_line', 'commands'];

/** The command line that a tool of another server is told to run. */
export function shellTextOf(tool: ToolCall): string | undefined {
  if (tool.kind !== 'mcp' && tool.kind !== 'other') return undefined;
  if (!wordsOf(`${tool.mcp?.server ?? ''} ${tool.mcp?.tool ?? tool.name}`).some((word) => SHELL_WORDS.has(word)))
    return undefined;
  const { input } = tool;
  for (const key of SHELL_KEYS) {
    const given = input[key];
    if (typeof given === 'string' && given.trim() !== '') {
      const args = stringsIn(input['args'] ?? input['arguments']);
      return args.length === 0 ? given : [given, ...args.map(quote)].join(' ');
    }
    const list = stringsIn(given);
    if (list.length > 0) return key === 'commands' ? list.join('\n') : list.map(quote).join(' ');
  }
  return undefined;
}

const SQL_WORDS: ReadonlySet<string> = new Set(
  listed('sql query database db postgres postgresql mysql mariadb sqlite execute statement duckdb supabase'),
);
const SQL_KEYS = ['sql', 'query', 'statement', 'queries', 'statements'];
const SQL_START =
  /^\s*(?:--|\/\*|\(*\s*(?:select|insert|update|delete|drop|truncate|alter|create|with|grant|revoke|begin|set|call|do|merge|replace|pragma|vacuum|use)\b)/i;

/** The SQL that a tool of another server is told to run. */
export function sqlTextOf(tool: ToolCall): string | undefined {
  if (tool.kind !== 'mcp' && tool.kind !== 'other') return undefined;
  const text = SQL_KEYS.map((key) => tool.input[key])
    .flatMap((given) => (typeof given === 'string' ? [given] : stringsIn(given)))
    .join(';\n');
  if (text === '' || !SQL_START.test(text)) return undefined;
  const names = wordsOf(`${tool.mcp?.server ?? ''} ${tool.mcp?.tool ?? tool.name}`);
  return typeof tool.input['sql'] === 'string' || names.some((name) => SQL_WORDS.has(name)) ? text : undefined;
}

function firstOf(input: Input, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function quote(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
