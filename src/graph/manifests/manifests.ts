import { MANIFESTS } from '../languages/manifests.generated.ts';
import type { Definition, Manifest } from '../model/facts.ts';
import { string, strings } from './fields.ts';

/** Of a manifest: what resolution needs, and definitions that make its package findable by name. */
export interface ManifestFacts {
  readonly manifest: Manifest;
  readonly definitions: readonly Definition[];
}

/** A broken manifest is an empty one. */
export function readManifest(path: string, text: string): ManifestFacts {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (const { read, nameKey, otherNamesKey = '' } of MANIFESTS) {
    const found = read(name, text);
    if (found === undefined) continue;
    const manifest = withoutGaps(found);
    const names = [string(manifest[nameKey]) ?? '', ...strings(manifest[otherNamesKey])];
    return { manifest, definitions: names.filter((each) => each !== '').map((each) => packageCalled(each, text)) };
  }
  return { manifest: {}, definitions: [] };
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

function withoutGaps(manifest: Readonly<Record<string, unknown>>): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([, value]) => value !== undefined));
}
