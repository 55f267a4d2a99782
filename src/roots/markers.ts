import type { Files } from '../platform/files.ts';
import { join } from '../platform/paths.ts';

/** In order of precedence when one directory holds several. */
const REPOSITORY_MARKERS = ['.git', '.hg', '.jj', '.svn'] as const;

const WORKSPACE_MANIFESTS = [
  'pnpm-workspace.yaml',
  'go.work',
  'settings.gradle',
  'settings.gradle.kts',
  'lerna.json',
  'nx.json',
  'turbo.json',
];

const PROJECT_MARKERS = [
  'package.json',
  'pyproject.toml',
  'Cargo.toml',
  'go.mod',
  'setup.py',
  'deno.json',
  'deno.jsonc',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'Gemfile',
  'composer.json',
];

/** These often lie in sub-directories too, so alone they say little. */
const WEAK_MARKERS = ['tsconfig.json', 'CMakeLists.txt', 'Makefile'];

const MAX_MANIFEST_BYTES = 1024 * 1024;

export function repositoryMarkerAt(files: Files, dir: string): (typeof REPOSITORY_MARKERS)[number] | undefined {
  return REPOSITORY_MARKERS.find((name) => {
    const kind = files.stat(join(dir, name))?.kind;
    return kind === 'dir' || kind === 'file';
  });
}

export function isProject(files: Files, dir: string): boolean {
  return holdsFile(files, dir, PROJECT_MARKERS);
}

/** Reads `package.json` and `Cargo.toml`, so it is asked only where no repository decides. */
export function isWorkspace(files: Files, dir: string): boolean {
  return (
    holdsFile(files, dir, WORKSPACE_MANIFESTS) ||
    declaresPackages(readManifest(files, join(dir, 'package.json'))) ||
    declaresCrates(readManifest(files, join(dir, 'Cargo.toml')))
  );
}

export function hasWeakMarker(files: Files, dir: string): boolean {
  return holdsFile(files, dir, WEAK_MARKERS);
}

function holdsFile(files: Files, dir: string, names: readonly string[]): boolean {
  return names.some((name) => files.stat(join(dir, name))?.kind === 'file');
}

function readManifest(files: Files, path: string): string | undefined {
  return files.exists(path) ? files.readText(path, MAX_MANIFEST_BYTES) : undefined;
}

function declaresPackages(manifest: string | undefined): boolean {
  if (manifest === undefined) return false;
  try {
    const parsed: unknown = JSON.parse(manifest);
    return isObject(parsed) && isObject(parsed['workspaces']);
  } catch {
    return false;
  }
}

/** `[workspace.dependencies]` and its like make a workspace as `[workspace]` does. */
function declaresCrates(manifest: string | undefined): boolean {
  return manifest !== undefined && /^[ \t]*\[[ \t]*workspace[ \t]*[\].]/m.test(manifest);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
