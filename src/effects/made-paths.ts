import { listed } from './arguments.ts';

/** What builds, installers and test runs make, and can make again; whole names only. */
const MADE_DIRS: ReadonlySet<string> = new Set(
  listed(
    'node_modules bower_components .pnpm-store .yarn-cache dist build out target _build obj zig-out DerivedData cmake-build-debug ' +
      'cmake-build-release storybook-static .next .nuxt .output .svelte-kit .vite .angular .astro .docusaurus .expo .dart_tool ' +
      '.cache .turbo .parcel-cache .swc .sass-cache .gradle .zig-cache zig-cache .webpack .rollup.cache .nx .wireit __pycache__ ' +
      '.pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs .hypothesis .ipynb_checkpoints coverage htmlcov .nyc_output ' +
      'test-results playwright-report',
  ),
);

const MADE_FILES: ReadonlySet<string> = new Set([
  '.DS_Store',
  'Thumbs.db',
  '.eslintcache',
  '.stylelintcache',
  '.prettiercache',
  '.coverage',
  'npm-debug.log',
]);

const MADE_ENDINGS: readonly string[] = listed(
  '.pyc .pyo .log .tmp .egg-info .tsbuildinfo .o .obj .class .swp .swo .gcda .gcno',
);

/** True when one of the segments is made by a build. A name that a wildcard begins counts by its ending, as in `*.pyc`. */
export function isMade(segments: readonly string[]): boolean {
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] as string;
    if (MADE_DIRS.has(segment)) return true;
    if (segment === 'bin' && (segments[at + 1] === 'Debug' || segments[at + 1] === 'Release')) return true;
  }
  const last = segments.at(-1) ?? '';
  return MADE_FILES.has(last) || MADE_ENDINGS.some((ending) => last.length > ending.length && last.endsWith(ending));
}
