import { describe, expect, it } from 'vitest';
import { readAgentWords } from './architecture/agent-words.ts';
import { CHECKS } from './architecture/checks.ts';
import type { Snippet, Violation } from './architecture/parts.ts';
import { parseSource, readSources } from './architecture/source.ts';

const files = readSources('src', 'test', 'scripts', 'bench');
const longest = Math.max(...files.map((file) => file.lines));

const parseSnippet = (snippet: Snippet) => Object.entries(snippet).map(([path, text]) => parseSource(path, text));
const show = ({ path, line, what }: Violation): string => `${path}:${line} ${what}`;
const lastOf = (snippet: Snippet) => Object.entries(snippet).at(-1) ?? ['', ''];
const table = (snippets: readonly Snippet[]) =>
  snippets.map((snippet) => [`${lastOf(snippet)[0]}: ${lastOf(snippet)[1].trim().slice(0, 80)}`, snippet] as const);

describe(`architecture of ${files.length} files, the longest of ${longest} lines`, () => {
  for (const check of CHECKS) {
    const covered = files.filter(check.covers).length;
    describe(`${check.name} (${covered} files)`, () => {
      it('holds', () => {
        expect(covered).toBeGreaterThan(0);
        expect(check.find(files).map(show)).toEqual([]);
      });
      it.each(table(check.bad))('rejects %s', (_, snippet) => {
        expect(check.find(parseSnippet(snippet)).map(({ path }) => path)).toContain(lastOf(snippet)[0]);
      });
      it.each(table(check.fine))('accepts %s', (_, snippet) => {
        expect(check.find(parseSnippet(snippet)).map(show)).toEqual([]);
      });
    });
  }

  it('knows the words of every adapter', () => {
    const words = readAgentWords(files);
    expect(words.agents.length).toBeGreaterThan(0);
    expect(words.distinctive.length).toBeGreaterThan(20);
    expect(words.plain.length).toBeGreaterThan(3);
  });
});
