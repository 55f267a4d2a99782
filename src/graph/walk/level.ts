import type { Files } from '../../platform/files.ts';
import type { Language } from '../model/facts.ts';
import { languageOf, languageOfShebang } from './known-languages.ts';
import { isExcludedDirectory, isHidden, isMarkedForeign, isRepository } from './excluded.ts';
import type { Names } from './excluded.ts';
import { judge, rootRules, rulesIn, rulesInWanted } from './ignore-rules.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import type { Choice, SkipReason } from './walk-options.ts';

/** A directory that is entered, with what holds for the things in it. */
export interface Level {
  /** Below the root; empty for the root, else with a slash at the end. */
  readonly path: string;
  readonly names: Names;
  readonly rules: IgnoreRules;
}

const SHEBANG_BYTES = 128;
const decoder = new TextDecoder('latin1');

export function enterRoot(files: Files, root: string, names: Names): Level {
  return { path: '', names, rules: rootRules(files, root, names) };
}

/** `read` gives the names in the directory, and is asked last: most of what is skipped is never listed. */
export function enter(
  files: Files,
  root: string,
  { path: above, names: beside, rules: upper }: Level,
  name: string,
  choice: Choice,
  read: () => Names | undefined,
): Level | SkipReason {
  const path = `${above}${name}`;
  if (name === '.git' || choice.isExcluded(path)) return 'excluded';
  const verdict = judge(upper, `${path}/`);
  if (verdict === 'ignored') return 'ignored';
  const isWanted = verdict === 'wanted' || choice.names(path);
  if (!isWanted && isHidden(name)) return 'hidden';
  if (!isWanted && isExcludedDirectory(name, beside, above === '')) return 'excluded';
  const names = read();
  if (!names) return 'unreadable';
  if (isRepository(names)) return 'repository';
  if (!isWanted && isMarkedForeign(names)) return 'excluded';
  const rules = isWanted ? rulesInWanted(upper, `${path}/`) : upper;
  return { path: `${path}/`, names, rules: rulesIn(files, root, path, names, rules) };
}

/** The language of a file that is indexed, or why it is not. */
export function choose(files: Files, root: string, level: Level, name: string, choice: Choice): Language | SkipReason {
  let language = languageOf(name);
  if (language === undefined) return 'other';
  const path = `${level.path}${name}`;
  if (choice.isExcluded(path) || (language !== 'manifest' && !choice.isIncluded(path))) return 'excluded';
  if (judge(level.rules, path) === 'ignored') return 'ignored';
  if (language === 'unclear') {
    const start = files.readRange(`${root}/${path}`, 0, SHEBANG_BYTES);
    language = start === undefined ? undefined : languageOfShebang(decoder.decode(start));
  }
  if (language === undefined) return 'other';
  return choice.isWanted(language) ? language : 'excluded';
}

const REASONS = new Set<string>([
  'ignored',
  'excluded',
  'hidden',
  'repository',
  'link',
  'unreadable',
  'too-many',
  'other',
] satisfies SkipReason[]);

export function isReason(found: Language | SkipReason): found is SkipReason {
  return REASONS.has(found);
}
