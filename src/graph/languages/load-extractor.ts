import type { Language } from '../model/facts.ts';
import type { Extractor } from './language.ts';

/** Manifests have a reader of their own. */
export type CodeLanguage = Exclude<Language, 'manifest'>;

/** Each language with its parser and grammar loads when the first file of it is met. */
const LOADERS: Readonly<Record<CodeLanguage, () => Promise<Extractor>>> = {
  typescript: loadTypeScript,
  javascript: loadTypeScript,
  python: async () => (await import('./python/extractor.ts')).createPythonExtractor(),
  cython: async () => (await import('./cython/extractor.ts')).createCythonExtractor(),
  go: async () => (await import('./go/extractor.ts')).createGoExtractor(),
  rust: async () => (await import('./rust/extractor.ts')).createRustExtractor(),
  java: async () => (await import('./java/extractor.ts')).createJavaExtractor(),
  c: () => loadC('c'),
  cpp: () => loadC('cpp'),
  ruby: async () => (await import('./ruby/extractor.ts')).createRubyExtractor(),
  shell: async () => (await import('./shell/extractor.ts')).createShellExtractor(),
};

async function loadTypeScript(): Promise<Extractor> {
  return (await import('./typescript/extractor.ts')).createTypeScriptExtractor();
}

async function loadC(grammar: 'c' | 'cpp'): Promise<Extractor> {
  return (await import('./c/extractor.ts')).createCExtractor(grammar);
}

export function loadExtractor(language: CodeLanguage): Promise<Extractor> {
  return LOADERS[language]();
}
