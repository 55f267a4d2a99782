import { expect, it } from 'vitest';
import { keyStamp, keyTokens } from './key-tokens.ts';

it.each<[text: string, tokens: readonly string[]]>([
  ['sk_live_9aB8c7D6e5F4', ['sk_live_9aB8c7D6e5F4']],
  ['https://example.com/?k=9aB8c7D6e5F4&x=1', ['9aB8c7D6e5F4']],
  ['bPxRfiCYEXAMPLEKeYx', ['bPxRfiCYEXAMPLEKeYx']],
  ['aBcDeFgHiJkLmNoP', ['aBcDeFgHiJkLmNoP']],
  ['short1 getUserInformation internationalization', []],
  ['123456789012345', []],
])('%s', (text, tokens) => {
  expect(keyTokens(text)).toEqual(tokens);
});

it('a stamp is the same for the same key and holds nothing of it', () => {
  expect(keyStamp('9aB8c7D6e5F4')).toBe(keyStamp('9aB8c7D6e5F4'));
  expect(keyStamp('9aB8c7D6e5F4')).not.toBe(keyStamp('9aB8c7D6e5F5'));
  expect(keyStamp('9aB8c7D6e5F4')).not.toContain('9aB8');
});
