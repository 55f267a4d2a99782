import { placeholdersOf } from '../engine/advice/messages.ts';
import type { FrontMatter } from './front-matter.ts';
import { PLACEHOLDERS } from './body.ts';
import type { Placeholder } from './body.ts';
import { nearestWord, suggest } from './nearest-word.ts';
import type { Report } from './problem.ts';

export interface Message {
  readonly text: string;
  /** The first line without its Markdown, for lists. */
  readonly headline: string;
  readonly values: readonly Placeholder[];
}

const KNOWN: readonly string[] = PLACEHOLDERS;

export function readMessage({ body, bodyLine }: Pick<FrontMatter, 'body' | 'bodyLine'>, report: Report): Message {
  const text = body.trim();
  if (text === '')
    report(bodyLine, '', 'the message is empty; write below the front matter what the agent should know and do');
  checkPlaceholders(body, bodyLine, report);
  const first = text.split('\n')[0] ?? '';
  const headline = first
    .replace(/^(#+|[-*>])\s+/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .trim();
  return {
    text,
    headline: headline.length > 100 ? `${headline.slice(0, 99)}…` : headline,
    values: placeholdersOf(text).filter((name): name is Placeholder => KNOWN.includes(name)),
  };
}

/** Braces in code are text unless the name in them is a mistyped placeholder; a shell's `${name}` always is text. */
function checkPlaceholders(body: string, bodyLine: number, report: Report): void {
  let fenced = false;
  body.split('\n').forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const prose = fenced ? '' : line.replaceAll(/`[^`]*`/g, '');
    for (const name of placeholdersOf(line.replaceAll('${', ''))) {
      if (KNOWN.includes(name)) continue;
      const inCode = !placeholdersOf(prose).includes(name);
      if (inCode && nearestWord(name, KNOWN) === undefined) continue;
      const next =
        suggest(name, KNOWN) ||
        `; there are ${KNOWN.map((one) => `{${one}}`).join(', ')}; put braces that are meant as text into \`code\``;
      report(bodyLine + index, '', `nothing fills \`{${name}}\`${next}`);
    }
  });
}
