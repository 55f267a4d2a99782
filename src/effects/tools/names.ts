import { listed } from '../words/arguments.ts';
import type { ToolCall } from '../../event/event.ts';

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
  ...listed('delete remove unlink rm erase rmdir del trash').map((word) => [word, 'delete'] as const),
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
const SEARCHES: ReadonlySet<string> = new Set(listed('search find grep glob query lookup tree hover definition'));
const FOLDERS: ReadonlySet<string> = new Set(['directory', 'dir', 'folder', 'directories']);

/** The tool neither reads nor changes the files it is asked about. */
export function tellsOnly(words: readonly string[]): boolean {
  return words.some((word) => HARMLESS.has(word) || SEARCHES.has(word));
}

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

/** Say that something there stops to exist. */
const DESTROYS: ReadonlySet<string> = new Set(listed('delete destroy terminate remove purge uninstall drop prune'));
/** Servers behind which are machines, stores and projects that others use. */
const CLOUDS: ReadonlySet<string> = new Set(
  listed(
    'github gitlab bitbucket gitea kubernetes kubectl k8s openshift helm argocd aws s3 ec2 lambda dynamodb cloudformation gcp gcloud ' +
      'azure cloudflare vercel netlify heroku railway render fly flyio digitalocean hetzner linode terraform pulumi docker ' +
      'portainer supabase neon planetscale firebase cloud',
  ),
);

/** The tool of a cloud-like server that ends something there. */
export function destroysCloud(server: string, words: readonly string[]): boolean {
  return words.some((word) => DESTROYS.has(word)) && wordsOf(server).some((word) => CLOUDS.has(word));
}

/** What holds data that nothing brings back. */
const STORES: ReadonlySet<string> = new Set(
  listed('database databases db collection collections table tables schema keyspace dataset'),
);

/** The tool empties or ends a store of data: `drop-collection`, `delete_database`, `flushall`. */
export function destroysData(words: readonly string[]): boolean {
  if (words.some((word) => word === 'flushall' || word === 'flushdb')) return true;
  return words.some((word) => DESTROYS.has(word) || word === 'truncate') && words.some((word) => STORES.has(word));
}

const UPLOADS: ReadonlySet<string> = new Set(listed('push upload send attach'));

/** The tool carries the files it is given, or their text, to another machine. */
export function sendsFiles(words: readonly string[], input: Input): boolean {
  if (words.some((word) => UPLOADS.has(word))) return true;
  const verb = namesRemote(input) ? fileVerbOf(words) : undefined;
  return verb === 'write' || verb === 'edit' || verb === 'append';
}

const SEARCHED_NAMES = ['glob', 'include', 'include_pattern', 'file_pattern', 'filePattern'];
const SHOWN = ['output_mode', 'outputMode', 'output'];

/** The files that a search shows lines of, by their name: of files that merely match, nothing is seen. */
export function namesSearched(input: Input): readonly string[] {
  const shown = firstOf(input, SHOWN);
  // A search of the second kind shows lines unless it is told otherwise.
  const isShown =
    shown === undefined ? 'include_pattern' in input && input['names_only'] !== true : shown === 'content';
  if (!isShown) return [];
  return SEARCHED_NAMES.flatMap((key) => {
    const value = input[key];
    return typeof value === 'string' && value !== '' && !value.startsWith('!') ? [value] : stringsIn(value);
  });
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

const SQL_WORDS: ReadonlySet<string> = new Set(
  listed('sql query database db postgres postgresql mysql mariadb sqlite execute statement duckdb supabase'),
);
const SQL_KEYS = ['sql', 'query', 'statement', 'queries', 'statements'];
/** One whole statement that takes something away, and nothing a person would search for. */
const SQL_LOSS =
  /^\s*(?:drop\s+(?:table|database|schema|view|index|role|user)\s+(?:if\s+exists\s+)?[\w."`[\]]+(?:\s+cascade)?|truncate\s+(?:table\s+)?[\w."`[\]]+(?:\s+cascade)?|delete\s+from\s+[\w."`[\]]+(?:\s+where\s[^;]*)?)\s*;?\s*$/i;
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
  if (typeof tool.input['sql'] === 'string' || names.some((name) => SQL_WORDS.has(name))) return text;
  return SQL_LOSS.test(text) && !tellsOnly(names) ? text : undefined;
}

export function firstOf(input: Input, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = input[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

export function stringsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** As deep as a payload may be. */
const DEEPEST = 100;

/** All texts that a tool is given, however deep. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((below) => textsIn(below, depth + 1));
}
