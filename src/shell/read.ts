import type { Reading, ReadingPlace } from './command.ts';
import { isCurrent } from './command.ts';
import { isTooMuch } from './limits.ts';
import { endShell, parseAndRun } from './run-code.ts';
import { perform } from './simple.ts';
import type { Reader } from './state.ts';
import { addUnclear, newShell, readingOf } from './state.ts';
import { runNode, runStatements } from './statements.ts';
import { expandText } from './words.ts';

const READER: Reader = { statements: runStatements, node: runNode, call: perform, text: expandText };

/** Those who decide on one event ask about the same text, one after the other. */
let last: (Pick<ReadingPlace, 'cwd' | 'home'> & Asked) | undefined;

interface Asked {
  readonly text: string;
  readonly root: string | undefined;
  readonly reading: Reading;
}

/** Reads a command line into the simple commands it would run. Never throws; what it cannot tell is in `unclear`. */
export function readShell(text: string, place: ReadingPlace): Reading {
  const { cwd, home, root } = place;
  if (last?.text === text && last.cwd === cwd && last.home === home && last.root === root)
    if (isCurrent(last.reading.files, place)) return last.reading;
  const reading = readAfresh(text, place);
  last = { text, cwd, home, root, reading };
  return reading;
}

/** As `readShell`, for a text that nobody else will ask about. */
export function readAfresh(text: string, place: ReadingPlace): Reading {
  const shell = newShell(place, READER);
  const { all } = shell;
  const tooMuch = isTooMuch(text);
  if (tooMuch) {
    addUnclear(all, tooMuch, text);
    return readingOf(all);
  }
  try {
    parseAndRun(text, shell);
    endShell(shell);
  } catch {
    // The parser recurses: text that nests deep enough ends its stack, and what was read until then stands.
    addUnclear(all, 'too-deep', text);
  }
  return readingOf(all);
}
