import { stamp } from '../../text/stamp.ts';

const TOKEN = /[A-Za-z0-9_-]{12,}/g;
const LONGEST_TEXT = 65_536;
const MOST_TOKENS = 200;

/** Parts of a text that may be keys: long, and no word of a language. */
export function keyTokens(text: string): readonly string[] {
  const tokens = text.slice(0, LONGEST_TEXT).match(TOKEN) ?? [];
  return tokens.filter((token) => (/\d/.test(token) ? /[A-Za-z]/.test(token) : isMixed(token))).slice(0, MOST_TOKENS);
}

/** Small letters behind large ones and before them, more often than names of things have them. */
function isMixed(token: string): boolean {
  return (token.match(/[a-z][A-Z]/g) ?? []).length > 3;
}

/** Tells a key from others, and nobody what it is. */
export function keyStamp(token: string): string {
  return stamp([token]) + stamp([token, token]);
}
