import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../../../test/cases.ts';
import { readWasm } from '../../platform/grammars.ts';
import { createFlatTree, ERROR_SYMBOL } from './flat-tree.ts';
import type { FlatTree } from './flat-tree.ts';
import { SAMPLES } from '../languages/samples.generated.ts';
import { chooseRead, createGrammar, isSame, loadGrammar, readByCursor } from './tree-sitter.ts';
import type { GrammarName } from './tree-sitter.ts';

const NAMES = Object.keys(SAMPLES) as GrammarName[];
/** Real files where there are some at hand, whatever their language: what does not fit makes trees full of errors. */
const REAL = [
  'web-tree-sitter/web-tree-sitter.js',
  'web-tree-sitter/web-tree-sitter.d.ts',
  'tree-sitter-c/src/tree_sitter/parser.h',
  'tree-sitter-python/bindings/node/binding.cc',
  '@photostructure/sqlite/src/sqlite_impl.cpp',
];

const textOf = (path: string): string => readFileSync(join('node_modules', path), 'utf8');

/** The same language, read both ways by hands of its own. */
async function bothWays(name: GrammarName) {
  const memory = { buffer: new ArrayBuffer(65_536) };
  const language = await Language.load(readWasm(`tree-sitter-${name}`));
  const parser = new Parser();
  return {
    cursor: createGrammar(language, parser, createFlatTree(), readByCursor),
    /** Memory that holds nothing, as if the layout were another. */
    chosenBlind: chooseRead(SAMPLES[name], language, parser, memory),
  };
}

beforeAll(async () => {
  await loadGrammar('python');
});

describe.each(NAMES)('%s', (name) => {
  test('a tree read from memory is the one that the parser describes', async () => {
    const grammar = await loadGrammar(name);
    const { cursor, chosenBlind } = await bothWays(name);
    expect(grammar.readsMemory).toBe(true);
    expect(chosenBlind).toBe(readByCursor);
    expect(cursor.readsMemory).toBe(false);
    const texts = [
      SAMPLES[name],
      '',
      '\n',
      '\uFEFFa',
      '"\uD83D\uDE00"',
      ...REAL.map((path) => textOf(path).slice(0, isLong ? 60_000 : 10_000)),
    ];
    for (const text of texts) {
      const expected = cursor.parse(text);
      const found = grammar.parse(text);
      if (!expected || !found) throw new Error('no tree');
      expect(found.text).toBe(text);
      expect(isSame(expected, found), text.slice(0, 40)).toBe(true);
    }
  });
});

test('a mistake shows: the sample is damaged, and the two differ when one node does', async () => {
  const { cursor } = await bothWays('go');
  const go = await loadGrammar('go');
  const one = cursor.parse('package a\nvar b = 1\n');
  const other = go.parse('package a\nvar b = 12\n');
  expect(one && other && isSame(one, other)).toBe(false);
  expect(go.parse(SAMPLES.go)?.damaged).toBe(true);
  expect(go.parse('package a\n')?.damaged).toBe(false);
});

test('nodes, fields and text', async () => {
  const python = await loadGrammar('python');
  const tree = python.parse('x = é.save(1, key=y)\n') as FlatTree;
  const call = [...Array(tree.count).keys()].find((node) => tree.symbol(node) === python.symbol('call')) ?? -1;
  const callee = tree.child(call, python.field('function'));
  expect(tree.textOf(callee)).toBe('é.save');
  expect(tree.textOf(tree.child(callee, python.field('attribute')))).toBe('save');
  expect(tree.field(callee)).toBe(python.field('function'));
  expect(tree.parent(callee)).toBe(call);
  const args = tree.childOf(call, python.symbol('argument_list'));
  const texts: string[] = [];
  for (let at = tree.firstNamed(args); at !== -1; at = tree.nextNamed(at)) texts.push(tree.textOf(at));
  expect(texts).toEqual(['1', 'key=y']);
  const all: string[] = [];
  for (let at = tree.firstChild(args); at !== -1; at = tree.nextSibling(at)) all.push(tree.textOf(at));
  expect(all).toEqual(['(', '1', ',', 'key=y', ')']);
  expect(tree.isNamed(tree.firstChild(args))).toBe(false);
  expect(tree.symbol(tree.firstChild(args))).toBe(python.token('('));
  expect(tree.nextSibling(0)).toBe(-1);
  expect(tree.child(call, python.field('body'))).toBe(-1);
  expect(() => python.symbol('no_such_thing')).toThrow('no_such_thing');
  expect(() => python.field('no_such_thing')).toThrow('no_such_thing');
});

test('what is missing and what is wrong', async () => {
  const java = await loadGrammar('java');
  const missing = java.parse('class A { int x = 1 }') as FlatTree;
  const gaps = [...Array(missing.count).keys()].filter((node) => missing.isMissing(node));
  expect(gaps.map((node) => [missing.textOf(node), missing.symbol(node) === java.token(';')])).toEqual([['', true]]);
  const wrong = java.parse('class A { ) } class B {}') as FlatTree;
  expect([...Array(wrong.count).keys()].some((node) => wrong.symbol(node) === ERROR_SYMBOL)).toBe(true);
});

test('what takes too long gives nothing, and the next file is read from its start', async () => {
  const python = await loadGrammar('python');
  const long = 'x = f(1, 2)\n'.repeat(20_000);
  expect(python.parse(long, 1)).toBeUndefined();
  expect(python.parse('y = 2\n', 1_000)?.count).toBe(6);
  expect(python.parse(long.slice(0, 12 * 400), 10_000)?.damaged).toBe(false);
});

test('very deep nesting is read without recursion', async () => {
  const python = await loadGrammar('python');
  const deep = `x = ${'a + '.repeat(20_000)}a\n`;
  expect(python.parse(deep)?.damaged).toBe(false);
});
