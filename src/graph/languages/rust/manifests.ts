import { pathsIn, record, string, strings } from '../../manifests/fields.ts';
import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';
import { readToml } from '../../manifests/toml.ts';

export const manifests: ManifestReader = {
  nameKey: 'name',
  read: (name, text) => (name === 'Cargo.toml' ? readCargo(readToml(text)) : undefined),
  needs: { 'Cargo.toml': needsOfCrate },
};

const TABLES = ['dependencies', 'dev-dependencies', 'build-dependencies'];

/** A crate is called in code by its library's name, which has underscores. `paths` leads from dependencies to directories. */
function readCargo(toml: Record<string, unknown>): Record<string, unknown> {
  const lib = record(toml['lib']);
  const name = string(lib['name']) ?? string(record(toml['package'])['name']);
  const paths: Record<string, string> = {};
  const workspace = record(toml['workspace']);
  const tables = [...tablesIn(toml), ...tablesIn(workspace), ...Object.values(record(toml['patch'])).map(record)];
  for (const table of tables) {
    for (const [dependency, value] of Object.entries(table)) {
      const path = string(record(value)['path']);
      if (path !== undefined) paths[dependency.replaceAll('-', '_')] = path;
    }
  }
  const excluded = strings(workspace['exclude']).map((place) => `!${place}`);
  return {
    name: name?.replaceAll('-', '_'),
    lib: string(lib['path']),
    tests: targetPaths(toml, ['test', 'bench']),
    samples: targetPaths(toml, ['example']),
    programs: targetPaths(toml, ['bin']),
    members: [...strings(workspace['members']), ...excluded],
    paths,
  };
}

/** Where targets lie that are not in the usual place; absent where there is none. */
function targetPaths(toml: Record<string, unknown>, kinds: readonly string[]): string[] | undefined {
  const targets = kinds.flatMap((kind) => (Array.isArray(toml[kind]) ? (toml[kind] as unknown[]) : []));
  const paths = targets.flatMap((target) => string(record(target)['path']) ?? []);
  return paths.length === 0 ? undefined : paths;
}

/** What a package depends on, always and for some targets. */
function tablesIn(toml: Record<string, unknown>): Record<string, unknown>[] {
  const parts = [toml, ...Object.values(record(toml['target'])).map(record)];
  return parts.flatMap((part) => TABLES.map((key) => record(part[key])));
}

function needsOfCrate(text: string): PackageNeeds {
  const toml = readToml(text);
  const needed = tablesIn(toml).flatMap((table) => Object.entries(table));
  return {
    name: string(record(toml['package'])['name']),
    // What is inherited from the workspace is a package of it, if it is one here.
    names: needed.map(([name, value]) => string(record(value)['package']) ?? name),
    paths: pathsIn(needed.map(([, value]) => value)),
  };
}
