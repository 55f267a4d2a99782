import { readMarkdown } from '../text/markdown.ts';
import type { Line } from '../text/markdown.ts';

/** What stands above a statement says of it: `## Never`, `Do not:` before a list. */
export type Mood = 'never' | 'avoid';

/** One sentence of a file of instructions. */
export interface Statement {
  /** On one line, with its Markdown. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Of what stands above, where that turns the sentence round. */
  readonly mood?: Mood;
  /** The words that do so. */
  readonly under?: string;
  /** The sentence before it in the same paragraph or item. */
  readonly before?: string;
  /** What stands before it as a name: `**Package manager**: …`. */
  readonly label?: string;
}

interface Block {
  text: string;
  readonly line: number;
  readonly indent: number;
  readonly isItem: boolean;
  readonly mood?: Mood;
  readonly under?: string;
}

interface Lead {
  readonly indent: number;
  readonly mood?: Mood;
  readonly under: string;
}

/** The sentences of a text in Markdown, without code, comments and quotes. */
export function statementsIn(text: string): readonly Statement[] {
  const blocks = blocksIn(text).filter((block) => block.text.length <= LONGEST_BLOCK);
  return blocks.flatMap((block) => {
    const { line, mood, under } = block;
    const { label, rest } = labelOf(block.text);
    const context = { line, ...(mood && { mood }), ...(under !== undefined && { under }) };
    const own = label === undefined ? [] : [{ text: label, ...context }];
    const sentences = sentencesIn(rest);
    return [
      ...own,
      ...sentences.map((each, at): Statement => {
        const before = sentences[at - 1] ?? (at === 0 ? label : undefined);
        return {
          text: each,
          ...context,
          ...(before !== undefined && { before }),
          ...(label !== undefined && at === 0 && { label }),
        };
      }),
    ];
  });
}

const ITEM = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const QUOTE = /^\s{0,3}>/;
/** A line that only takes another file in. */
const TAKEN_IN = /^\s*(?:[-*+]\s+)?@\S+\s*$/;
/** No person writes a paragraph of this size; what reads sentences would take its time over it. */
const LONGEST_BLOCK = 4_000;
const TABLE = /^\s*\|.*\|\s*$/;

function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const headings: Lead[] = [];
  let leads: Lead[] = [];
  let open: Block | undefined;
  let columns: readonly string[] | undefined;
  const lineAt = lineCounter(text);
  const { lines } = readMarkdown(text, frontMatterEnd(text));
  let last = -2;
  for (const each of lines) {
    const line = lineAt(each.at);
    // Code or a comment lay between.
    if (line > last + 1) open = undefined;
    last = line;
    if (each.heading) {
      const { level, text: title } = each.heading;
      while ((headings.at(-1)?.indent ?? 0) >= level) headings.pop();
      headings.push({ indent: level, under: title, ...moodOf(title) });
      [leads, open, columns] = [[], undefined, undefined];
      continue;
    }
    if (each.text.trim() === '' || QUOTE.test(each.text) || TAKEN_IN.test(each.text)) {
      [open, columns] = [undefined, undefined];
      continue;
    }
    if (TABLE.test(each.text)) {
      const cells = cellsOf(each);
      if (columns) blocks.push(...rowBlocks(cells, columns, line, headings));
      else columns = cells;
      open = undefined;
      continue;
    }
    open = addLine(each, line, open);
  }
  return blocks;

  function addLine({ text: typed }: Line, line: number, current: Block | undefined): Block {
    const [, space = '', item] = ITEM.exec(typed) ?? [];
    if (item === undefined && current) {
      current.text += ` ${typed.trim()}`;
      if (current.text.endsWith(':')) lead(current);
      return current;
    }
    const indent = item === undefined ? -1 : space.length;
    leads = leads.filter((one) => one.indent < indent || (one.indent === -1 && item !== undefined));
    const above = [...headings, ...leads].findLast(({ mood }) => mood !== undefined);
    const isTurned = leads.length > 0 || headings.at(-1) === above;
    const block: Block = {
      text: (item ?? typed).trim(),
      line,
      indent,
      isItem: item !== undefined,
      ...(above && isTurned && { mood: above.mood as Mood, under: above.under }),
    };
    blocks.push(block);
    if (block.text.replaceAll('*', '').endsWith(':')) lead(block);
    return block;
  }

  function lead({ text: said, indent }: Block): void {
    const words = said.replaceAll(/[*_]/g, '').replace(/:$/, '');
    leads.push({ indent, under: words, ...moodOf(words.split(/[.!?]\s/).at(-1) ?? '') });
  }
}

