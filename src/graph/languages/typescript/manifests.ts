import { record, string, strings } from '../../manifests/fields.ts';
import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';

/** JSON as configuration files have it: with comments, trailing commas and a byte order mark. Undefined when it is broken. */
function parseLenientJson(text: string): unknown {
  try {
    return JSON.parse(plain(text));
  } catch {
    return undefined;
  }
}

/** A string, a comment, or a comma that nothing but space and comments separates from a closing bracket. */
const PIECE = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g;

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(PIECE, (piece) => (piece.startsWith('"') ? piece : ' '));
}

export const manifests: ManifestReader = {
  nameKey: 'name',
  read(name, text) {
    if (name === 'package.json') return readPackage(record(parseLenientJson(text)));
    if (name === 'pnpm-workspace.yaml') return { members: readMembers(text) };
    return name.endsWith('.json') ? readCompilerOptions(record(parseLenientJson(text))) : undefined;
  },
  needs: { 'package.json': needsOfPackage },
};

function readPackage(json: Record<string, unknown>): Record<string, unknown> {
  return {
    name: string(json['name']),
    source: string(json['source']),
    types: string(json['types']) ?? string(json['typings']),
    module: string(json['module']),
    main: string(json['main']),
    bin: json['bin'],
    private: json['private'] === true ? true : undefined,
    exports: json['exports'],
    imports: json['imports'],
    members: membersOf(json['workspaces']),
    links: linksOf(json),
  };
}

/** A list of globs, or an object that has one; absent where a package holds no others. */
function membersOf(workspaces: unknown): readonly string[] | undefined {
  const listed = strings(Array.isArray(workspaces) ? workspaces : record(workspaces)['packages']);
  return listed.length === 0 ? undefined : listed;
}

/** The list `packages` of a YAML file that has little else. */
function readMembers(text: string): string[] {
  const [, inline, block = ''] =
    /^packages:[ \t]*(?:\[([^\]]*)\]|(?:#.*)?\r?\n((?:[ \t]*(?:-.*|#.*)?\r?\n?)*))/m.exec(text) ?? [];
  const entries =
    inline === undefined ? block.split('\n').map((line) => /^\s*-(.*)/.exec(line)?.[1] ?? '') : inline.split(',');
  return entries.flatMap((entry) => /^\s*(?:'([^']*)'|"([^"]*)"|([^\s#]+))/.exec(entry)?.slice(1).find(Boolean) ?? []);
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** Dependencies that are directories (`./lib`), or packages by another name. */
function linksOf(json: Record<string, unknown>): Record<string, string> | undefined {
  const links = DEPENDENCIES.flatMap((key) => Object.entries(record(json[key]))).flatMap(([name, range]) => {
    const target = pathOf(string(range) ?? '') ?? renamedTo(string(range) ?? '');
    return target === undefined || target === name ? [] : [[name, target] as const];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
}

function pathOf(range: string): string | undefined {
  return /^(?:file|link|portal|workspace):(\.{1,2}(?:\/.*)?)$/.exec(range)?.[1];
}

function renamedTo(range: string): string | undefined {
  return /^(?:workspace|npm):(@?[^@]+)@/.exec(range)?.[1];
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

function needsOfPackage(text: string): PackageNeeds {
  const json = record(parseLenientJson(text));
  const ranges = DEPENDENCIES.flatMap((key) => Object.entries(record(json[key]))).map(
    ([name, range]) => [name, string(range) ?? ''] as const,
  );
  const paths = ranges.flatMap(([, range]) => pathOf(range) ?? []);
  const renamed = ranges.flatMap(([, range]) => renamedTo(range) ?? []);
  return { name: string(json['name']), names: [...ranges.map(([name]) => name), ...renamed], paths };
}
