import { describe, expect, it } from 'vitest';
import {
  dispatchShortfalls,
  isCalibrated,
  precision,
  recall,
  recallAll,
  shortfalls,
} from '../../bench/graph-accuracy/bars.ts';
import {
  compareDefinitions,
  compareSites,
  judgeable,
  judgeableEdges,
} from '../../bench/graph-accuracy/compare-parsers.ts';
import { scoreDispatch } from '../../bench/graph-accuracy/dispatch.ts';
import { readOracle } from '../../bench/graph-accuracy/oracle.ts';
import { addScores, score, type Found, type Site, type Verdict } from '../../bench/graph-accuracy/score.ts';
import type { Why } from '../../src/graph/graph.fixture.ts';

const place = (line: number, column = 0, file = 'a.ts') => ({ file, line, column });

function site(line: number, verdict: Verdict, targets: readonly number[] = [], kind: Site['kind'] = 'call'): Site {
  return {
    ...place(line),
    kind,
    name: 'f',
    verdict,
    targets: targets.map((to) => ({ ...place(to, 9), kind: 'function' })),
  };
}

function edge(line: number, to: number, why: Why = 'scope', file = 'a.ts'): Found {
  return { ...place(line), target: place(to, 0, file), why };
}

describe('score', () => {
  it.each<[string, Site[], Found[], Partial<ReturnType<typeof score>>]>([
    ['right edge', [site(1, 'edge', [50])], [edge(1, 50)], { ours: 1, right: 1, expected: 1, found: 1, foundAtAll: 1 }],
    ['any overload is right', [site(1, 'edge', [50, 60])], [edge(1, 60)], { ours: 1, right: 1, found: 1 }],
    ['wrong line', [site(1, 'edge', [50])], [edge(1, 51)], { ours: 1, right: 0, expected: 1, found: 0, foundAtAll: 0 }],
    ['wrong file', [site(1, 'edge', [50])], [edge(1, 50, 'scope', 'b.ts')], { ours: 1, right: 0, found: 0 }],
    [
      'right and wrong at one site',
      [site(1, 'edge', [50])],
      [edge(1, 50), edge(1, 51)],
      { ours: 2, right: 1, found: 1 },
    ],
    ['no edge', [site(1, 'edge', [50])], [], { ours: 0, expected: 1, found: 0 }],
    [
      'low confidence finds, but does not count',
      [site(1, 'edge', [50])],
      [edge(1, 50, 'only')],
      { ours: 0, found: 0, foundAtAll: 1 },
    ],
    [
      'possible likewise',
      [site(1, 'edge', [50])],
      [edge(1, 50, 'possible'), edge(1, 60, 'possible')],
      { ours: 0, found: 0, foundAtAll: 1 },
    ],
    ['outside: no edge is right', [site(1, 'outside')], [edge(1, 50)], { ours: 1, right: 0, expected: 0 }],
    ['local: none is no miss', [site(1, 'local', [50])], [], { ours: 0, expected: 0 }],
    [
      'local: the held definition is right',
      [site(1, 'local', [50])],
      [edge(1, 50)],
      { ours: 1, right: 1, expected: 0 },
    ],
    ['local: another is wrong', [site(1, 'local', [50])], [edge(1, 51)], { ours: 1, right: 0, expected: 0 }],
    ['unresolved counts neither way', [site(1, 'unresolved')], [edge(1, 50)], { ours: 0, right: 0, unresolved: 1 }],
    ['an edge where no call is', [], [edge(7, 50)], { ours: 1, right: 0 }],
    [
      'a named decorator is judged, not expected',
      [site(1, 'edge', [50], 'decorator')],
      [edge(1, 50)],
      { sites: 0, ours: 1, right: 1, expected: 0 },
    ],
  ])('%s', (_, sites, found, expected) => {
    expect(score(sites, found)).toMatchObject(expected);
  });

  it('judges each reason by itself, low confidence included', () => {
    const sites = [site(1, 'edge', [50]), site(2, 'edge', [50])];
    const found = [edge(1, 50, 'only'), edge(2, 51, 'only'), edge(2, 50, 'import')];
    expect(score(sites, found).byWhy).toEqual([
      { why: 'import', edges: 1, right: 1 },
      { why: 'only', edges: 2, right: 1 },
    ]);
  });

  it('says what was missed and what was wrong', () => {
    const { missed, wrong } = score(
      [site(1, 'edge', [50]), site(2, 'outside'), site(3, 'edge', [50])],
      [edge(1, 51), edge(2, 50)],
    );
    expect(missed.map(({ kind }) => kind)).toEqual(['function: led elsewhere', 'function: no edge']);
    expect(wrong.map(({ kind }) => kind)).toEqual(['scope: another function', 'scope: leads outside']);
  });

  it('adds corpora by their counts, not by their shares', () => {
    const few = score([site(1, 'edge', [50])], []);
    const many = score(
      [1, 2, 3].map((line) => site(line, 'edge', [50])),
      [1, 2, 3].map((line) => edge(line, 50)),
    );
    const all = addScores([few, many]);
    expect([recall(all), recallAll(all), precision(all)]).toEqual([75, 75, 100]);
    expect(all.byWhy).toEqual([{ why: 'scope', edges: 3, right: 3 }]);
  });
});

