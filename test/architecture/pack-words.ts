import { onceEach } from './source.ts';
import type { SourceFile, Word } from './source.ts';

/** Names of packs that are words of the trade as well: only what can mean nothing but the pack counts. */
const EVERYDAY = new Set(['context', 'guard']);
/** Where the bare text of such a name means something else. */
const OTHER_MEANINGS = new Map([
  [/^src\/(graph|mcp|cli\/graph)\/|^src\/cli\/commands\/graph/, "a question to the graph: a symbol's context"],
  [/^src\/cli\/show-explanation\.ts$/, 'a tier of deciding'],
  [/^src\/cli\/commands\/rules-list\.ts$/, 'a kind of rule'],
]);
const MANIFEST = /^src\/packs\/([^/]+)\/pack\.ts$/;
/** Its texts are the words of all manifests, so they are no pack's own. */
const MANIFEST_TYPE = 'src/event/pack.ts';

export interface PackWords {
  readonly packs: readonly string[];
  /** What packs say of themselves in their `pack.ts`: variables, files, other programs. */
  readonly own: readonly string[];
}

export function readPackWords(files: readonly SourceFile[]): PackWords {
  const textsIn = (path: string): string[] =>
    files.filter((file) => file.path === path).flatMap(({ words }) => words.flatMap(textOf));
  const manifests = files.map(({ path }) => path).filter((path) => MANIFEST.test(path));
  const general = new Set(textsIn(MANIFEST_TYPE));
  return {
    packs: manifests.map((path) => MANIFEST.exec(path)?.[1] ?? ''),
    own: [...new Set(manifests.flatMap(textsIn))].filter((text) => !general.has(text)),
  };
}

/** Only the bare names of some packs mean one thing here and another there. */
export function packWordFinder(known: PackWords): (word: Word, path: string) => string | undefined {
  const anywhere = onceEach((word) => packWordIn(word, '', known));
  return (word, path) => (EVERYDAY.has(word.value) ? packWordIn(word, path, known) : anywhere(word));
}

function packWordIn(word: Word, path: string, { packs, own }: PackWords): string | undefined {
  const means = (pack: string): boolean => (EVERYDAY.has(pack) ? meansPack(word, path, pack) : hasPart(word, pack));
  return (
    packs.find(means) ?? own.find((each) => (word.kind === 'text' ? hasWord(word.value, each) : hasPart(word, each)))
  );
}

function meansPack({ kind, value }: Word, path: string, pack: string): boolean {
  if (kind === 'name') return new RegExp(`${pack}_?pack|pack_?${pack}`, 'i').test(value);
  if (value === pack) return ![...OTHER_MEANINGS.keys()].some((place) => place.test(path));
  return new RegExp(`^${pack}/[a-z]|\\bpacks\\.${pack}\\b|\\bpack ${pack}\\b|\\b${pack} pack\\b`).test(value);
}

/** `AUTOCONTEXT_PACK`, `suggestCodegraph` and `no increments here` name packs; `incremental` does not. */
function hasPart({ value }: Word, name: string): boolean {
  return value.split(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/).some((part) => part.toLowerCase() === name);
}

/** Most texts do not hold it at all, and are not worth an expression. */
function hasWord(text: string, word: string): boolean {
  if (!text.includes(word)) return false;
  return new RegExp(`(?<![\\w.])${word.replaceAll(/[^\w]/g, '\\$&')}(?!\\w)`).test(text);
}

function textOf({ kind, value }: Word): string[] {
  return kind === 'text' ? [value] : [];
}
