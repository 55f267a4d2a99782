/** One command of a sed script that does more than change text: `e` runs, `w` writes to the file. */
export interface SedCommand {
  readonly does: 'run' | 'write';
  /** The code, or the name of the file. */
  readonly text: string;
}

/** Commands whose text goes on to the end of the line. */
const TEXTS = 'aicrRwWe';
const LABELS = ':btT';

/** What a script runs and writes. It ends where the script cannot be understood. */
export function readSed(script: string): readonly SedCommand[] {
  const found: SedCommand[] = [];
  let at = 0;
  while (at < script.length) {
    at = skipAddress(script, at);
    const name = script[at] ?? '';
    at += 1;
    if (name === 's' || name === 'y') {
      const middle = endOfPart(script, at);
      const last = middle < 0 ? -1 : endOfPart(script, middle);
      if (last < 0) return found;
      const flags = /^[gpmMiIe\d]*/.exec(script.slice(last + 1))?.[0] ?? '';
      at = last + 1 + flags.length;
      if (flags.includes('e')) found.push({ does: 'run', text: script.slice(middle + 1, last) });
      if (script[at] === 'w') {
        const end = endOfLine(script, at);
        found.push({ does: 'write', text: script.slice(at + 1, end).trim() });
        at = end;
      }
    } else if (TEXTS.includes(name)) {
      const end = endOfLine(script, at);
      const text = script.slice(at, end).trim();
      if (name === 'e' && text !== '') found.push({ does: 'run', text });
      if (name === 'w' || name === 'W') found.push({ does: 'write', text });
      at = end;
    } else if (LABELS.includes(name)) at += /^[^;\n}]*/.exec(script.slice(at))?.[0].length ?? 0;
  }
  return found;
}

/** Blanks, the ends of commands, and addresses: `1,$`, `/x/I`, `\%x%`, `2~3`, `!`. */
function skipAddress(script: string, start: number): number {
  let at = start;
  for (;;) {
    const char = script[at] ?? '';
    if (char === '/' || char === '\\') {
      const end = endOfPart(script, char === '/' ? at : at + 1);
      if (end < 0) return script.length;
      at = end + 1;
    } else if (char !== '' && /[\s;{}\d$,~+!IM]/.test(char)) at += 1;
    else return at;
  }
}

/** Where the part ends that the character at `start` opens; -1 when it does not. */
function endOfPart(script: string, start: number): number {
  const mark = script[start];
  if (mark === undefined || mark === '\n') return -1;
  for (let at = start + 1; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === mark) return at;
  }
  return -1;
}

/** A backslash takes the next line along. */
function endOfLine(script: string, start: number): number {
  for (let at = start; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === '\n') return at;
  }
  return script.length;
}
