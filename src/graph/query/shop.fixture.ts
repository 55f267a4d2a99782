import type { Answer, Answered, CallsAnswer, ImpactAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { Ask } from './ask-graph.ts';
import { plannedReader } from './reader.fixture.ts';
import type { Plan } from './reader.fixture.ts';
import { renderAnswer } from './render-answer.ts';
import type { Wording } from './render-symbol.ts';

const WORDING: Wording = {
  how: (action, subject, options) =>
    ['graph', action, subject, ...Object.entries(options).map(([name, value]) => `--${name} ${value}`)].join(' '),
};

/** A small shop: a store, a cart, a program and a test. */
const PLAN: Plan = {
  files: { 'src/store.ts': { unresolved: 4 } },
  symbols: {
    'src/store.ts#Store': { kind: 'class', lines: [1, 30], signature: 'export class Store' },
    'src/store.ts#Store.save': { lines: [3, 10], signature: 'save(item: Item): void' },
    'src/store.ts#Store.flush': { lines: [12, 14] },
    'src/store.ts#Store.lonely': { lines: [15, 16] },
    'src/base.ts#Base': { kind: 'interface' },
    'src/base.ts#Base.save': {},
    'src/cart.ts#Cart': { kind: 'class', lines: [1, 40] },
    'src/cart.ts#Cart.checkout': { lines: [2, 9] },
    'src/cart.ts#Cart.undo': { lines: [10, 19] },
    'src/main.ts#main': { lines: [1, 9] },
    'src/main.ts#run': { lines: [10, 19] },
    'src/store.test.ts#testSave': {},
    'src/log.ts#log': {},
  },
  links: [
    { from: 'src/cart.ts#Cart.checkout', to: 'src/store.ts#Store.save', line: 5, why: 'receiver' },
    { from: 'src/cart.ts#Cart.checkout', to: 'src/store.ts#Store.save', line: 8, why: 'package' },
    { from: 'src/cart.ts#Cart.undo', to: 'src/store.ts#Store.flush', line: 12 },
    { from: 'src/main.ts#main', to: 'src/store.ts#Store.save', line: 3 },
    { from: 'src/main.ts#main', to: 'src/store.ts#Store', line: 2, kind: 'instantiates' },
    { from: 'src/main.ts#run', to: 'src/main.ts#main', line: 11 },
    { from: 'src/main.ts#run', to: 'src/store.ts#Store', line: 12, kind: 'references' },
    { from: 'src/main.ts#main', to: 'src/main.ts#run', line: 4 },
    { from: 'src/store.ts#Store.save', to: 'src/store.ts#Store.flush', line: 6, why: 'class' },
    { from: 'src/store.ts#Store.save', to: 'src/log.ts#log', line: 7 },
    { from: 'src/store.ts#Store.save', to: 'src/base.ts#Base.save', kind: 'overrides', line: 3 },
    { from: 'src/store.test.ts#testSave', to: 'src/store.ts#Store.save', line: 2 },
    { from: 'src/cart.ts#Cart.undo', to: 'src/base.ts#Base.save', line: 14 },
    { from: 'src/cart.ts#Cart.undo', to: 'src/log.ts#log', line: 15, why: 'only' },
  ],
  maybe: [{ from: 'src/cart.ts#Cart.undo', to: 'src/store.ts#Store.save', line: 13 }],
  unresolved: { save: 3, lonely: 1 },
};
const reader = plannedReader(PLAN);

const source = Array.from({ length: 40 }, (_, at) => `line ${at + 1} of it`).join('\n');
export const ask = (question: Ask) => askGraph(reader, question, () => source);
export const calls = (question: Ask) => ask(question) as CallsAnswer;
export const impact = (symbol: string, depth = 2) => ask({ action: 'impact', symbol, depth }) as ImpactAnswer;
export const text = (answer: Answer, maxChars = 6_000, more: Partial<Answered> = {}) =>
  renderAnswer({ answer, root: '/project', state: 'stable', stale: 0, ...more }, maxChars, WORDING);
