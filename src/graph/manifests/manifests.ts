import type { Definition, Manifest } from '../model/facts.ts';
import { parseLenientJson } from './lenient-json.ts';
import { readToml } from './toml.ts';

/** Of a manifest: what resolution needs, and one definition that makes its package findable by name. */
export interface ManifestFacts {
  readonly manifest: Manifest;
  readonly definitions: readonly Definition[];
}

/** A broken manifest is an empty one. */
export function readManifest(path: string, text: string): ManifestFacts {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const manifest = withoutGaps(read(name, text));
  const called = manifest[name === 'go.mod' ? 'module' : 'name'];
  return { manifest, definitions: typeof called === 'string' && called !== '' ? [packageCalled(called, text)] : [] };
}

function read(name: string, text: string): Record<string, unknown> {
  if (name === 'package.json') return readPackage(record(parseLenientJson(text)));
  if (name.endsWith('.json')) return readCompilerOptions(record(parseLenientJson(text)));
  if (name === 'go.mod') return readGoModule(text);
  if (name === 'go.work') return { use: directives(text, 'use').map((words) => words[0]) };
  if (name === 'Cargo.toml') return readCargo(readToml(text));
  if (name === 'pyproject.toml') return readPyproject(readToml(text));
  if (name === 'setup.cfg') return readSetup(text);
  return {};
}

function readPackage(json: Record<string, unknown>): Record<string, unknown> {
  return {
    name: string(json['name']),
    source: string(json['source']),
    types: string(json['types']) ?? string(json['typings']),
    module: string(json['module']),
    main: string(json['main']),
    exports: json['exports'],
    imports: json['imports'],
  };
}

/** `paths` with nothing but strings in it, so that readers need not look twice. */
function readCompilerOptions(json: Record<string, unknown>): Record<string, unknown> {
  const options = record(json['compilerOptions']);
  const base = json['extends'];
  const paths = Object.entries(record(options['paths'])).map(([pattern, targets]) => [pattern, strings(targets)]);
  const references = Array.isArray(json['references']) ? json['references'] : [];
  return {
    extends: typeof base === 'string' ? [base] : strings(base),
    references: references.map((entry) => string(record(entry)['path'])).filter((path) => path !== undefined),
    baseUrl: string(options['baseUrl']),
    rootDir: string(options['rootDir']),
    outDir: string(options['outDir']),
    paths: options['paths'] === undefined ? undefined : Object.fromEntries(paths),
  };
}

/** `replace` maps modules to directories; replacements by other modules are outside anyway. */
function readGoModule(text: string): Record<string, unknown> {
  const replace: Record<string, string> = {};
  for (const words of directives(text, 'replace')) {
    const arrow = words.indexOf('=>');
    const [from, to] = [words[0], words[arrow + 1]];
    if (arrow > 0 && from !== undefined && to !== undefined && /^\.{1,2}(\/|$)/.test(to)) replace[from] = to;
  }
  return { module: directives(text, 'module')[0]?.[0], replace };
}

/** The lines of a directive of go.mod or go.work, alone or in its block, as words. */
function directives(text: string, keyword: string): string[][] {
  const found: string[][] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    const words = (line.split('//')[0] ?? '').split(/\s+/).flatMap((word) => word.replace(/^["`]|["`]$/g, '') || []);
    const opens = words[0] === keyword && (words[1] === '(' || words.length === 0);
    if (isInside && words[0] === ')') isInside = false;
    else if (isInside && words.length > 0) found.push(words);
    else if (opens) isInside = true;
    else if (words[0] === keyword) found.push(words.slice(1));
  }
  return found;
}

/** A crate is called in code by its library's name, which has underscores. `paths` leads from dependencies to directories. */
function readCargo(toml: Record<string, unknown>): Record<string, unknown> {
  const lib = record(toml['lib']);
  const name = string(lib['name']) ?? string(record(toml['package'])['name']);
  const paths: Record<string, string> = {};
  const workspace = record(toml['workspace']);
  for (const table of [toml, workspace]) {
    for (const key of ['dependencies', 'dev-dependencies', 'build-dependencies']) {
      for (const [dependency, value] of Object.entries(record(table[key]))) {
        const path = string(record(value)['path']);
        if (path !== undefined) paths[dependency.replaceAll('-', '_')] = path;
      }
    }
  }
  return { name: name?.replaceAll('-', '_'), lib: string(lib['path']), members: strings(workspace['members']), paths };
}

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

function packageCalled(name: string, text: string): Definition {
  const at = Math.max(0, text.indexOf(name));
  return {
    name,
    kind: 'namespace',
    container: -1,
    start: at,
    end: at + name.length,
    at,
    signature: name,
    exported: true,
    visibility: 'public',
    traits: [],
    bases: [],
    generics: [],
    parameters: [],
    values: [],
  };
}

function withoutGaps(manifest: Record<string, unknown>): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([, value]) => value !== undefined));
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
