import type { Language } from '../model/facts.ts';

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  (
    [
      ['typescript', '.ts .tsx .mts .cts'],
      ['javascript', '.js .jsx .mjs .cjs'],
      ['python', '.py .pyi .pyw'],
      ['cython', '.pyx .pxd .pxi'],
      ['go', '.go'],
      ['rust', '.rs'],
      ['java', '.java'],
      ['c', '.c .h'],
      ['cpp', '.cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .inl'],
      ['ruby', '.rb .rake .gemspec .ru'],
      ['shell', '.sh .bash .zsh .ksh .bats'],
    ] as const
  ).flatMap(([language, extensions]) => extensions.split(' ').map((extension) => [extension, language] as const)),
);

const BY_NAME: ReadonlyMap<string, Language> = new Map([
  ['Gemfile', 'ruby'],
  ['Rakefile', 'ruby'],
  ['Guardfile', 'ruby'],
  ['Capfile', 'ruby'],
  ['.bashrc', 'shell'],
  ['.bash_profile', 'shell'],
  ['.profile', 'shell'],
  ['.zshrc', 'shell'],
  ['.zshenv', 'shell'],
  ['.zprofile', 'shell'],
  ['package.json', 'manifest'],
  ['jsconfig.json', 'manifest'],
  ['pnpm-workspace.yaml', 'manifest'],
  ['go.mod', 'manifest'],
  ['go.work', 'manifest'],
  ['Cargo.toml', 'manifest'],
  ['pyproject.toml', 'manifest'],
  ['setup.cfg', 'manifest'],
]);

/** Also `tsconfig.base.json`, which others extend. */
const TSCONFIG = /^tsconfig([.-][\w.-]+)?\.json$/;

/** As the kernel reads it: a path, perhaps through `env` with its options and variables. */
const SHEBANG = /^#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*)?(?:\S*\/)?([a-z]+)[\d.]*(?=\s|$)/;

const BY_PROGRAM: ReadonlyMap<string, Language> = new Map([
  ['sh', 'shell'],
  ['bash', 'shell'],
  ['dash', 'shell'],
  ['ksh', 'shell'],
  ['zsh', 'shell'],
  ['python', 'python'],
  ['pypy', 'python'],
  ['node', 'javascript'],
  ['bun', 'typescript'],
  ['deno', 'typescript'],
  ['ruby', 'ruby'],
]);

/** With the dot. */
export const CODE_ENDINGS: readonly string[] = [...BY_EXTENSION.keys()];

/** Those that code is written in. */
export const KNOWN_LANGUAGES: ReadonlySet<string> = new Set(BY_EXTENSION.values());

/** By the name alone; `unclear` for a file whose first line has to say it. */
export function languageOf(name: string): Language | 'unclear' | undefined {
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  if (dot > 0) {
    const extension = name.slice(dot);
    const language = BY_EXTENSION.get(extension);
    if (language !== undefined) return language;
    // `.C` and `.H` are C++ by custom; the others mean the same in capitals.
    if (extension === '.C' || extension === '.H') return 'cpp';
    if (extension === '.json' && TSCONFIG.test(name)) return 'manifest';
    return BY_EXTENSION.get(extension.toLowerCase());
  }
  // Files such as LICENSE and README are many and are never programs.
  return dot === 0 || name === name.toUpperCase() ? undefined : 'unclear';
}

/** The first line of a script says which program reads it. */
export function languageOfShebang(start: string): Language | undefined {
  const program = SHEBANG.exec(start)?.[1];
  return program === undefined ? undefined : BY_PROGRAM.get(program);
}
