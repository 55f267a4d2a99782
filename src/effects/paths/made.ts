import { UNKNOWN } from '../../shell/command.ts';
import { listed } from '../words/arguments.ts';

/** What builds, installers and test runs make, and can make again; whole names only. */
const MADE_DIRS: ReadonlySet<string> = new Set(
  listed(
    'node_modules bower_components .pnpm-store .yarn-cache dist build out target _build obj zig-out DerivedData Pods CMakeFiles ' +
      'dist-newstyle .stack-work elm-stuff .build .kotlin .cxx .aws-sam cdk.out .serverless .vercel .netlify .wrangler .terraform ' +
      '.terragrunt-cache .scannerwork lcov-report .jekyll-cache .metro-cache tmp .tmp .temp storybook-static .next .nuxt .output .svelte-kit .vite .angular .astro .docusaurus .expo .dart_tool ' +
      '.cache .turbo .parcel-cache .swc .sass-cache .gradle .zig-cache zig-cache .webpack .rollup.cache .nx .wireit __pycache__ ' +
      '.pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs .hypothesis .ipynb_checkpoints coverage htmlcov .nyc_output ' +
      'test-results playwright-report __snapshots__',
  ),
);

/** Beginnings of names: `dist-electron`, `cmake-build-debug`, `bazel-out`. */
const MADE_STARTS: readonly string[] = ['dist-', 'cmake-build-', 'bazel-'];

/** Names that only mean what is made below the directory before them. */
const MADE_PAIRS: ReadonlySet<string> = new Set([
  'bin/Debug',
  'bin/Release',
  'vendor/bundle',
  '.yarn/cache',
  '.yarn/unplugged',
]);

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

/** What tools leave behind or packed; a single one may be somebody's copy, so only patterns count. */
const LEFT_ENDINGS: readonly string[] = listed('.orig .rej .bak ~ .snap .tgz .whl .gem .vsix .nupkg');

/** True when one of the segments is made by a build. A name that a wildcard begins counts by its ending, as in `*.pyc`. */
export function isMade(segments: readonly string[]): boolean {
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] as string;
    if (MADE_DIRS.has(segment) || MADE_STARTS.some((start) => segment.startsWith(start))) return true;
    if (at > 0 && MADE_PAIRS.has(`${segments[at - 1] as string}/${segment}`)) return true;
  }
  const last = segments.at(-1) ?? '';
  // Options that were taken for names.
  if (last[0] === '-') return true;
  if ((last[0] === '*' || last[0] === UNKNOWN) && LEFT_ENDINGS.some((ending) => last.endsWith(ending))) return true;
  return MADE_FILES.has(last) || MADE_ENDINGS.some((ending) => last.length > ending.length && last.endsWith(ending));
}
