import type { Reading, ReadingPlace } from './command.ts';
import { isTooMuch } from './limits.ts';
import { parseAndRun } from './run-code.ts';
import { addUnclear, newShell, readingOf } from './state.ts';

/** Reads a command line into the simple commands it would run. Never throws; what it cannot tell is in `unclear`. */
export function readShell(text: string, place: ReadingPlace): Reading {
  const shell = newShell(place);
  const { all } = shell;
  const tooMuch = isTooMuch(text);
  if (tooMuch) {
    addUnclear(all, tooMuch, text);
    return readingOf(all);
  }
  try {
    parseAndRun(text, shell);
  } catch {
    // The parser recurses: text that nests deep enough ends its stack, and what was read until then stands.
    addUnclear(all, 'syntax', text);
  }
  return readingOf(all);
}
