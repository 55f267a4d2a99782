import { listed } from '../../effects/words/arguments.ts';
import type { Search } from './search.ts';

interface Language {
  readonly name: string;
  /** Endings of its files, without the dot. */
  readonly endings: readonly string[];
  /** What searching programs call it, besides its name and its endings. */
  readonly types?: readonly string[];
}

const language = (name: string, endings: string, types = ''): Language => ({
  name,
  endings: listed(endings),
  types: types === '' ? [] : listed(types),
});

/** Languages with symbols that call each other; a graph may hold fewer. */
const LANGUAGES: readonly Language[] = [
  language('typescript', 'ts tsx mts cts'),
  language('javascript', 'js jsx mjs cjs'),
  language('python', 'py pyi pyw pyx'),
  language('go', 'go', 'golang'),
  language('rust', 'rs'),
  language('java', 'java'),
  language('kotlin', 'kt kts'),
  language('scala', 'scala sc sbt'),
  language('groovy', 'groovy gradle'),
  language('c', 'c h'),
  language('cpp', 'cpp cc cxx c++ hpp hh hxx inl', 'cplusplus'),
  language('objc', 'm mm', 'objectivec objcpp objc++'),
  language('csharp', 'cs csx'),
  language('fsharp', 'fs fsi fsx'),
  language('vb', 'vb'),
  language('swift', 'swift'),
  language('dart', 'dart'),
  language('ruby', 'rb rake gemspec'),
  language('php', 'php phtml'),
  language('perl', 'pl pm'),
  language('lua', 'lua'),
  language('r', 'r'),
  language('julia', 'jl'),
  language('elixir', 'ex exs'),
  language('erlang', 'erl hrl'),
  language('haskell', 'hs lhs'),
  language('ocaml', 'ml mli'),
  language('clojure', 'clj cljs cljc edn'),
  language('zig', 'zig'),
  language('nim', 'nim'),
  language('solidity', 'sol'),
  language('vue', 'vue'),
  language('svelte', 'svelte'),
  language('astro', 'astro'),
];

export const CODE_LANGUAGES: ReadonlySet<string> = new Set(LANGUAGES.map(({ name }) => name));

/** What searching programs call files without such symbols. */
const OTHER_TYPES: ReadonlySet<string> = new Set(
  listed(
    'json jsonl md markdown mkd yaml yml toml xml html css sass scss less stylus svg txt rst asciidoc adoc tex bib csv tsv ' +
      'sql log conf config ini cfg properties env docker dockerfile make mk cmake lock license readme man diff patch ' +
      'graphql protobuf proto tf terraform hcl nix sh bash zsh fish shell ps1 powershell batch ' +
      'jinja mustache handlebars ejs pdf zip gzip bzip2 xz tar jupyter po gitignore',
  ),
);

const byEnding = new Map(LANGUAGES.flatMap(({ name, endings }) => endings.map((ending) => [ending, name] as const)));
const byType = new Map(
  LANGUAGES.flatMap(({ name, endings, types = [] }) =>
    [...types, ...endings, name].map((type) => [type, name] as const),
  ),
);

export function isTypeName(name: string): boolean {
  return byType.has(name) || OTHER_TYPES.has(name);
}

/** For each limit that a search sets on files, the languages it admits, `other` for all without symbols. */
export function languagesOf({ globs, types, patterns, listing }: Search): readonly (readonly string[])[] {
  return [
    types.map((type) => byType.get(type) ?? (OTHER_TYPES.has(type) ? 'other' : undefined)),
    globs.flatMap(languagesOfGlob),
    listing ? patterns.map(languageOfPattern) : [],
  ].filter((group): group is string[] => group.length > 0 && group.every((one) => one !== undefined));
}

/** The language whose files are listed, where the listing names no more than that. */
export function languageOf(search: Search): string | undefined {
  for (const group of languagesOf(search)) {
    const code = group.find((one) => one !== 'other');
    if (code !== undefined) return code;
  }
  return undefined;
}

function languageOfEnding(ending: string | undefined): string | undefined {
  return ending === undefined ? undefined : (byEnding.get(ending.toLowerCase()) ?? 'other');
}

/** By `ts` of `*.test.ts`, by both of `*.{ts,tsx}`; a glob that leaves the ending open may still name no code. */
function languagesOfGlob(glob: string): readonly (string | undefined)[] {
  const [, one, several] = /\.(?:([\w+]+)|\{([\w+.,]+)\})$/.exec(glob) ?? [];
  const endings = several?.split(',').map((ending) => ending.slice(ending.lastIndexOf('.') + 1)) ?? [one];
  return endings.map((ending) => languageOfEnding(ending) ?? languageOfName(glob));
}

/** By `ts` of `\.ts$`, which asks for names that end so. */
function languageOfPattern(pattern: string): string | undefined {
  const ending = PATTERN_ENDING.exec(pattern)?.[1];
  return languageOfEnding(ending) ?? languageOfName(globOf(pattern));
}

/** As far as the beginning of a name goes. */
function globOf(pattern: string): string {
  return pattern.replaceAll(
    /\\(.)|[.^$]/g,
    (mark, escaped: string | undefined) => escaped ?? (mark === '.' ? '?' : ''),
  );
}

/** `other` for a glob of files that are known by their names and hold no code, such as `README*` and `.env*`. */
function languageOfName(glob: string): 'other' | undefined {
  const base = glob.slice(glob.lastIndexOf('/') + 1).replaceAll(/\[(\w)\w?\]/g, '$1');
  return OTHER_NAMES.test(base) ? 'other' : undefined;
}

const OTHER_NAMES =
  /^(?:\.[a-z]|[*?]*\.env(?![a-z])|[*?]*(?:readme|licen[cs]e|copying|contributing|changelog|codeowners|dockerfile|containerfile|docker-compose|(?:gnu)?makefile|cmakelists|jenkinsfile|vagrantfile|procfile|gemfile|podfile|pipfile|brewfile|justfile|package-lock|pnpm-(?:lock|workspace)|tsconfig|jsconfig|pyproject)(?![a-z]))/i;

const PATTERN_ENDING = /\\\.(\w+)\$?$/;

/** A pattern of names without the ending it asks for. */
export function withoutEnding(pattern: string): string {
  return pattern.replace(PATTERN_ENDING, ' ');
}