/** A cell under a column that forbids; what other columns say is no sentence of its own. */
function rowBlocks(
  cells: readonly string[],
  columns: readonly string[],
  line: number,
  above: readonly Lead[],
): Block[] {
  if (cells.every((cell) => /^[\s:-]*$/.test(cell))) return [];
  return cells.flatMap((cell, at): Block[] => {
    const title = columns[at] ?? '';
    const { mood } = moodOf(title);
    const base = { text: cell, line, indent: -1, isItem: false };
    if (mood) return [{ ...base, mood, under: title }];
    const heading = above.at(-1);
    return heading?.mood === undefined ? [base] : [];
  });
}

function cellsOf({ text }: Line): readonly string[] {
  return text
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

const NEVER =
  /^(?:(?:you|agents?|ai agents?|the agent|we) )?(?:(?:things |what |actions |commands |files |paths |patterns )?(?:(?:you |to |that )*)?(?:never|must never|must not|mustn'?t|do not|don'?ts?|should not|may not|cannot|not to do|forbidden|prohibited|banned|not allowed|disallowed|off[- ]limits|no[- ]gos?))\b/i;
const AVOIDED = /^(?:(?:things|what|patterns|anti[- ]?patterns) )?(?:to )?(?:avoid|anti[- ]?patterns?|bad|wrong)\b/i;
const MIXED = /\b(?:do(?:s|'s)? and do|do \/|always|vs\.?|or always|& )|\?/i;

/** The mood that a heading or a lead-in gives to what is below it. A text that says something itself gives none. */
function moodOf(said: string): { readonly mood?: Mood } {
  const words = said
    .replaceAll(/[\p{Extended_Pictographic}\uFE0F*_`]|^\s*[\d.]+\s/gu, '')
    .replaceAll('’', "'")
    .trim();
  if (words.length > 60 || MIXED.test(words)) return {};
  if (/[❌🚫⛔]/u.test(said) && words.split(' ').length <= 4) return { mood: 'never' };
  const left = words.replace(NEVER, '').trim();
  if (NEVER.test(words) && left.split(/\s+/).length <= 4) return { mood: 'never' };
  const isNever =
    /\b(?:never|forbidden|prohibited|banned|not allowed|what not to do|do not|don'ts?|off[- ]limits)$/i.test(words);
  if (isNever && words.split(/\s+/).length <= 5) return { mood: 'never' };
  if (/^(?:forbidden|prohibited|banned|disallowed) \w+( \w+)?$/i.test(words)) return { mood: 'never' };
  return AVOIDED.test(words) && words.split(/\s+/).length <= 4 ? { mood: 'avoid' } : {};
}

/** `**Name**: …` and `**Name** — …` name what follows. */
function labelOf(text: string): { readonly label?: string; readonly rest: string } {
  const [, inner, outer] = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*(.*)$/.exec(text) ?? [];
  if (inner === undefined || outer === undefined) return { rest: text };
  const isNamed = /[:.]$/.test(inner) || /^(?::|—|–|-\s)/.test(outer) || outer === '';
  if (!isNamed || /^(?:never|do not|don'?t|must not|not|no|avoid|always)$/i.test(inner.replace(/[:.]$/, '')))
    return { rest: text };
  return { label: inner.replace(/[:.]$/, ''), rest: outer.replace(/^(?::|—|–|-\s)\s*/, '') };
}

/** Ends where a stop is followed by what begins a sentence; code is passed over. */
export function sentencesIn(text: string): readonly string[] {
  const hidden = text.replaceAll(/(`+)[^`]*?\1|\([^()]*\)/g, (code) => 'X'.repeat(code.length));
  const sentences: string[] = [];
  let from = 0;
  for (const { index, 0: stop } of hidden.matchAll(/[.!?](?:\*\*|__|["”')])*\s+(?=[^a-z\s])|[。！？]\s*/g)) {
    if (/\b(?:e\.g|i\.e|etc|vs|cf)\.$/i.test(text.slice(0, index + 1))) continue;
    sentences.push(text.slice(from, index + stop.length));
    from = index + stop.length;
  }
  return [...sentences, text.slice(from)].map((one) => one.trim()).filter((one) => one !== '');
}

function frontMatterEnd(text: string): number | undefined {
  return /^﻿?---\r?\n[\s\S]*?\n---\r?\n/.exec(text)?.[0].length;
}

function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
      line += 1;
      from = next + 1;
    }
    return line;
  };
}
