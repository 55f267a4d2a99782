import type { ManifestReader, PackageNeeds } from '../../manifests/manifest-reader.ts';

export const manifests: ManifestReader = {
  nameKey: 'module',
  read(name, text) {
    if (name === 'go.mod') return { module: directives(text, 'module')[0]?.[0], replace: readReplace(text) };
    if (name !== 'go.work') return undefined;
    const use = directives(text, 'use').flatMap((words) => words[0] ?? []);
    return { use, replace: readReplace(text) };
  },
  needs: { 'go.mod': needsOfModule },
};

/** From modules to directories; replacements by other modules are outside anyway. */
function readReplace(text: string): Record<string, string> {
  const replace: Record<string, string> = {};
  for (const words of directives(text, 'replace')) {
    const arrow = words.indexOf('=>');
    const [from, to] = [words[0], words[arrow + 1]];
    if (arrow > 0 && from !== undefined && to !== undefined && /^\.{1,2}(\/|$)/.test(to)) replace[from] = to;
  }
  return replace;
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

function needsOfModule(text: string): PackageNeeds {
  const name = directives(text, 'module')[0]?.[0];
  // Of the words in it only those count that a module here is called by.
  return { name, names: text.split(/\s+/), paths: Object.values(readReplace(text)) };
}
