import { languageOf } from './known-languages.ts';

/** What is known of a directory: walking has listed it, a question about one path looks for single names. */
export interface Names {
  has(name: string): boolean;
  /** Whether a file of code lies directly in it. */
  hasCode(): boolean;
}

/** Never code of the project, wherever they stand. Hidden directories are a rule of their own. */
const FOREIGN = new Set(
  (
    'node_modules bower_components jspm_packages site-packages __pycache__ __pypackages__ ' +
    'dist coverage htmlcov Pods DerivedData CMakeFiles'
  ).split(' '),
);

/**
 * Output or copied code as a rule, but packages have these names as well: `router/build`, `aop/target`. Beside a manifest
 * and in the root they are what they seem to be, and elsewhere when nothing beside them is code.
 */
export const DOUBTFUL: ReadonlySet<string> = new Set('vendor build target out'.split(' '));
export const MANIFESTS: readonly string[] = (
  'package.json Cargo.toml pom.xml build.gradle build.gradle.kts pyproject.toml setup.py go.mod composer.json Gemfile ' +
  'CMakeLists.txt Makefile BUILD.bazel'
).split(' ');

/** Hidden directories belong to tools. These hold code that people write. */
const HIDDEN_CODE = new Set('.github .circleci .ci .husky .storybook .vitepress .config'.split(' '));

/**
 * A directory that says of itself that it is no code: an environment of Python's, a cache by the common sign. So `env` and
 * `venv`, which packages are called as well, need no place in a list of names.
 */
export const SIGNS: readonly string[] = ['pyvenv.cfg', 'conda-meta', 'CACHEDIR.TAG'];

/** By its name and what it stands beside; `isTop` for the root. The name of the root itself and those above never matter. */
export function isExcludedDirectory(name: string, beside: Names, isTop: boolean): boolean {
  if (FOREIGN.has(name)) return true;
  if (!DOUBTFUL.has(name)) return false;
  return isTop || MANIFESTS.some((each) => beside.has(each)) || !beside.hasCode();
}

export function isHidden(name: string): boolean {
  return name.charCodeAt(0) === 46 && !HIDDEN_CODE.has(name);
}

/** By what lies in it. */
export function isMarkedForeign(inside: Names): boolean {
  return SIGNS.some((sign) => inside.has(sign));
}

/** A repository of its own, a submodule or a work tree of another branch: the code there answers for itself. */
export function isRepository(inside: Names): boolean {
  return inside.has('.git');
}

export function namesOf(list: readonly string[]): Names {
  const all = new Set(list);
  return {
    has: (name) => all.has(name),
    hasCode: () => list.some(isCode),
  };
}

export function isCode(name: string): boolean {
  const language = languageOf(name);
  return language !== undefined && language !== 'unclear' && language !== 'manifest';
}
