import type { Reading } from '../../shell/command.ts';
import { CURL } from '../../effects/network/curl.ts';
import { readOptions } from '../../shell/options.ts';
import type { Settings } from './settings.ts';
import type { Here } from './target.ts';
import { isMarkdown, resolvePath } from './target.ts';

const INTERPRETERS = /^(?:python[\d.]*|node|nodejs|deno|bun|tsx|ruby|perl|php|sh|bash|zsh|dash|ksh|source|\.)$/;
const MOST_SCRIPTS = 3;
const MOST_BYTES = 64 * 1024;
const MOST_TARGETS = 8;
/** A text in quotes, or a word after a redirect, that could be a file's name. */
const NAMES = /["'`]([^"'`\n]{1,300})["'`]|>\s*([\w./-]{1,300})/g;

/** Markdown files that `curl` saves to, also from an address that is no network's. */
export function savedTargets({ commands }: Reading, settings: Settings): readonly string[] {
  return commands.flatMap(({ program, words, dir }) => {
    if (program !== 'curl' || dir === undefined) return [];
    const options = readOptions(words.slice(1), CURL);
    const [below] = options.values('--output-dir');
    return options
      .values('-o', '--output')
      .filter(({ value, known }) => known && isMarkdown(value, settings))
      .map(({ value }) => resolvePath(value, below?.known === true ? resolvePath(below.value, dir) : dir));
  });
}

/** Markdown files that the scripts a command runs name in plain text; which of them they write, only running tells. */
export function scriptTargets({ commands }: Reading, here: Here, settings: Settings): readonly string[] {
  const found = new Set<string>();
  let read = 0;
  for (const { program, words, dir } of commands) {
    if (dir === undefined || read >= MOST_SCRIPTS) continue;
    const [first, ...rest] = words;
    const script = INTERPRETERS.test(program)
      ? rest.find(({ value }) => !value.startsWith('-') && value !== 'run')
      : first?.value.includes('/') === true
        ? first
        : undefined;
    if (script?.known !== true || rest.some(({ value }) => value === '-c' || value === '-e')) continue;
    read += 1;
    const text = here.files.readText(resolvePath(script.value, dir), MOST_BYTES) ?? '';
    if (text.includes('\0')) continue;
    for (const [, quoted, word] of text.matchAll(NAMES)) {
      const name = quoted ?? word ?? '';
      if (found.size < MOST_TARGETS && isMarkdown(name, settings)) found.add(resolvePath(name, dir));
    }
  }
  return [...found];
}
