import { isUtf8 } from 'node:buffer';
import type { FileFlag } from '../model/facts.ts';

export interface DecodedText {
  readonly text: string;
  /** `not-utf8` may stand beside a text: a name in an old encoding somewhere in a comment spoils nothing else. */
  readonly flag?: Extract<FileFlag, 'binary' | 'not-utf8'>;
}

const utf8 = new TextDecoder('utf-8');
const utf16le = new TextDecoder('utf-16le');
const utf16be = new TextDecoder('utf-16be');
/** More unreadable characters than one in this many, and the file is in no encoding that we know. */
const READABLE = 100;
const REPLACEMENT = '\uFFFD';

/** A byte order mark is no part of the text. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return checked(utf16le.decode(bytes));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return checked(utf16be.decode(bytes));
  if (bytes.includes(0)) return { text: '', flag: 'binary' };
  const text = utf8.decode(bytes);
  if (isUtf8(bytes)) return { text };
  let unreadable = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) unreadable += 1;
  return { text: unreadable * READABLE > text.length ? '' : text, flag: 'not-utf8' };
}

function checked(text: string): DecodedText {
  return text.includes('\0') ? { text: '', flag: 'binary' } : { text };
}

/** Where each line starts. Only a line feed ends one, as the parsers and the tools that show lines have it. */
export function startsOfLines(text: string): number[] {
  const lines = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.push(at + 1);
  return lines;
}

const MARKER = /^(?:<{7} .*|\|{7}(?: .*)?|={7}|>{7} .*)$/gm;

/** The text with the markers of an unfinished merge blanked, so that both sides are read and every offset stays. */
export function withoutConflicts(text: string): string {
  if (!text.includes('<<<<<<< ') || !text.includes('\n>>>>>>> ')) return text;
  return text.replace(MARKER, (marker) => ' '.repeat(marker.length));
}
