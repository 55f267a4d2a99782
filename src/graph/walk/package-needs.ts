import { readManifest } from '../manifests/manifests.ts';
import { parseLenientJson } from '../manifests/lenient-json.ts';
import { readToml } from '../manifests/toml.ts';

/** What a manifest calls its package, and what that says it depends on. Names are of one kind of manifest each. */
export interface PackageNeeds {
  readonly name: string | undefined;
  /** Words that may be names of packages: most are of packages from elsewhere. */
  readonly names: readonly string[];
  /** Relative to the manifest. */
  readonly paths: readonly string[];
}

type Table = Readonly<Record<string, unknown>>;

export const NEEDS: Readonly<Record<string, (text: string) => PackageNeeds>> = {
  'package.json': readPackage,
  'go.mod': readGoModule,
  'Cargo.toml': readCargo,
  'pyproject.toml': readPyproject,
};

function readPackage(text: string): PackageNeeds {
  const json = table(parseLenientJson(text));
  const keys = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  const ranges = keys
    .flatMap((key) => Object.entries(table(json[key])))
    .map(([name, range]) => [name, string(range) ?? ''] as const);
  const paths = ranges.flatMap(
    ([, range]) => /^(?:file|link|portal|workspace):(\.{1,2}(?:\/.*)?)$/.exec(range)?.[1] ?? [],
  );
  const renamed = ranges.flatMap(([, range]) => /^(?:workspace|npm):(@?[^@]+)@/.exec(range)?.[1] ?? []);
  return { name: string(json['name']), names: [...ranges.map(([name]) => name), ...renamed], paths };
}

function readGoModule(text: string): PackageNeeds {
  const { module, replace } = readManifest('go.mod', text).manifest;
  // Of the words in it only those count that a module here is called by.
  return { name: string(module), names: text.split(/\s+/), paths: texts(Object.values(table(replace))) };
}

const CARGO_TABLES = ['dependencies', 'dev-dependencies', 'build-dependencies'];

function readCargo(text: string): PackageNeeds {
  const toml = readToml(text);
  const tables = [toml, ...Object.values(table(toml['target'])).map(table)];
  const needed = tables.flatMap((each) => CARGO_TABLES.flatMap((key) => Object.entries(table(each[key]))));
  return {
    name: string(table(toml['package'])['name']),
    // What is inherited from the workspace is a package of it, if it is one here.
    names: needed.map(([name, value]) => string(table(value)['package']) ?? name),
    paths: pathsIn(needed.map(([, value]) => value)),
  };
}

function readPyproject(text: string): PackageNeeds {
  const toml = readToml(text);
  const project = table(toml['project']);
  const tool = table(toml['tool']);
  const poetry = table(tool['poetry']);
  const groups = Object.values(table(poetry['group'])).map((group) => table(table(group)['dependencies']));
  const tables = [table(poetry['dependencies']), ...groups, table(table(tool['uv'])['sources'])];
  const lists = [
    project['dependencies'],
    ...Object.values(table(project['optional-dependencies'])),
    ...Object.values(table(toml['dependency-groups'])),
  ];
  const named = lists.flatMap(texts).flatMap((each) => /^\s*([\w.-]+)/.exec(each)?.[1] ?? []);
  const name = string(project['name']) ?? string(poetry['name']);
  return {
    name: name === undefined ? undefined : pythonName(name),
    names: [...named, ...tables.flatMap(Object.keys)].map(pythonName),
    paths: tables.flatMap((each) => pathsIn(Object.values(each))),
  };
}

/** Case, and which of the three joins its words, make no difference. */
function pythonName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

function pathsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => string(table(value)['path']) ?? []);
}

function table(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
