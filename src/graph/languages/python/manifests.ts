import { pathsIn, record, string, strings } from '../../manifests/fields.ts';
import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';
import { readToml } from '../../manifests/toml.ts';

export const manifests: ManifestReader = {
  nameKey: 'name',
  read(name, text) {
    if (name === 'pyproject.toml') return readPyproject(readToml(text));
    return name === 'setup.cfg' ? readSetup(text) : undefined;
  },
  needs: { 'pyproject.toml': needsOfProject },
};

/** `roots` are the directories below which packages lie, as far as a build tool was told. */
function readPyproject(toml: Record<string, unknown>): Record<string, unknown> {
  const tool = record(toml['tool']);
  const setuptools = record(tool['setuptools']);
  const poetry = record(tool['poetry']);
  const packages = Array.isArray(poetry['packages']) ? poetry['packages'] : [];
  const name = string(record(toml['project'])['name']) ?? string(poetry['name']);
  return {
    name: importName(name),
    roots: [
      ...strings(record(record(setuptools['packages'])['find'])['where']),
      ...strings(Object.values(record(setuptools['package-dir']))),
      ...packages.flatMap((entry) => string(record(entry)['from']) ?? []),
      ...strings(record(tool['pyright'])['extraPaths']),
      ...strings([record(record(tool['pytest'])['ini_options'])['pythonpath']].flat()),
    ],
  };
}

function readSetup(text: string): Record<string, unknown> {
  return { name: importName(/^name\s*=\s*(\S+)/m.exec(text)?.[1]) };
}

function importName(name: string | undefined): string | undefined {
  return name?.replace(/[-.]+/g, '_').toLowerCase();
}

function needsOfProject(text: string): PackageNeeds {
  const toml = readToml(text);
  const project = record(toml['project']);
  const tool = record(toml['tool']);
  const poetry = record(tool['poetry']);
  const groups = Object.values(record(poetry['group'])).map((group) => record(record(group)['dependencies']));
  const tables = [record(poetry['dependencies']), ...groups, record(record(tool['uv'])['sources'])];
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

/** Case, and which of the three joins its words, make no difference. */
function packageName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}
