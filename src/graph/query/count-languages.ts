import type { GraphCounts } from './graph-reader.ts';

/** What of the files is in which language, most files first, and at the end the manifests: together all files that are counted. */
export function countLanguages({ languages }: Pick<GraphCounts, 'languages'>): readonly {
  readonly name: string;
  readonly files: number;
  readonly symbols: number;
}[] {
  return Object.entries(languages)
    .map(([name, of]) => ({ ...of, name: name === 'manifest' ? MANIFESTS : name }))
    .sort((a, b) => Number(a.name === MANIFESTS) - Number(b.name === MANIFESTS) || b.files - a.files);
}

const MANIFESTS = 'manifests';
