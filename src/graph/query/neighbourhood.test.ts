import { expect, it } from 'vitest';
import { neighbourhoodOf } from './neighbourhood.ts';
import { plannedReader } from './reader.fixture.ts';

const symbols = Object.fromEntries(
  ['top', 'left', 'right', 'test', 'it', 'below', 'both'].map((name) => [
    `${name === 'test' ? 'a.test.ts' : 'a.ts'}#${name}`,
    {},
  ]),
);
const reader = plannedReader({
  symbols,
  links: [
    'a.ts#top -> a.ts#left',
    'a.ts#top -> a.ts#right',
    'a.ts#left -> a.ts#it',
    { from: 'a.ts#right', to: 'a.ts#it', line: 3 },
    { from: 'a.ts#right', to: 'a.ts#it', line: 4 },
    'a.test.ts#test -> a.ts#it',
    'a.ts#it -> a.ts#below',
    'a.ts#it -> a.ts#both',
    'a.ts#both -> a.ts#it',
  ],
  maybe: ['a.ts#below -> a.ts#it'],
});
const stat = () => undefined;

it('places callers of callers, callers and what is called from left to right, with every call between them', () => {
  const found = neighbourhoodOf(reader, 'a.ts#it', 9, { stat });
  const columns = Object.fromEntries(found?.nodes.map(({ name, column }) => [name, column]) ?? []);
  expect(columns).toEqual({ top: -2, left: -1, right: -1, test: -1, both: -1, it: 0, below: 1 });
  expect(
    found?.edges.map(({ from, to, sites }) => `${from} ${to} ${sites}`.replaceAll(/a(\.test)?\.ts#/g, '')).toSorted(),
  ).toEqual([
    'both it 1',
    'it below 1',
    'it both 1',
    'left it 1',
    'right it 2',
    'test it 1',
    'top left 1',
    'top right 1',
  ]);
  expect(found).toMatchObject({ totals: { '-2': 1, '-1': 4, '1': 2 }, possible: 1, tests: { total: 1 } });
});

it('shows so many of a column, and counts all', () => {
  const found = neighbourhoodOf(reader, 'a.ts#it', 1, { stat });
  expect(found?.nodes.length).toBe(4);
  expect(found?.totals).toMatchObject({ '-1': 4, '1': 2 });
});

it('says when files changed, and knows nothing of what is not there', () => {
  expect(neighbourhoodOf(reader, 'a.ts#it', 9, { stat })?.state).toBe('stale');
  expect(neighbourhoodOf(reader, 'a.ts#none', 9, { stat })).toBeUndefined();
});
