import { isUtf8 } from 'node:buffer';
import { systemClock } from '../../platform/clock.ts';
import { cpuMicros } from '../../platform/cpu-time.ts';
import type { FileFacts, FileFlag, Language, Definition, Manifest } from '../model/facts.ts';
import type { Extracted, Extractor, Source } from '../languages/language.ts';
import type { CodeLanguage } from '../languages/index.generated.ts';
import { languageOfText } from '../walk/known-languages.ts';
import { ANY_WORD, LEAST_WORD } from '../model/lost.ts';
import { budgetFor } from './budget.ts';
import { flagsOf } from './flags.ts';
import { EXTRACTORS } from '../languages/extractors.generated.ts';
import { MANIFESTS } from '../languages/manifests.generated.ts';
import { string, strings } from '../manifests/fields.ts';

interface DecodedText {
  readonly text: string;
  /** `not-utf8` may stand beside a text: a name in an old encoding somewhere in a comment spoils nothing else. */
  readonly flag?: Extract<FileFlag, 'binary' | 'not-utf8'>;
}

const utf8 = new TextDecoder('utf-8');
const utf16le = new TextDecoder('utf-16le');
const utf16be = new TextDecoder('utf-16be');
/** More unreadable characters than one in this many, and the file is in no encoding that we know. */
const READABLE = 100;
const REPLACEMENT = '\uFFFD';

/** A byte order mark is no part of the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return checked(utf16le.decode(bytes));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return checked(utf16be.decode(bytes));
  if (bytes.includes(0)) return { text: '', flag: 'binary' };
  const text = utf8.decode(bytes);
  if (isUtf8(bytes)) return { text };
  let unreadable = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) unreadable += 1;
  return { text: unreadable * READABLE > text.length ? '' : text, flag: 'not-utf8' };
}

function checked(text: string): DecodedText {
  return text.includes('\0') ? { text: '', flag: 'binary' } : { text };
}

/** Where each line starts. Only a line feed ends one, as the parsers and the tools that show lines have it. */
export function startsOfLines(text: string): number[] {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return lines;
}

const MARKER = /^(?:<{7} .*|\|{7}(?: .*)?|={7}|>{7} .*)$/gm;

/** The text with the markers of an unfinished merge blanked, so that both sides are read and every offset stays. */
export function withoutConflicts(text: string): string {
  if (!text.includes('<<<<<<< ') || !text.includes('\n>>>>>>> ')) return text;
  return text.replace(MARKER, (marker) => ' '.repeat(marker.length));
}

const MOST_WORDS = 20_000;
const WORD = new RegExp(String.raw`[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]{${LEAST_WORD - 1},}`, 'g');
const CALL = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*(?=[ \t]*(?:<[^<>()\n]*>)?\()/g;
/** What a text that is not read may speak of. */
export function wordsIn(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.matchAll(WORD)) if (words.add(word).size > MOST_WORDS) return [ANY_WORD];
  return [...words].sort();
}

/** What is called in a text without being among the facts, because the parser could not read the place. */
export function lostCalls(
  text: string,
  lines: readonly number[],
  { references, definitions }: Pick<Extracted, 'references' | 'definitions'>,
): string[] {
  const known = new Set([...references, ...definitions].map(({ at }) => at));
  const lost = new Set<string>();
  let line = 0;
  for (const { 0: word, index } of text.matchAll(CALL)) {
    if (known.has(index)) continue;
    while ((lines[line + 1] ?? Infinity) <= index) line += 1;
    const before = text.slice(Math.max(lines[line] ?? 0, index - MOST_BEFORE), index);
    if (!isUnmeant(before) && lost.add(word).size > MOST_WORDS) return [ANY_WORD];
  }
  return [...lost].sort();
}

const MOST_BEFORE = 400;

/** By what stands before it on its line: in a remark, or in a string. */
function isUnmeant(before: string): boolean {
  if (/^\s*[#*]|\/\/|\/\*(?!.*\*\/)/.test(before)) return true;
  return ['"', "'"].some((quote) => before.split(quote).length % 2 === 0);
}

/** Of a manifest: what resolution needs, and definitions that make its package findable by name. */
interface ManifestFacts {
  readonly manifest: Manifest;
  readonly definitions: readonly Definition[];
}

/** A broken manifest is an empty one. */
export function readManifest(path: string, text: string): ManifestFacts {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (const { read, nameKey, otherNamesKey = '' } of MANIFESTS) {
    const found = read(name, text);
    if (found === undefined) continue;
    const manifest = withoutGaps(found);
    const names = [string(manifest[nameKey]) ?? '', ...strings(manifest[otherNamesKey])];
    return { manifest, definitions: names.filter((each) => each !== '').map((each) => packageCalled(each, text)) };
  }
  return { manifest: {}, definitions: [] };
}

function packageCalled(name: string, text: string): Definition {
  const at = Math.max(0, text.indexOf(name));
  return {
    name,
    kind: 'namespace',
    container: -1,
    start: at,
    end: at + name.length,
    at,
    signature: name,
    exported: true,
    visibility: 'public',
    traits: [],
    bases: [],
    generics: [],
    parameters: [],
    values: [],
  };
}

function withoutGaps(manifest: Readonly<Record<string, unknown>>): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([, value]) => value !== undefined));
}

/** Each language with its parser and grammar loads when the first file of it is met. */
async function loadExtractor(language: CodeLanguage): Promise<Extractor> {
  return (await EXTRACTORS[language]()).createExtractor(language);
}

export interface ParseOptions {
  /** What any file may take; by itself that grows with the file. */
  readonly budgetMs?: number;
  /** Where extractors come from. */
  readonly load?: (language: CodeLanguage) => Promise<Extractor>;
  readonly micros?: () => number;
  readonly cpu?: () => number;
}

