import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFrom, loadModules } from './load-modules.mjs';

const LANGUAGES = 'src/graph/languages';
/** What is not code but is kept among it has a number as well. */
const MANIFEST = 11;

/** The languages that code graphs know: what all processes know of each, how it is resolved, and its extractor. */
export async function languageIndexes(root) {
  const folders = readdirSync(join(root, LANGUAGES), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const modules = await loadModules(
    root,
    folders.map((folder) => `${LANGUAGES}/${folder}/language.ts`),
  );
  const languages = folders
    .flatMap((folder, index) => Object.values(modules[index]).map((language) => ({ folder, ...language })))
    .sort((a, b) => a.code - b.code);
  checkCodes(languages);
  const namesIn = (folder) => languages.filter((each) => each.folder === folder).map(({ name }) => name);
  const importAll = (file) =>
    folders.map((folder) => `import { ${namesIn(folder).join(', ')} } from './${folder}/${file}.ts';\n`).join('');
  const names = languages.map(({ name }) => name);
  const having = (file) => folders.filter((folder) => existsSync(join(root, LANGUAGES, folder, `${file}.ts`)));
  const head = generatedFrom('the folders beside it');
  return {
    seen: `${languages.length} languages`,
    files: {
      [`${LANGUAGES}/index.generated.ts`]:
        `${head}import type { LanguageDescriptor } from './descriptor.ts';\n${importAll('language')}\n` +
        `export type CodeLanguage =${names.map((name) => `\n  | '${name}'`).join('')};\n\n` +
        `export const LANGUAGES = [${names.join(', ')}] as readonly (LanguageDescriptor & { readonly name: CodeLanguage })[];\n`,
      [`${LANGUAGES}/resolution.generated.ts`]:
        `${head}import type { CodeLanguage } from './index.generated.ts';\n` +
        `import type { LanguageRules } from './language-rules.ts';\n${importAll('resolution')}\n` +
        `export const RULES: Readonly<Record<CodeLanguage, LanguageRules>> = { ${names.join(', ')} };\n`,
      [`${LANGUAGES}/extractors.generated.ts`]:
        `${head}import type { CodeLanguage } from './index.generated.ts';\nimport type { ExtractorModule } from './language.ts';\n\n` +
        `export const EXTRACTORS: Readonly<Record<CodeLanguage, () => Promise<ExtractorModule>>> = {\n` +
        languages.map(({ name, folder }) => `  ${name}: () => import('./${folder}/extractor.ts'),\n`).join('') +
        `};\n`,
      [`${LANGUAGES}/samples.generated.ts`]:
        head +
        having('samples')
          .map((folder) => `import { SAMPLES as ${folder} } from './${folder}/samples.ts';\n`)
          .join('') +
        `\n/** A little of each grammar, with a mistake at the end: what is read from memory must be what the parser says of it. */\n` +
        `export const SAMPLES = { ${having('samples')
          .map((folder) => `...${folder}`)
          .join(', ')} } as const;\n`,
      [`${LANGUAGES}/manifests.generated.ts`]:
        `${head}import type { ManifestReader } from '../manifests/manifest-reader.ts';\n` +
        having('manifests')
          .map((folder) => `import { manifests as ${folder} } from './${folder}/manifests.ts';\n`)
          .join('') +
        `\nexport const MANIFESTS: readonly ManifestReader[] = [${having('manifests').join(', ')}];\n`,
      'src/packs/autocontext/code-files.generated.ts':
        `${generatedFrom(LANGUAGES)}/** Files that a code graph reads. */\nexport const CODE_FILES: readonly string[] = [\n` +
        languages
          .map(
            ({ endings }) =>
              `  ${endings
                .split(' ')
                .map((ending) => `'*${ending}',`)
                .join(' ')}\n`,
          )
          .join('') +
        `];\n`,
    },
  };
}

/** Stored data would be read as another language. */
function checkCodes(languages) {
  const taken = new Map([[MANIFEST, 'manifests']]);
  for (const { name, code } of languages) {
    if (taken.has(code)) throw new Error(`${name} has the code ${code}, which is that of ${taken.get(code)}`);
    taken.set(code, name);
  }
}
