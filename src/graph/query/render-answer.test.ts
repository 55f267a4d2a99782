import { expect, it } from 'vitest';
import type { Answered, SymbolInfo } from './answer.ts';
import { renderAnswer } from './render-answer.ts';

const SYMBOL: SymbolInfo = {
  key: 'a.ts#load',
  name: 'load',
  kind: 'function',
  path: 'a.ts',
  line: 1,
  lastLine: 1,
  signature: '',
  exported: true,
  test: false,
  callers: 1,
  callerRoles: { production: 1 },
};

function calledAt(count: number): Answered {
  const sites = Array.from({ length: count }, (_, at) => ({
    path: 'b.ts',
    line: 1_000 + at,
    column: 1,
    kind: 'calls' as const,
    why: 'import' as const,
    confidence: 1,
  }));
  const run = { ...SYMBOL, key: 'b.ts#run', name: 'run' };
  const calls = {
    total: 1,
    roles: { production: 1 },
    items: [{ symbol: run, test: false, role: 'production' as const, sites }],
  };
  const none = { total: 0, roles: {}, items: [] };
  return {
    root: '/p',
    state: 'stable',
    stale: 0,
    answer: {
      is: 'callers',
      symbol: SYMBOL,
      others: [],
      calls,
      sites: count,
      uses: none,
      possible: 0,
      unresolved: 0,
      overrides: [],
      namesakes: [],
    },
  };
}

const how = (action: string, subject: string, options: object) =>
  `ask ${JSON.stringify({ action, subject, ...options })}`;

it('has the line of each call where all of them fit', () => {
  const text = renderAnswer(calledAt(60), 6_000, { how });
  expect(text).toContain('b.ts:1000, 1001, ');
  expect(text).toContain('1058, 1059\nstable');
  expect(text).not.toContain('more');
});

it('otherwise has the first of them, and says how the others are asked for', () => {
  const text = renderAnswer(calledAt(2_000), 6_000, { how });
  expect(text).toContain('1004, 1005 and 1994 more\n');
  const [, asked = '{}'] = /\nthe lines of all calls: ask (.*)\n/.exec(text) ?? [];
  const { action, subject, 'max-chars': chars } = JSON.parse(asked) as Record<string, string> & { 'max-chars': number };
  expect([action, subject]).toEqual(['callers', 'a.ts#load']);
  expect(renderAnswer(calledAt(2_000), chars, { how })).toContain('2998, 2999\nstable');
});
