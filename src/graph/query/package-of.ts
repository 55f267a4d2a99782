import { below, directoryOf, upwards } from '../model/paths.ts';
import type { GraphReader } from './graph-reader.ts';

/** Files that make their directory a package; the first that is there names it. */
const MANIFESTS = ['package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod', 'setup.cfg'];

/** The package a file belongs to, by its own name or its directory; undefined for a file of the whole project. */
export function packageOf(reader: GraphReader, path: string): string | undefined {
  for (const directory of upwards(directoryOf(path))) {
    if (directory === '') return undefined;
    const manifest = MANIFESTS.map((name) => below(directory, name)).find((each) => reader.file(each) !== undefined);
    if (manifest === undefined) continue;
    const [named] = reader.symbolsOf(manifest);
    return named === undefined ? directory : reader.symbol(named).name;
  }
  return undefined;
}
