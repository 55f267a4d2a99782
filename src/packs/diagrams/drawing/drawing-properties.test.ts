import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { closedBoxes } from './boxes.ts';
import { DEFAULTS, findDrawings } from './drawing.ts';
import type { Drawing } from './drawing.ts';
import { readRow } from './edges.ts';
import { fenced, indent, printed } from './printed.fixture.ts';

const find = (text: string, options: Partial<typeof DEFAULTS> = {}): readonly Drawing[] =>
  findDrawings(text, { ...DEFAULTS, ...options });

describe('the work grows with the text, whatever is in it', () => {
  const count = 4_000;
  const texts: Readonly<Record<string, string>> = {
    'one line of dashes': '─'.repeat(count),
    'one line of corners': '┌'.repeat(count),
    'one line of tops': '┌──┐'.repeat(count),
    'tops that are never closed': '┌──┐\n│  │\n'.repeat(count / 4),
    boxes: '┌──┐\n│  │\n└──┘\n'.repeat(count / 4),
    'open fences': '```\n┌──────────┐\n'.repeat(count / 8),
    'open pre elements': '<pre\n┌──────────┐\n'.repeat(count / 8),
    emoji: `┌──────────┐${'🚀'.repeat(count)}`,
    ASCII: '+-|'.repeat(count),
  };
  it.each(Object.entries(texts))('%s', (_what, text) => {
    const looks = vi.spyOn(String.prototype, 'codePointAt');
    try {
      find(text, { ascii: true });
      expect(looks.mock.calls.length).toBeLessThanOrEqual(4 * text.length);
    } finally {
      looks.mockRestore();
    }
  });

  it('a top edge looks at no more than 60 rows', () => {
    const rows = ['┌──┐'.repeat(50), ...Array.from({ length: 500 }, () => '│  │'.repeat(50))].map(readRow);
    let reads = 0;
    const counted = new Proxy(rows, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    expect(closedBoxes(counted)).toEqual([]);
    expect(reads).toBeLessThanOrEqual(rows.length + 50 * 60);
  });
});

describe('properties', () => {
  const art = fc.string({
    unit: fc.constantFrom(...Array.from('┌┐└┘─│├┤┬┴┼╭╮╰╯═║ \n\n\t\r>`~-+|a漢🚀<pre/')),
    maxLength: 300,
  });

  it('never throws, and reports lines of the text in order', () => {
    fc.assert(
      fc.property(art, fc.boolean(), (text, ascii) => {
        const count = text.split(/\r\n|\n|\r/).length;
        let before = 0;
        for (const { first, last, boxes: some } of find(text, { ascii, threshold: 1 })) {
          expect(first).toBeGreaterThan(before);
          expect(last).toBeGreaterThanOrEqual(first);
          expect(last).toBeLessThanOrEqual(count);
          expect(some).toBeGreaterThan(0);
          before = last;
        }
      }),
      cases(500),
    );
  });

  it('a tree is never a drawing', () => {
    interface Dir {
      readonly [name: string]: Dir;
    }
    const { dir } = fc.letrec<{ dir: Dir }>((tie) => ({
      dir: fc.oneof(
        { depthSize: 'small' },
        fc.constant({}),
        fc.dictionary(fc.string({ unit: fc.constantFrom(...Array.from('ab漢🚀.-─')), maxLength: 8 }), tie('dir'), {
          maxKeys: 4,
        }),
      ),
    }));
    const render = (entries: Dir, prefix: string): string =>
      Object.entries(entries)
        .map(([name, inner], at, all) => {
          const isLast = at === all.length - 1;
          return `${prefix}${isLast ? '└── ' : '├── '}${name}\n${render(inner, prefix + (isLast ? '    ' : '│   '))}`;
        })
        .join('');
    fc.assert(
      fc.property(dir, fc.boolean(), (tree, ascii) => {
        expect(find(render(tree, ''), { ascii, threshold: 1 })).toEqual([]);
      }),
    );
  });

  it('moving a drawing keeps its fingerprint', () => {
    const names = ['services', 'pipeline', 'group', 'styles', 'loop'];
    const prose = fc.array(fc.constantFrom('text', '', '# head', '- item', '> quote'), { maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...names), prose, fc.nat(12), fc.nat(3), (name, lines, blanks, depth) => {
        const graph = printed(`graph-easy-${name}`);
        const moved = indent(indent(fenced(graph), ' '.repeat(blanks)), '> '.repeat(depth));
        const [was] = find(fenced(graph));
        expect(find(`${lines.join('\n')}\n\n${moved}`).map((each) => each.fingerprint)).toEqual([was?.fingerprint]);
      }),
    );
  });

  it('one other character is another fingerprint', () => {
    const graph = printed('graph-easy-services');
    const seen = new Set<string>();
    for (let at = 0; at < graph.length; at += 1) {
      if (!/[A-Za-z]/.test(graph.charAt(at))) continue;
      seen.add(find(`${graph.slice(0, at)}x${graph.slice(at + 1)}`)[0]?.fingerprint ?? '');
    }
    expect(seen.size).toBe(graph.match(/[A-Za-z]/g)?.length);
  });
});