/** Never throws: whatever is wrong with a file is among its flags. */
export interface FileParser {
  /**
   * Waits only when this is the first file of its language. What is larger than `maxFile` bytes is recorded without content:
   * of what is larger than `MAX_SCANNED_BYTES` as well it is enough to read one byte more.
   */
  parse(path: string, language: Language, bytes: Uint8Array, maxFile?: number): Promise<FileFacts>;
}

export const MAX_FILE_BYTES = 1024 * 1024;
/** What is too large to be read is looked through for words up to this size. */
export const MAX_SCANNED_BYTES = 4 * 1024 * 1024;
/** A mean line longer than this is nothing that a person wrote. */
const MINIFIED_LINE = 500;
/** As much of a generated file is read: what is called from outside stands in it many times over, and nobody reads the rest. */
export const MAX_GENERATED_LINES = 5_000;
/** Beyond so many times its budget, a file gets no second try. */
const GIVES_UP = 20;

export function createParser(options: ParseOptions = {}): FileParser {
  const { load = loadExtractor, micros = systemClock.micros, cpu = cpuMicros } = options;
  const extractors = new Map<CodeLanguage, Extractor>();

  async function extractorOf(language: CodeLanguage): Promise<Extractor> {
    const known = extractors.get(language);
    if (known) return known;
    const extractor = await load(language);
    extractors.set(language, extractor);
    return extractor;
  }

  function extract(extractor: Extractor, source: Source): Extracted | 'slow' | 'damaged' {
    const budgetMs = options.budgetMs ?? budgetFor(source.text.length);
    const started = micros();
    const found = attempt(extractor, source);
    const took = (micros() - started) / 1_000;
    if (took <= budgetMs) return found ?? 'damaged';
    if (took > GIVES_UP * budgetMs) return 'slow';
    // A first parse pays for what every later one finds ready, and a busy machine adds to the time of day.
    const used = cpu();
    const again = attempt(extractor, source);
    return (cpu() - used) / 1_000 <= budgetMs ? (again ?? 'damaged') : 'slow';
  }

  return {
    async parse(path, named, bytes, maxFile = MAX_FILE_BYTES) {
      if (bytes.length > Math.max(maxFile, MAX_SCANNED_BYTES))
        return factsWithout(path, named, 'too-large', [], [ANY_WORD]);
      const decoded = decodeText(bytes);
      if (decoded.flag && decoded.text === '') return factsWithout(path, named, decoded.flag);
      if (bytes.length > maxFile) return factsWithout(path, named, 'too-large', [], wordsIn(decoded.text));
      if (named === 'manifest') return manifestFacts(path, decoded.text);

      const language = languageOfText(named, path, decoded.text);
      let text = decoded.text;
      let lines = startsOfLines(text);
      const flags = flagsOf(path, language, text, lines);
      if (text.length > MINIFIED_LINE * lines.length)
        return factsWithout(path, language, 'minified', flags, wordsIn(text));
      const isCut = flags.includes('generated') && lines.length > MAX_GENERATED_LINES;
      if (isCut) {
        text = text.slice(0, lines[MAX_GENERATED_LINES]);
        lines = lines.slice(0, MAX_GENERATED_LINES);
      }
      const merged = withoutConflicts(text);

      let found: ReturnType<typeof extract>;
      try {
        const extractor = await extractorOf(language);
        found = extract(extractor, { path, language, text: merged, lines });
      } catch {
        // The grammar could not be loaded; the file is there all the same.
        found = 'damaged';
      }
      const lost = typeof found === 'string' || isNothing(found) ? wordsIn(decoded.text) : lostIn(found, isCut);
      if (typeof found === 'string') return factsWithout(path, language, found, flags, lost);
      // Where it was cut, the parser cannot but miss the end.
      if ((found.damaged && !isCut) || merged !== text) flags.push('damaged');
      if (decoded.flag) flags.push(decoded.flag);
      if (isCut) flags.push('cut');
      const { definitions, references, imports, exports, bindings } = found;
      return {
        path,
        language,
        flags,
        lines,
        definitions,
        references,
        imports,
        exports,
        bindings,
        ...(found.package !== undefined && { package: found.package }),
        ...(lost.length > 0 && { lost }),
      };

      function lostIn(read: Extracted, cut: boolean): string[] {
        const calls = read.damaged && !cut ? lostCalls(text, lines, read) : [];
        return cut ? wordsIn(decoded.text.slice(text.length)) : calls;
      }
    },
  };
}

/** The parser gave up at once: such code is nested too deep, or is another language. */
function isNothing({ damaged, definitions, references }: Extracted): boolean {
  return damaged && definitions.length === 0 && references.length === 0;
}

function attempt(extractor: Extractor, source: Source): Extracted | undefined {
  try {
    return extractor.extract(source);
  } catch {
    // Such as a stack that ends in code that nests without end.
    return undefined;
  }
}

/** Of a file that is recorded without content. */
function factsWithout(
  path: string,
  language: Language,
  reason: FileFlag,
  flags: readonly FileFlag[] = [],
  lost: readonly string[] = [],
): FileFacts {
  return {
    ...(lost.length > 0 && { lost }),
    path,
    language,
    flags: [...flags, reason],
    lines: [0],
    definitions: [],
    references: [],
    imports: [],
    exports: [],
    bindings: [],
  };
}

function manifestFacts(path: string, text: string): FileFacts {
  const { manifest, definitions } = readManifest(path, text);
  return {
    path,
    language: 'manifest',
    flags: [],
    lines: startsOfLines(text),
    definitions,
    references: [],
    imports: [],
    exports: [],
    bindings: [],
    manifest,
  };
}
