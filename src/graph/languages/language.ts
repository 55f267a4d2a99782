import type { FileFacts, Language } from '../model/facts.ts';
import type { CodeLanguage } from './index.generated.ts';

/** The text of one file, with conflict markers blanked and line breaks as they are. */
export interface Source {
  readonly path: string;
  readonly language: Language;
  readonly text: string;
  readonly lines: readonly number[];
}

/** What an extractor finds; never throws, and finds what it can in damaged code. */
export type Extracted = Pick<
  FileFacts,
  'definitions' | 'references' | 'imports' | 'exports' | 'bindings' | 'package'
> & { readonly damaged: boolean };

/** Extractors load what they need, such as a grammar, once; then they answer at once. */
export interface Extractor {
  extract(source: Source): Extracted;
}

/** What the `extractor.ts` of a folder exports. */
export interface ExtractorModule {
  createExtractor(language: CodeLanguage): Extractor | Promise<Extractor>;
}
