import { pathsIn, record, string, strings } from '../../manifests/fields.ts';
import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';
import { readToml } from '../../manifests/toml.ts';
import { directoryOf } from '../../model/paths.ts';

export const manifests: ManifestReader = {
  nameKey: 'name',
  otherNamesKey: 'provides',
  read(name, text) {
    if (name === 'pyproject.toml') return readPyproject(readToml(text));
    return name === 'setup.cfg' ? readSetup(text) : undefined;
  },
  needs: { 'pyproject.toml': needsOfProject },
};

/**
 * `roots` are the directories below which packages lie, as far as a build tool was told; `provides` what they are called, where
 * the project is called otherwise; `siblings` and `paths` are other projects of the same workspace, by name and by directory.
 */
function readPyproject(toml: Record<string, unknown>): Record<string, unknown> {
  const tool = record(toml['tool']);
  const poetry = record(tool['poetry']);
  const uv = record(tool['uv']);
  const name = importName(string(record(toml['project'])['name']) ?? string(poetry['name']));
  const packages = packagesIn(tool);
  const excluded = strings(record(uv['workspace'])['exclude']).map((place) => `!${place}`);
  const members = [...strings(record(uv['workspace'])['members']), ...excluded];
  const siblings = Object.entries(record(uv['sources'])).filter(([, source]) => record(source)['workspace'] === true);
  return {
    name,
    roots: [...new Set([...rootsIn(tool), ...packages.map(directoryOf).filter((root) => root !== '')])],
    provides: unlessEmpty([...new Set(packages.map(lastOf))].filter((each) => each !== name && !each.includes('*'))),
    members: unlessEmpty(members),
    packages: unlessEmpty(packages.filter((each) => !each.includes('*'))),
    tests: unlessEmpty(strings([record(record(tool['pytest'])['ini_options'])['testpaths']].flat())),
    siblings: unlessEmpty(siblings.flatMap(([each]) => importName(each) ?? [])),
    paths: unlessEmpty(pathsIn(dependencyTables(toml).flatMap((table) => Object.values(table)))),
  };
}

/** What a build tool was told to look below. */
function rootsIn(tool: Record<string, unknown>): string[] {
  const setuptools = record(tool['setuptools']);
  const poetry = Array.isArray(record(tool['poetry'])['packages']) ? record(tool['poetry'])['packages'] : [];
  const wheel = wheelOf(tool);
  const backend = record(record(tool['uv'])['build-backend']);
  return [
    ...strings(record(record(setuptools['packages'])['find'])['where']),
    ...strings(Object.values(record(setuptools['package-dir']))),
    ...(poetry as unknown[]).flatMap((entry) => string(record(entry)['from']) ?? []),
    ...(Array.isArray(wheel['sources']) ? strings(wheel['sources']) : Object.keys(record(wheel['sources']))),
    ...strings([
      backend['module-root'],
      record(tool['maturin'])['python-source'],
      record(record(tool['pdm'])['build'])['package-dir'],
    ]),
    ...strings(record(tool['pyright'])['extraPaths']),
    ...strings([record(record(tool['pytest'])['ini_options'])['pythonpath']].flat()),
  ];
}

/** Directories of packages, as far as they are listed: `src/acme`. */
function packagesIn(tool: Record<string, unknown>): string[] {
  const poetry = record(tool['poetry'])['packages'];
  const backend = record(record(tool['uv'])['build-backend']);
  const listed = [
    ...strings(wheelOf(tool)['packages']),
    ...strings(record(record(tool['scikit-build'])['wheel'])['packages']),
    ...strings(record(tool['setuptools'])['packages']).map((each) => each.replaceAll('.', '/')),
    ...strings([backend['module-name']].flat()).map((each) => each.replaceAll('.', '/')),
    ...(Array.isArray(poetry) ? poetry.flatMap((entry) => string(record(entry)['include']) ?? []) : []),
  ];
  return listed.map((each) => each.replace(/^\.\//, '').replace(/\/+$/, ''));
}

function wheelOf(tool: Record<string, unknown>): Record<string, unknown> {
  return record(record(record(record(tool['hatch'])['build'])['targets'])['wheel']);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.pyi?$/, '');
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function readSetup(text: string): Record<string, unknown> {
  const roots = [/^package_dir\s*=\s*=\s*(\S+)/m, /^where\s*=\s*(\S+)/m].flatMap((said) => said.exec(text)?.[1] ?? []);
  const tests = /^testpaths\s*=\s*(.+)/m.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  const name = importName(/^name\s*=\s*(\S+)/m.exec(text)?.[1]);
  return { name, roots: unlessEmpty(roots), tests: unlessEmpty(tests) };
}

function importName(name: string | undefined): string | undefined {
  return name?.replace(/[-.]+/g, '_').toLowerCase();
}

function needsOfProject(text: string): PackageNeeds {
  const toml = readToml(text);
  const project = record(toml['project']);
  const poetry = record(record(toml['tool'])['poetry']);
  const tables = dependencyTables(toml);
  const lists = [
    project['dependencies'],
    ...Object.values(record(project['optional-dependencies'])),
    ...Object.values(record(toml['dependency-groups'])),
  ];
  const named = lists.flatMap(strings).flatMap((each) => /^\s*([\w.-]+)/.exec(each)?.[1] ?? []);
  const name = string(project['name']) ?? string(poetry['name']);
  return {
    name: name === undefined ? undefined : packageName(name),
    names: [...named, ...tables.flatMap(Object.keys)].map(packageName),
    paths: tables.flatMap((each) => pathsIn(Object.values(each))),
  };
}

function dependencyTables(toml: Record<string, unknown>): Record<string, unknown>[] {
  const tool = record(toml['tool']);
  const poetry = record(tool['poetry']);
  const groups = Object.values(record(poetry['group'])).map((group) => record(record(group)['dependencies']));
  return [
    record(poetry['dependencies']),
    record(poetry['dev-dependencies']),
    ...groups,
    record(record(tool['uv'])['sources']),
  ];
}

/** Case, and which of the three joins its words, make no difference. */
function packageName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
