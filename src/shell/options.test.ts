import { describe, expect, it } from 'vitest';
import type { OptionSpec } from './options.ts';
import { readOptions } from './options.ts';
import { lastOf } from './reading.fixture.ts';

const SPEC: OptionSpec = {
  values: ['-o', '-J', '--output', '-target'],
  flags: ['--recursive', '--recover', '--replace', '-auto-approve'],
  attached: ['-i'],
};

function optionsOf(text: string, spec: OptionSpec = SPEC) {
  return readOptions(lastOf(`x ${text}`).words.slice(1), spec);
}

describe('options', () => {
  it.each<[string, string, boolean]>([
    ['-rf', '-f', true],
    ['-rf', '-rf', false],
    ['--recursive', '--recursive', true],
    ['--recu', '--recursive', true],
    ['--rec', '--recursive', false],
    ['--force', '--force', true],
    ['-o -f', '-f', false],
    ['-of', '-f', false],
    ['-- -f', '-f', false],
    ['-', '-', false],
    ['-i.bak -f', '-i', true],
    ['-i.bak', '-b', false],
    ['-auto-approve', '-auto-approve', true],
    ['-auto-approve', '-a', false],
    ['-auto-approve=false', '-auto-approve', true],
    ['-target=a', '-target', true],
    ['-target=a', '-t', false],
  ])('%s has %s: %s', (text, name, given) => {
    expect(optionsOf(text).has(name)).toBe(given);
  });

  it.each<[string, readonly string[]]>([
    ['-o a', ['a']],
    ['-oa', ['a']],
    ['-vo a', ['a']],
    ['-o=a', ['=a']],
    ['--output a --output=b', ['a', 'b']],
    ['--out a', ['a']],
    ['--output=', ['']],
    ['-J % x', ['%']],
    ['-target a', ['a']],
    ['-target=a', ['a']],
    ['-i.bak', ['.bak']],
    ['-i a', []],
    ['--replace=R', ['R']],
    ['--replace R', []],
    ['-o a --output b -oc', ['a', 'b', 'c']],
    ['-o', []],
  ])('%s gives %j', (text, values) => {
    expect(
      optionsOf(text)
        .values('-o', '--output', '-J', '-target', '-i', '--replace')
        .map((word) => word.value),
    ).toEqual(values);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['a -f b -- -c d', ['a', 'b', '-c', 'd'], ['-c', 'd']],
    ['-o a b', ['b'], []],
    ['--', [], []],
    ['- a', ['-', 'a'], []],
  ])('%s leaves the operands %j', (text, operands, afterDashes) => {
    const options = optionsOf(text);
    expect(options.operands.map((word) => word.value)).toEqual(operands);
    expect(options.afterDashes.map((word) => word.value)).toEqual(afterDashes);
  });

  it('stops at the first operand where the program does', () => {
    const options = optionsOf('-f rm -rf a -- b', { stopAtOperand: true });
    expect(options.operands.map((word) => word.value)).toEqual(['rm', '-rf', 'a', '--', 'b']);
    expect(options.has('-r')).toBe(false);
  });
});
