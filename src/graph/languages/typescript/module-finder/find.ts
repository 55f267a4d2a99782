import type { FileFacts } from '../../../model/facts.ts';
import { directoryOf, join, below } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';
import type { ModuleFinder } from '../../module-finder.ts';
import { aliasTargets } from './compiler-config.ts';
import { importsTargets, packageTargets, sourcePlaces } from './packages.ts';
import { homesOf, nearestPackage, splitSpecifier } from './workspace.ts';

/** A written extension names what will be emitted; these are what it may be emitted from, in the compiler's order. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.jsx', '.d.ts'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
};

/** Code comes before declarations: the graph shows where a thing is done. */
const EXTENSIONS = ['.ts', '.tsx', '.js', '.jsx', '.d.ts', '.mts', '.cts', '.mjs', '.cjs'];

/** The file an import of this path means, by the compiler's and Node's rules for extensions and directories. */
function fileAt(world: World, path: string): FileFacts | undefined {
  return codeAt(world, path) ?? directoryAt(world, path);
}

function codeAt(world: World, path: string): FileFacts | undefined {
  const written = /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '';
  const sources = SOURCES[written];
  if (sources !== undefined) {
    const stem = path.slice(0, -written.length);
    for (const extension of sources) {
      const file = code(world, stem + extension);
      if (file !== undefined) return file;
    }
  } else if (written !== '') {
    const file = code(world, path);
    if (file !== undefined) return file;
  }
  if (path === '' || path.endsWith('/')) return undefined;
  for (const extension of EXTENSIONS) {
    const file = code(world, path + extension);
    if (file !== undefined) return file;
  }
  return undefined;
}

function directoryAt(world: World, path: string): FileFacts | undefined {
  const manifest = world.file(below(path, 'package.json'))?.manifest;
  for (const key of ['source', 'types', 'module', 'main']) {
    const target = manifest?.[key];
    const main = typeof target === 'string' ? join(path, target) : undefined;
    const file = main === undefined || main === path ? undefined : codeAt(world, main);
    if (file !== undefined) return file;
  }
  return codeAt(world, below(path, 'index'));
}

function code(world: World, path: string): FileFacts | undefined {
  const file = world.file(path);
  return file?.language === 'typescript' || file?.language === 'javascript' ? file : undefined;
}

/** What Node itself brings, under the names that need no `node:` before them. */
const NODE_MODULES: ReadonlySet<string> = new Set(
  `
    assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram
    diagnostics_channel dns dns/promises domain events fs fs/promises http http2 https inspector
    inspector/promises module net os path path/posix path/win32 perf_hooks process punycode querystring readline
    readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers
    timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib
  `
    .trim()
    .split(/\s+/),
);

const ASSET =
  /\.(css|scss|sass|less|styl|json|jsonc|json5|svg|png|jpe?g|gif|webp|ico|woff2?|ttf|wasm|node|html|md|mdx|txt|vue|svelte|astro|ya?ml|graphql|gql|glsl|wgsl|vert|frag)(\?.*)?$/;

export const typescript: ModuleFinder = {
  find(world, from, module) {
    const directory = directoryOf(from.path);
    if (/^\.{0,2}(\/|$)/.test(module)) return relative(world, module.startsWith('/') ? '' : directory, module);
    for (const target of aliasTargets(world, directory, module)) {
      const found = fileAt(world, target);
      if (found !== undefined) return [found];
    }
    if (module.startsWith('#')) return byImports(world, directory, module);
    if (module.startsWith('node:') || NODE_MODULES.has(module)) return 'outside';
    return ofPackage(world, directory, module);
  },
};

function relative(world: World, base: string, module: string) {
  const path = join(base, module);
  const found = path === undefined ? undefined : (fileAt(world, path) ?? builtFrom(world, path));
  if (found !== undefined) return [found];
  return path === undefined || ASSET.test(module) ? 'outside' : 'missing';
}

/** What a build would put there, as a test of the built package has it. */
function builtFrom(world: World, path: string): FileFacts | undefined {
  const home = nearestPackage(world, directoryOf(path));
  if (home === undefined) return undefined;
  return firstFile(world, sourcePlaces(world, home, home === '' ? path : path.slice(home.length + 1)));
}

function byImports(world: World, directory: string, module: string) {
  for (const target of importsTargets(world, directory, module)) {
    if ('package' in target) return ofPackage(world, directory, target.package);
    const found = fileAt(world, target.path);
    if (found !== undefined) return [found];
  }
  return 'missing';
}

function ofPackage(world: World, directory: string, module: string) {
  const { name, subpath } = splitSpecifier(module);
  const homes = homesOf(world, directory, name);
  for (const home of homes) {
    const found = firstFile(world, packageTargets(world, home, subpath));
    if (found !== undefined) return [found];
  }
  return homes.length === 0 || ASSET.test(module) ? 'outside' : 'missing';
}

function firstFile(world: World, paths: Iterable<string>): FileFacts | undefined {
  for (const path of paths) {
    const found = fileAt(world, path);
    if (found !== undefined) return found;
  }
  return undefined;
}
