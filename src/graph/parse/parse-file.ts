import { systemClock } from '../../platform/clock.ts';
import { cpuMicros } from '../../platform/cpu-time.ts';
import type { FileFacts, FileFlag, Language } from '../model/facts.ts';
import type { Extracted, Extractor, Source } from '../languages/language.ts';
import { loadExtractor } from '../languages/load-extractor.ts';
import type { CodeLanguage } from '../languages/index.generated.ts';
import { languageOfText } from '../walk/known-languages.ts';
import { ANY_WORD } from '../model/lost.ts';
import { readManifest } from '../manifests/manifests.ts';
import { budgetFor } from './budget.ts';
import { flagsOf } from './flags.ts';
import { lostCalls, wordsIn } from './lost-words.ts';
import { decodeText, startsOfLines, withoutConflicts } from './read-text.ts';

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
