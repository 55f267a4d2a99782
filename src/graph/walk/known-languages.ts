import type { Language } from '../model/facts.ts';
import type { LanguageDescriptor } from '../languages/descriptor.ts';
import { LANGUAGES } from '../languages/index.generated.ts';
import type { CodeLanguage } from '../languages/index.generated.ts';

const byLanguage: ReadonlyMap<Language, LanguageDescriptor> = new Map(LANGUAGES.map((each) => [each.name, each]));
const byEnding = languagesBy('endings');
const descriptorByEnding = new Map([...byEnding].map(([ending, language]) => [ending, byLanguage.get(language)]));
const byProgram = languagesBy('programs');
const byName = new Map([...languagesBy('files'), ...[...languagesBy('manifests').keys()].map(asManifest)]);
const manifestPatterns = LANGUAGES.flatMap(({ manifestPattern }) => manifestPattern ?? []);

function languagesBy(list: 'endings' | 'files' | 'manifests' | 'programs'): ReadonlyMap<string, Language> {
  return new Map(
    LANGUAGES.flatMap(({ name, [list]: words }) => (words?.split(' ') ?? []).map((word) => [word, name] as const)),
  );
}

function asManifest(name: string): readonly [string, Language] {
  return [name, 'manifest'];
}

/** As the kernel reads it: a path, perhaps through `env` with its options and variables. */
const SHEBANG = /^#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*)?(?:\S*\/)?([a-z]+)[\d.]*(?=\s|$)/;

/** Those that code is written in. */
export const KNOWN_LANGUAGES: ReadonlySet<string> = new Set(byLanguage.keys());

/** Undefined for what is no code. */
export function descriptorOf(language: Language): LanguageDescriptor | undefined {
  return byLanguage.get(language);
}

/** By the ending alone, which is enough for what is asked of many symbols at once. */
export function descriptorOfPath(path: string): LanguageDescriptor | undefined {
  const ending = path.slice(path.lastIndexOf('.'));
  return descriptorByEnding.get(ending) ?? descriptorByEnding.get(ending.toLowerCase());
}

/** By the name alone; `unclear` for a file whose first line has to say it. */
export function languageOf(name: string): Language | 'unclear' | undefined {
  const known = byName.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  if (dot > 0) {
    const ending = name.slice(dot);
    const language = byEnding.get(ending);
    if (language !== undefined) return language;
    if (manifestPatterns.some((pattern) => pattern.test(name))) return 'manifest';
    return byEnding.get(ending.toLowerCase());
  }
  // Files such as LICENSE and README are many and are never programs.
  return dot === 0 || name === name.toUpperCase() ? undefined : 'unclear';
}

/** The language of code that a file is in by its name alone. */
export function languageByName(name: string): string | undefined {
  const language = languageOf(name);
  return language !== undefined && KNOWN_LANGUAGES.has(language) ? language : undefined;
}

/** What a file is by its text, where the name leaves that open. */
export function languageOfText(named: CodeLanguage, path: string, text: string): CodeLanguage {
  const { byText } = byLanguage.get(named) ?? {};
  const isOther = byText !== undefined && path.endsWith(byText.ending) && byText.text.test(text);
  return isOther ? (byText.language as CodeLanguage) : named;
}

/** The first line of a script says which program reads it. */
export function languageOfShebang(start: string): Language | undefined {
  const program = SHEBANG.exec(start)?.[1];
  return program === undefined ? undefined : byProgram.get(program);
}
