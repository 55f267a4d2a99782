import type { Fields } from './fields.ts';
import { isFields } from './fields.ts';
import type { PathBase } from './paths.ts';
import { resolvePath } from './paths.ts';

/** What tools of foreign servers call a file or a folder, by the last word of the key. */
const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  ...['path', 'paths', 'file', 'files', 'filename', 'filenames', 'filepath', 'filepaths', 'folder', 'folders'],
  ...[
    'directory',
    'directories',
    'dir',
    'dirs',
    'uri',
    'uris',
    'source',
    'sources',
    'destination',
    'destinations',
    'dest',
    'attachment',
    'attachments',
  ],
]);
/** Called so, it may be one: if it looks like it. */
const LOOSE_KEYS: ReadonlySet<string> = new Set(['target', 'location', 'output', 'to', 'from', 'root']);
const LOOKS_LIKE_PATH = /^(?:~|\.{1,2})?\/\S*$|^~$/;
/** As deep as a payload may be. */
const DEEPEST = 100;
const FOREIGN_SCHEME = /^(?!file:)[a-z][a-z0-9+.-]*:\/\//i;
/** A longer name cannot be one of a file; what has it is a text. */
const LONG_NAME = /[^/]{256}/;

/** The files and folders in the input of a tool that nobody knows: under every key that is called like one, in lists and objects as well. */
export function foreignPaths(input: Fields, base: PathBase): readonly string[] {
  const found = new Set<string>();
  const take = (value: unknown, isPath: boolean, depth: number): void => {
    if (typeof value === 'string') {
      if (!isPath || value === '' || value.includes('\n') || LONG_NAME.test(value)) return;
      if (!FOREIGN_SCHEME.test(value)) found.add(resolvePath(value, base));
    } else if (Array.isArray(value)) {
      if (depth < DEEPEST) for (const item of value as readonly unknown[]) take(item, isPath, depth + 1);
    } else if (isFields(value) && depth < DEEPEST) {
      for (const [key, below] of Object.entries(value)) {
        const word = lastWord(key);
        const loose = LOOSE_KEYS.has(word) && typeof below === 'string' && LOOKS_LIKE_PATH.test(below);
        take(below, loose || FOREIGN_KEYS.has(word), depth + 1);
      }
    }
  };
  take(input, false, 0);
  return [...found];
}

function lastWord(key: string): string {
  const words = key.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.slice(words.search(/[a-z\d]+$/));
}
