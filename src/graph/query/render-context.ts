import type { ContextAnswer, ContextBlock } from './answer.ts';
import type { Section, Sheet } from './fit-text.ts';
import { calledAs, standIns } from './render-dispatch.ts';
import { callersText, callLines, clean, counted, doubtText, headOf, mentionText } from './render-symbol.ts';
import type { Wording } from './render-symbol.ts';

export function contextSheet({ query, symbols, blocks, leftOut, unclear }: ContextAnswer, { how }: Wording): Sheet {
  const sections: Section[] = [];
  // As one line each: a block is shown whole or not at all.
  if (blocks.length > 0)
    sections.push({ name: 'symbols', lines: blocks.map((block, at) => (at === 0 ? '' : '\n') + blockText(block)) });
  for (const { is, wanted } of unclear)
    sections.push({
      name: `"${clean(wanted)}"`,
      title: clean(
        is === 'choice'
          ? `"${wanted}" is the name of several symbols: ${how('search', wanted, {})}`
          : `no symbol "${wanted}"`,
      ),
      lines: [],
    });
  if (leftOut.length > 0) {
    const chars = leftOut.reduce((sum, each) => sum + each.chars, 0);
    sections.push({
      name: 'symbols that did not fit',
      title: `${leftOut.length} left out for length, ${chars} characters: ${how('context', symbols ? '' : query, { ...(symbols && { symbols: symbols.join(',') }), 'max-chars': neededFor(blocks, chars) })}`,
      lines: leftOut.map(({ symbol }) => mentionText(symbol)),
    });
  }
  const isEmpty = blocks.length === 0 && leftOut.length === 0 && unclear.length === 0;
  return { head: isEmpty ? [clean(`no symbol fits "${query}"`)] : [], sections, tail: [] };
}

/** In whole thousands, with some room for what is said beside the blocks. */
function neededFor(blocks: readonly ContextBlock[], more: number): number {
  const sum = blocks.reduce((chars, block) => chars + blockText(block).length, more);
  return Math.ceil((sum + 500) / 1_000) * 1_000;
}

/** A definition with its numbered lines, who calls it, what it calls, and which tests reach it. */
export function blockText(block: ContextBlock): string {
  const { symbol, firstLine, source, callers, callees, calleeDoubt, tests } = block;
  const width = String(firstLine + source.length - 1).length;
  const [head = ''] = headOf(symbol, []);
  const lines = [
    head,
    ...source.map((line, at) => `${String(firstLine + at).padStart(width)}  ${clean(line)}`.trimEnd()),
  ];
  const list = (noun: string, total: number, items: readonly string[], open = '', count = counted(total, noun)) => {
    lines.push(
      total === 0
        ? `no ${noun}s found; ${open}`
        : `${count}${total > items.length ? `, the first ${items.length}` : ''}`,
    );
    for (const item of items) lines.push(item);
  };
  list(
    'caller',
    callers.total,
    callLines(callers.items, 'callers'),
    doubtText(block, 'callers'),
    callersText(callers.total, callers.roles),
  );
  for (const base of block.overrides) lines.push(calledAs(base));
  if (block.implementations)
    lines.push(standIns(block.implementations.total), ...block.implementations.items.map(mentionText));
  list('callee', callees.total, callLines(callees.items, 'callees'), doubtText(calleeDoubt, 'callees'));
  if (tests.total > 0) list('test', tests.total, tests.items.map(mentionText));
  return lines.join('\n');
}
