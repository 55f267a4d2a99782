import { parse } from 'unbash';
import type { Reading, ReadingPlace } from './command.ts';
import { runStatements } from './statements.ts';
import { addUnclear, newShell, readingOf } from './state.ts';

/** Longer texts are not read: the parser takes more than its share of time for them. */
const MAX_LENGTH = 32 * 1024;
const MAX_HEREDOCS = 100;

/** Reads a command line into the simple commands it would run. Never throws; what it cannot tell is in `unclear`. */
export function readShell(text: string, place: ReadingPlace): Reading {
  const shell = newShell(place);
  const { all } = shell;
  const tooMuch = text.length > MAX_LENGTH ? 'too-long' : countHeredocs(text) > MAX_HEREDOCS ? 'too-many-heredocs' : undefined;
  if (tooMuch) {
    addUnclear(all, tooMuch, text);
    return readingOf(all);
  }
  try {
    const script = parse(text);
    shell.source = text;
    runStatements(script.commands, shell);
    if (script.errors && script.errors.length > 0) addUnclear(all, 'syntax', text);
  } catch {
    addUnclear(all, 'syntax', text);
  }
  return readingOf(all);
}

function countHeredocs(text: string): number {
  let count = 0;
  for (let at = text.indexOf('<<'); at >= 0; at = text.indexOf('<<', at + 2)) count += 1;
  return count;
}
