import { record, string, strings } from '../../manifests/fields.ts';
import { parseLenientJson } from '../../manifests/lenient-json.ts';
import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';

export const manifests: ManifestReader = {
  nameKey: 'name',
  read(name, text) {
    if (name === 'package.json') return readPackage(record(parseLenientJson(text)));
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

function needsOfPackage(text: string): PackageNeeds {
  const json = record(parseLenientJson(text));
  const keys = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  const ranges = keys
    .flatMap((key) => Object.entries(record(json[key])))
    .map(([name, range]) => [name, string(range) ?? ''] as const);
  const paths = ranges.flatMap(
    ([, range]) => /^(?:file|link|portal|workspace):(\.{1,2}(?:\/.*)?)$/.exec(range)?.[1] ?? [],
  );
  const renamed = ranges.flatMap(([, range]) => /^(?:workspace|npm):(@?[^@]+)@/.exec(range)?.[1] ?? []);
  return { name: string(json['name']), names: [...ranges.map(([name]) => name), ...renamed], paths };
}
