import type { Reading, ReadingPlace } from './command.ts';

/** Reads a command line into the simple commands it would run. Never throws; what it cannot tell is in `unclear`. */
export function readShell(_text: string, _place: ReadingPlace): Reading {
  return { commands: [], unclear: [], exhausts: [] };
}
