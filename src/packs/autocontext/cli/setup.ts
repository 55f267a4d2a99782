import type { PackSetup } from '../../../cli/pack-parts.ts';
import { readIndex } from '../../../git/index-file.ts';
import { findRepository } from '../../../git/repository.ts';
import { languageByName } from '../../../graph/index.ts';
import { nodeFiles } from '../../../platform/files.ts';
import { basename, join, relative } from '../../../platform/paths.ts';

/** Fewer files an agent has soon read by itself. */
const FEW = 20;
const MOST_FILES = 100_000;
const MOST_NAMED = 3;

export const setup: PackSetup = {
  found(root) {
    const languages = languagesAt(root);
    const files = languages.reduce((sum, [, count]) => sum + count, 0);
    if (files < FEW) return undefined;
    const named = languages.slice(0, MOST_NAMED).map(([name]) => name);
    return {
      what: `${files} files of code (${[...named, ...(languages.length > MOST_NAMED ? ['…'] : [])].join(', ')})`,
      suggestion: 'indexes them and tells the agent what a change would touch',
    };
  },
};

/** How many of the files that git tracks are code in each language that a graph reads, most first. */
function languagesAt(root: string): readonly (readonly [language: string, files: number])[] {
  const repository = findRepository(nodeFiles, root);
  const bytes = repository && nodeFiles.readBytes(join(repository.gitDir, 'index'));
  const entries = bytes && readIndex(bytes)?.entriesBelow([relative(repository.top, root)], MOST_FILES);
  const counts = new Map<string, number>();
  for (const { path } of entries ?? []) {
    const language = languageByName(basename(path));
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
