import type { FileFacts } from '../../../model/facts.ts';
import { below, join } from '../../../model/paths.ts';
import type { World } from '../../../resolve/world.ts';

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
export function fileAt(world: World, path: string): FileFacts | undefined {
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
