import { relative } from 'node:path';
import { listed } from '../../effects/words/arguments.ts';
import { CODE_LANGUAGES, languageOf, languagesOf } from './languages.ts';
import type { Incompetence, Search } from './search.ts';
import { termsOf } from './terms.ts';

/** Directories of code that others wrote or a program made, by name; what only a project ignores is asked for apart. */
const DEPENDENCIES: ReadonlySet<string> = new Set(
  listed(
    'node_modules bower_components jspm_packages .yarn .pnpm-store vendor third_party .venv venv virtualenv site-packages ' +
      'dist-packages __pypackages__ __pycache__ .tox .nox .mypy_cache .pytest_cache .ruff_cache .eggs dist target .gradle ' +
      '.m2 .cargo .rustup Pods Carthage DerivedData .build .bundle .terraform .next .nuxt .svelte-kit .turbo .parcel-cache ' +
      '.cache .dart_tool .stack-work _build .nyc_output .git .hg .svn',
  ),
);

/** Directories that hold texts and pictures, as hidden ones hold settings; code in them is looked for by naming its language. */
const WITHOUT_CODE: ReadonlySet<string> = new Set(listed('docs doc documentation images img fonts licenses LICENSES'));

export interface Indexed {
  /** The directory the index covers. */
  readonly root: string;
  /** Whether the project leaves a place out. */
  ignored(path: string): boolean;
  /** What it holds; any code when it does not say. */
  readonly languages?: ReadonlySet<string>;
}

/** Why a graph could not answer what is searched for in one of its places; undefined when it could. */
export function competence(
  search: Search,
  place: string,
  { root, ignored, languages = CODE_LANGUAGES }: Indexed,
  terms: readonly string[] = termsOf(search),
): Incompetence | undefined {
  const inside = relative(root, place);
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('/')) return 'outside';
  const lies = (is: (segment: string) => boolean) =>
    isIn(inside, is) || (search.globs.length > 0 && search.globs.every((glob) => isIn(glob, is)));
  if (lies((segment) => DEPENDENCIES.has(segment))) return 'dependency';
  if (search.facts) return 'facts';
  if (inside !== '' && ignored(place)) return 'dependency';
  if (languagesOf(search).some((group) => !group.some((one) => languages.has(one)))) return 'other-languages';
  if (lies(isWithoutCode) && languageOf(search) === undefined) return 'other-languages';
  return isAnswerable(search, terms) ? undefined : 'no-term';
}

function isIn(path: string, is: (segment: string) => boolean): boolean {
  return path.split('/').some(is);
}

function isWithoutCode(segment: string): boolean {
  return WITHOUT_CODE.has(segment) || /^\.\w/.test(segment);
}

function isAnswerable(search: Search, terms: readonly string[]): boolean {
  if (terms.length > 0) return true;
  if (!search.listing) return false;
  const asksForAll = search.patterns.length + search.globs.length + search.types.length === 0;
  return asksForAll || languageOf(search) !== undefined;
}
