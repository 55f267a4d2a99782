import { readCalls } from './languages/calls.ts';
import type { Run } from './languages/runs.ts';
import { runsIn } from './languages/runs.ts';

export interface ShellCalls {
  readonly calls: readonly Run[];
  /** It is more than was read. */
  readonly cut: boolean;
  /** It forks without end. */
  readonly forks: boolean;
}

const FORKS =
  /\bfork\s*(?:\(\s*\))?\s+while\b|\bwhile\s*\(?\s*(?:1|true|True)?\s*\)?\s*[:{]?\s*(?:\w+\.)?fork\s*(?:\(|;|\})|\bloop\s*(?:\{|do)\s*fork\b|\bwhile\s*\(?\s*fork\b/;

/** Finds what code of another language hands to a shell, in the literals of its calls. */
export function findShellCalls(text: string, language: string): ShellCalls {
  if (language === 'osascript')
    return { calls: matchAll(text, /do shell script\s+"((?:[^"\\]|\\.)*)"/g), cut: false, forks: false };
  const code = readCalls(text, language === 'expect' ? 'tcl' : language);
  return { calls: runsIn(code), cut: code.cut, forks: FORKS.test(text) };
}

function matchAll(code: string, pattern: RegExp): readonly string[] {
  return [...code.matchAll(pattern)].map((match) => (match[1] ?? '').replace(/\\(["\\])/g, '$1'));
}
