import { quote } from './rule-draft.ts';
import type { Draft } from './rule-draft.ts';

/** Where a rule comes from. */
export interface Origin {
  readonly file: string;
  readonly sentence: string;
  readonly digest: string;
}

/** In place of a file, for a sentence that a person said in a session. */
export const SAID = 'what a person said';

/** A name that no other rule has: the words of the draft, with a number where they are taken. */
export function nameOf({ about }: Draft, isTaken: (name: string) => boolean): string {
  const words = about.flatMap((word) => word.toLowerCase().match(/[a-z0-9]+/g) ?? []);
  const base = [...new Set(words)].join('-').slice(0, 48).replace(/-+$/, '');
  const start = /^[a-z]/.test(base) ? base : `rule-${base}`;
  let name = start;
  for (let number = 2; isTaken(name); number += 1) name = `${start}-${number}`;
  return name;
}

/** The Markdown of a rule in shadow. */
export function ruleText(name: string, draft: Draft, { file, sentence, digest }: Origin): string {
  const { action, when, acts, passes, instead } = draft;
  const plain = sentence.replaceAll(/\s+/g, ' ');
  const lines = [
    `name: ${name}`,
    `summary: ${quote(cut(plain.replaceAll(/[*_`]/g, ''), 90))}`,
    'source:',
    `  file: ${quote(file)}`,
    `  sentence: ${quote(plain)}`,
    `  digest: ${quote(digest)}`,
    ...when,
    `action: ${action}`,
    '# It records what it would do and says nothing. `fairlead rules promote` raises it, after your yes to its sentence.',
    'mode: shadow',
    'examples:',
    `  ${action}:`,
    ...acts.map((each) => `    - ${each}`),
    '  pass:',
    ...passes.map((each) => `    - ${each}`),
  ];
  return `---\n${lines.join('\n')}\n---\n${message(file, plain, instead)}\n`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Braces would be taken for values. */
function message(file: string, sentence: string, instead: string | undefined): string {
  const said = cut(sentence, 200).replaceAll('{', '(').replaceAll('}', ')');
  const next = instead?.replaceAll('{', '(').replaceAll('}', ')');
  return [
    file === SAID ? `A person said: ${said}` : `${file} says: ${said}`,
    ...(next === undefined ? [] : [next]),
  ].join('\n');
}
