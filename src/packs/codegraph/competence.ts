import { relative } from 'node:path';
import { listed } from '../../effects/arguments.ts';
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

export interface Indexed {
  /** The directory the index covers. */
  readonly root: string;
  /** Whether the project leaves a place out. */
  ignored(path: string): boolean;
  /** What it holds; any code when it does not say. */
  readonly languages?: ReadonlySet<string>;
}

/** Why a graph could not answer a search; undefined when it could. */
export function competence(
  search: Search,
  { root, ignored, languages = CODE_LANGUAGES }: Indexed,
  terms: readonly string[] = termsOf(search),
): Incompetence | undefined {
  const inside = relative(root, search.place);
  if (inside === '..' || inside.startsWith('../') || inside.startsWith('/')) return 'outside';
  if (isDependency(inside) || (search.globs.length > 0 && search.globs.every(isDependency))) return 'dependency';
  if (inside !== '' && ignored(search.place)) return 'dependency';
  if (languagesOf(search).some((group) => !group.some((one) => languages.has(one)))) return 'other-languages';
  return isAnswerable(search, terms) ? undefined : 'no-term';
}

function isDependency(path: string): boolean {
  return path.split('/').some((segment) => DEPENDENCIES.has(segment));
}

function isAnswerable(search: Search, terms: readonly string[]): boolean {
  if (terms.length > 0) return true;
  if (!search.listing) return false;
  const asksForAll = search.patterns.length + search.globs.length + search.types.length === 0;
  return asksForAll || languageOf(search) !== undefined;
}
