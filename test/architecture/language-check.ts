import type { Check, Snippet } from './parts.ts';
import { at, importsWhere, inProduct, isGenerated } from './parts.ts';
import type { SourceFile, Word } from './source.ts';

/** One folder per language of code graphs, and what all of them share. */
const LANGUAGES = 'src/graph/languages/';
const OF_LANGUAGE = /^src\/graph\/languages\/[^/]+\//;

const DESCRIPTOR = /^src\/graph\/languages\/[^/]+\/language\.ts$/;
/** Shorter ones are parts of other words. */
const TELLING = 5;
/** A tool of agents is called as a language is. */
const NAMES_TOOLS = 'src/graph/resident/event-signals.ts';

/** What follows `name:` in the descriptors. */
function readLanguageNames(files: readonly SourceFile[]): readonly string[] {
  return files
    .filter(({ path }) => DESCRIPTOR.test(path))
    .flatMap(({ words }) =>
      words.flatMap(({ kind, value }, n) => {
        const before = words[n - 1];
        return kind === 'text' && before?.kind === 'name' && before.value === 'name' ? [value] : [];
      }),
    );
}

/** The language that a word names: as a text by itself, or within a name. */
function languageIn({ path }: SourceFile, word: Word, languages: readonly string[]): string | undefined {
  if (path === NAMES_TOOLS) return undefined;
  if (word.kind === 'text') return languages.find((language) => word.value === language);
  const name = word.value.toLowerCase();
  return languages.find((language) => language.length > TELLING && name.includes(language));
}

const LANGUAGE: Snippet = {
  'src/graph/languages/python/language.ts': `export const python = { name: 'python', code: 2, programs: 'pypy' }`,
};

export const LANGUAGE_CHECK: Check = {
  name: 'only its own folder knows a language of code graphs',
  covers: (file) => inProduct(file) && !file.path.startsWith(LANGUAGES) && !isGenerated(file.path),
  find(files) {
    const known = readLanguageNames(files);
    return files.filter(this.covers).flatMap((file) => [
      ...importsWhere(file, ({ target }) => OF_LANGUAGE.test(target), 'a generated index knows the languages'),
      ...(file.path.startsWith('src/graph/') ? file.words : []).flatMap((word) => {
        const name = languageIn(file, word, known);
        return name === undefined ? [] : [at(file, word, `names the language ${name}: ${word.value}`)];
      }),
    ]);
  },
  bad: [
    { ...LANGUAGE, 'src/graph/resolve/scope.ts': `if (file.language === 'python') skip()` },
    { ...LANGUAGE, 'src/graph/resolve/scope.ts': `const isPythonFile = true` },
    { ...LANGUAGE, 'src/graph/walk/endings.ts': `const BY_ENDING = new Map([['.py', 'python']])` },
    { ...LANGUAGE, 'src/graph/resolve/scope.ts': `import { python } from '../languages/python/resolution.ts'` },
    { ...LANGUAGE, 'src/cli/show.ts': `import type { Source } from '../graph/languages/python/language.ts'` },
  ],
  fine: [
    {
      ...LANGUAGE,
      'src/graph/resolve/scope.ts': `// As python does.\nif (rules.exportsAll) skip('no python here', 'pypy')`,
    },
    { ...LANGUAGE, 'src/effects/code.ts': `const PROGRAMS = ['python']` },
    { ...LANGUAGE, 'src/graph/languages/cython/resolution.ts': `import { python } from '../python/resolution.ts'` },
    { ...LANGUAGE, 'src/graph/resolve/rules.ts': `import { RULES } from '../languages/resolution.generated.ts'` },
    { ...LANGUAGE, 'src/graph/resolve/scope.test.ts': `const language = 'python'` },
  ],
};
