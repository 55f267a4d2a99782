import { describe, expect, it } from 'vitest';
import { linesOf } from './reading.fixture.ts';
import { readSed } from './sed.ts';

const runs = (text: string) => linesOf(text).some((line) => line.endsWith('rm -rf /'));

describe('code that a shell runs where it only seems to be text', () => {
  it.each([
    'x=\'$(rm -rf /)\'; echo "${x@P}"',
    "x='`rm -rf /`'; : ${x@P}",
    "PS4='$(rm -rf /)'; set -x; :",
    "PS4='$(rm -rf /)' bash -xc :",
    "export PS4='$(rm -rf /)'; bash -x a.sh",
    "env PS4='$(rm -rf /)' bash -xc :",
    "PS1='$(rm -rf /)' bash -i",
    "PROMPT_COMMAND='rm -rf /' bash -i",
    "PROMPT_COMMAND='$(rm -rf /)'",
    "BASH_ENV='$(rm -rf /)' bash -c :",
    "export ENV='$(rm -rf /)'; sh -i",
    "echo 'rm -rf /' > e; BASH_ENV=e bash -c :",
    '(( a[$(rm -rf /)] ))',
    'echo $(( a[$(rm -rf /)] ))',
    "x='a[$(rm -rf /)]'; (( x ))",
    "x='a[$(rm -rf /)]'; echo $((x + 1))",
    "x='a[$(rm -rf /)]'; y=x; (( y > 1 ))",
    "x='a[$(rm -rf /)]'; [[ x -eq 0 ]]",
    "x='a[$(rm -rf /)]'; [[ $x -eq 0 ]]",
    "[[ -v 'a[$(rm -rf /)]' ]]",
    "test -v 'a[$(rm -rf /)]'",
    "[ -v 'a[`rm -rf /`]' ]",
    "printf -v 'a[$(rm -rf /)]' x",
    "read 'a[$(rm -rf /)]' <<< x",
    "unset 'a[$(rm -rf /)]'",
    "declare 'a[$(rm -rf /)]=1'",
    "let 'a[$(rm -rf /)]=1'",
    "x='a[$(rm -rf /)]'; let x",
    'echo ${a[$(rm -rf /)]}',
    "x='a[$(rm -rf /)]'; echo ${!x}",
    "x='a[$(rm -rf /)]'; echo ${s:x}",
    'echo ${PATH:+$(rm -rf /)}',
    'echo ${PATH#$(rm -rf /)}',
    'echo ${PATH:$(rm -rf /)}',
    'echo ${PATH/$(rm -rf /)/}',
    'echo ${NOTHING:?$(rm -rf /)}',
    "sed '1e rm -rf /' x",
    "sed -n '/a/,$ { s/b/c/; e rm -rf /\n}' x",
    "sed 's|x|rm -rf /|e' x",
    "sed -f - x <<< '1e rm -rf /'",
  ])('%s', (text) => expect(runs(text)).toBe(true));

  it.each([
    'x=\'$(rm -rf /)\'; echo "$x"',
    "echo 'a[$(rm -rf /)]'",
    "x='$(rm -rf /)'; echo ${x@Q}",
    'echo ${HOME:-$(rm -rf /)}',
    "sed 's/e rm -rf \\//x/' a",
    "sed '/x/a e rm -rf /' a",
    "sed --sandbox '1e rm -rf /' x",
  ])('%s runs nothing', (text) => expect(runs(text)).toBe(false));

  it('a prompt that names itself comes to an end', () => {
    expect(linesOf("x='${x@P}'; echo ${x@P}").length).toBeGreaterThan(0);
    expect(linesOf('a=b; b=a; (( a ))').length).toBe(0);
  });
});

describe('readSed', () => {
  it.each<[string, string[]]>([
    ['w out', ['write out']],
    ['1,3w out\np', ['write out']],
    ['s/a/b/w out', ['write out']],
    ['s/a/b/gpw out file', ['write out file']],
    ['/x/{s|a|b|;W out\n}', ['write out']],
    ['\\%a/w%w out', ['write out']],
    ['s/w x/w y/;p', []],
    ['y/abc/wde/;w out', ['write out']],
    ['a\\\nw no\nw out', ['write out']],
    [':w;bw;tw', []],
    ['e', []],
    ['s/x/ls/e', ['run ls']],
    ['$!N;1e ls', ['run ls']],
  ])('%j', (script, expected) => {
    expect(readSed(script).map(({ does, text }) => `${does} ${text}`)).toEqual(expected);
  });
});
