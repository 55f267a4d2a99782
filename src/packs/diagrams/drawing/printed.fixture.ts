import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** What a real program printed; test/fixtures/diagrams/README.md says how. */
export function printed(name: string): string {
  return readFileSync(new URL(`../../../../test/fixtures/diagrams/${name}.txt`, import.meta.url), 'utf8');
}

/** The same as it was seen. */
export const seen = (name: string): string => stripVTControlCharacters(printed(name));

export const fenced = (text: string, label = ''): string => `\`\`\`${label}\n${text.replace(/\n$/, '')}\n\`\`\`\n`;

/** Each line that is not empty begins with `by`. */
export const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

/** Two boxes by hand. */
export const B = `
┌─────────┐     ┌─────────┐
│ Reader  │────▶│ Writer  │
└─────────┘     └─────────┘
`.slice(1);

/** The same shape with other labels. */
export const C = B.replace('Reader', 'Parser').replace('Writer', 'Printer');
