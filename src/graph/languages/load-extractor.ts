import { EXTRACTORS } from './extractors.generated.ts';
import type { CodeLanguage } from './index.generated.ts';
import type { Extractor } from './language.ts';

/** Each language with its parser and grammar loads when the first file of it is met. */
export async function loadExtractor(language: CodeLanguage): Promise<Extractor> {
  return (await EXTRACTORS[language]()).createExtractor(language);
}
