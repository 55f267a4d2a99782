import { describe, expect, it } from 'vitest';
import { UNKNOWN } from './command.ts';
import { lastOf, lastWords } from './reading.fixture.ts';

describe('words', () => {
  it.each<[string, string, readonly string[]]>([
    ['plain words', 'rm -rf a b', ['rm', '-rf', 'a', 'b']],
    ['quotes of all kinds', `echo 'a b' "c d" e\\ f $'g\\x41\\n' $"h"`, ['echo', 'a b', 'c d', 'e f', 'gA\n', 'h']],
    ['quotes inside a word', `r''m -"r"f '/'`, ['rm', '-rf', '/']],
    ['a backslash before a letter', '\\rm -\\rf x', ['rm', '-rf', 'x']],
    ['a line that goes on', 'rm \\\n -rf x', ['rm', '-rf', 'x']],
    ['comments are nothing', 'ls # rm -rf /', ['ls']],
    ['the home directory', 'ls ~ ~/a "~/b" \\~/c', ['ls', '/home/mo', '/home/mo/a', '~/b', '~/c']],
    ['homes of others', 'ls ~root/x ~ann', ['ls', '/root/x', '/home/ann']],
    ['a tilde that is quoted in part', 'ls ~"ann"', ['ls', '~ann']],
    [
      'known variables',
      'ls $HOME "${HOME}/a" $PWD $TMPDIR $USER',
      ['ls', '/home/mo', '/home/mo/a', '/code/site', '/tmp', 'mo'],
    ],
    ['a variable that is not known', 'ls $WHERE "$WHERE/x"', ['ls', '?', '?/x']],
    ['its own output', 'ls $(pwd) `pwd`/a', ['ls', '/code/site', '/code/site/a']],
    ['known output', 'ls $(echo a b) "$(echo c d)" $(printf "%s-" 1 2)', ['ls', 'a', 'b', 'c d', '1-2-']],
    ['output of several commands', 'echo "$(printf rm; printf " -rf")"', ['echo', 'rm -rf']],
    ['output that is not known', 'ls $(date)', ['ls', '?']],
    ['paths that programs print', 'ls $(dirname /a/b) $(basename /a/b) $(which node)', ['ls', '/a', 'b', 'node']],
    ['arithmetic', 'echo $((1 + 2 * 3)) $((0x10)) $(( (2 ** 3) % 5 )) $((N+1))', ['echo', '7', '16', '3', '?']],
    ['braces', 'rm {a,b}/{1..3} x{,y}', ['rm', 'a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'b/3', 'x', 'xy']],
    [
      'braces with quotes and variables',
      'rm {"a b",$HOME} {05..07} {c..a}',
      ['rm', 'a b', '/home/mo', '05', '06', '07', 'c', 'b', 'a'],
    ],
    ['nested braces', 'rm {a,{b,c}d}', ['rm', 'a', 'bd', 'cd']],
    ['what is no pattern of braces', "rm '{a,b}' {a} a{b", ['rm', '{a,b}', '{a}', 'a{b']],
    ['a program from braces', '{rm,-rf,/}', ['rm', '-rf', '/']],
  ])('%s', (_what, text, words) => {
    expect(lastWords(text)).toEqual(words);
  });

  it('keeps what is typed, what it means, and what it stands for', () => {
    expect(lastOf('rm -rf "$HOME"/*.js $X').words.slice(2)).toEqual([
      { text: '"$HOME"/*.js', value: '/home/mo/*.js', known: true, glob: true, from: [] },
      { text: '$X', value: UNKNOWN, known: false, glob: false, from: [], env: ['X'] },
    ]);
  });

  it.each([
    ['rm *', true],
    ['rm a?', true],
    ['rm [ab]', true],
    ['rm !(a)', true],
    ["rm '*'", false],
    ['rm \\*', false],
    ['rm "a*"', false],
    ['X="*"; rm $X', true],
    ['X="*"; rm "$X"', false],
    ['for f in *.js; do rm "$f"; done', true],
  ])('%s stands for files: %s', (text, glob) => {
    expect(lastOf(text).words[1]?.glob).toBe(glob);
  });

  it('tells which commands a word comes from', () => {
    const { words } = lastOf('echo "$(cat a)" <(sort b)');
    expect(words.map((word) => word.from)).toEqual([[], [0], [1]]);
  });
});