describe('bars', () => {
  it('an index without edges has no recall', () => {
    const nothing = score([site(1, 'edge', [50])], []);
    expect(shortfalls('x', 'go', nothing)).toEqual(['x: recall 0.0 %, bar 95 %']);
  });

  it.each([
    ['receiver', 100, 100, true],
    ['receiver', 100, 90, true],
    ['receiver', 100, 89, false],
    ['possible', 100, 41, false],
    ['receiver', 99, 0, true],
  ] as const)('calibration of %s: %i edges, %i right', (why, edges, right, expected) => {
    expect(isCalibrated({ why, edges, right })).toBe(expected);
  });
});

describe('dispatch', () => {
  const target = (line: number) => ({ ...place(line), kind: 'method' });
  const oracle = {
    files: new Set(['a.ts']),
    members: [{ ...place(1), name: 'save', targets: [target(5), target(6)] }],
  };

  it('counts pairs of a member and what may be called instead; what the judge has not read counts neither way', () => {
    const scored = scoreDispatch(oracle, () => [place(5), place(9), place(5, 0, 'unread.ts')]);
    expect(scored).toMatchObject({ members: 1, expected: 2, found: 1, ours: 2, right: 1 });
    expect(dispatchShortfalls('x', scored)).toEqual(['x: implementations found 50.0 %, bar 90 %']);
  });

  it('a member that is not known has nothing', () => {
    expect(scoreDispatch(oracle, () => undefined)).toMatchObject({ expected: 2, found: 0, ours: 0 });
  });
});

describe('against the parser', () => {
  const at = (line: number, column: number) => `"file":"a.py","line":${line},"column":${column}`;
  const oracle = readOracle(
    [
      '{"is":"file","file":"a.py"}',
      `{"is":"definition","kind":"function","name":"f",${at(0, 4)}}`,
      `{"is":"definition","kind":"class","name":"C",${at(5, 6)}}`,
      `{"is":"name","kind":"variable","name":"v",${at(9, 0)}}`,
      `{"is":"site","kind":"call","name":"g",${at(1, 2)},"verdict":"outside"}`,
      `{"is":"site","kind":"decorator","name":"d",${at(4, 1)},"verdict":"outside"}`,
      '{"is":"variant","file":"windows.py"}',
      `{"is":"blurred","file":"a.py","from":{${at(20, 0)}},"to":{${at(20, 40)}}}`,
    ].join('\n'),
  );
  const named = (line: number, column: number, file = 'a.py', name = 'x') => ({
    file,
    line,
    column,
    name,
    kind: 'function',
  });

  it('compares definitions by place; other declarations may be listed', () => {
    const definitions = [named(0, 4), named(9, 0), named(30, 0), named(0, 0, 'unread.js')];
    expect(compareDefinitions(oracle, { definitions })).toMatchObject({ ours: 3, right: 2, theirs: 2, found: 1 });
  });

  it('compares named call sites; a named decorator may be one', () => {
    const sites = [named(1, 2), named(4, 1), named(8, 0), named(12, 0, 'a.py', '')];
    expect(compareSites(oracle, { sites })).toMatchObject({ ours: 3, right: 2, theirs: 1, found: 1 });
  });

  it('does not judge edges that lead to a file of another build', () => {
    const to = (file: string): Found => ({ ...place(1, 2, 'a.py'), target: place(3, 0, file), why: 'scope' });
    expect(judgeableEdges(oracle, [to('a.py'), to('windows.py'), to('other.py')])).toEqual([
      to('a.py'),
      to('other.py'),
    ]);
  });

  it('leaves out places the parser cannot be relied on for, and files it has not read', () => {
    expect(judgeable(oracle, [named(20, 10), named(21, 0), named(1, 2), named(1, 2, 'b.py')])).toEqual([
      named(21, 0),
      named(1, 2),
    ]);
  });
});
