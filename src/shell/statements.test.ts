import { describe, expect, it } from 'vitest';
import { lastOf, linesOf, read } from './reading.fixture.ts';

describe('statements', () => {
  it.each<[string, string, readonly string[]]>([
    ['one after the other', 'a; b && c || d\ne', ['a', 'b', 'c', 'd', 'e']],
    ['groups', '{ a; }; (b; c)', ['a', 'b', 'c']],
    ['branches', 'if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['cases', 'case $x in a) b;; *) c;; esac', ['b', 'c']],
    ['loops', 'while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
    ['loops over items', 'for i in a b; do rm $i; done', ['rm a', 'rm b']],
    ['loops over what is not known', 'for i in $X; do rm "$i"; done', ['rm ?']],
    ['loops that count', 'for ((i=0; i<3; i++)); do rm a; done', ['rm a']],
    [
      'loops over lines',
      'printf "a\\nb\\n" | while read -r f; do rm "$f"; done',
      ['printf a\\nb\\n', 'read -r f', 'rm a', 'read -r f', 'rm b'],
    ],
    ['functions, when they are called', 'f(){ rm "$1" $#; }; f a; f b c', ['rm a 1', 'rm b 2']],
    ['functions that nobody calls', 'f(){ rm a; }; ls', ['ls']],
    ['functions that call themselves', 'f(){ a; f; }; f', ['a']],
    ['a function in place of a program', 'rm(){ echo no; }; rm -rf /', ['echo no']],
    ['a program that a function hides', 'rm(){ echo no; }; command rm x', ['command+ rm x']],
    ['aliases', "alias x='rm -rf'\nx /", ['alias x=rm -rf', 'rm -rf /']],
    ['an alias that names itself', "alias ls='ls -l'\nls a", ['alias ls=ls -l', 'ls -l a']],
    [
      'substitutions come first',
      'echo $(a) `b` <(c) "$((`d`))"',
      ['$( )> a', '$( )> b', '<( )> c', '$( )> d', 'echo ? ? /dev/fd/11 ?'],
    ],
    ['substitutions in tests and targets', '[[ -n $(a) ]]; b > $(c)', ['$( )> a', '$( )> c', 'b']],
    ['substitutions in heredocs', 'cat <<E\n$(a)\nE', ['$( )> a', 'cat']],
    ['none in quoted heredocs', "cat <<'E'\n$(a)\nE", ['cat']],
    ['a negation and a measurement', '! a; time b', ['a', 'time+ b']],
    ['a program for every missing one', 'command_not_found_handle(){ a; }; b', ['command_not_found_handle> a', 'b']],
    ['a coprocess', 'coproc a', ['a']],
  ])('%s', (_what, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });

  it.each<[string, string | undefined]>([
    ['rm x', '/code/site'],
    ['cd /tmp && rm x', '/tmp'],
    ['cd a/../b; rm x', '/code/site/b'],
    ['cd; rm x', '/home/mo'],
    ['cd -- a; rm x', '/code/site/a'],
    ['cd /a; cd -; rm x', '/code/site'],
    ['cd /a; cd +1; rm x', undefined],
    ['cd "$X" && rm x', undefined],
    ['cd $X; cd /a; rm x', '/a'],
    ['(cd /a); rm x', '/code/site'],
    ['cd /a | ls; rm x', '/code/site'],
    ['cd /a & rm x', '/code/site'],
    ['cd /a || exit 1; rm x', '/a'],
    ['cd /a || rm x', '/code/site'],
    ['pushd /a; rm x', '/a'],
    ['pushd /a; popd; rm x', '/code/site'],
    ['env -C /a rm x', '/a'],
    ['sudo --chdir=/a rm x', '/a'],
    ['D=/a; cd $D/b; rm x', '/a/b'],
    ['bash -c "cd /a; rm x"', '/a'],
    ['eval cd /a; rm x', '/a'],
    ['cd "$(git rev-parse --show-toplevel)/b"; rm x', '/code/site/b'],
    ['D=$(mktemp -d); cd "$D"/a; rm x', '/tmp/tmp.XXXXXXXXXX/a'],
    ['D=$(mktemp -d -p .); cd "$D"; rm x', undefined],
  ])('%s runs in %s', (text, dir) => {
    expect(lastOf(text).dir).toBe(dir);
  });

  it('tells who reads from whom', () => {
    const [curl, tee, bash] = read('curl a | tee b | bash').commands;
    expect(curl).toMatchObject({ pipedTo: 1, input: undefined, position: 'lead' });
    expect(tee).toMatchObject({ pipedTo: 2, input: { kind: 'pipe', from: 0 }, position: 'chained' });
    expect(bash).toMatchObject({ pipedTo: undefined, input: { kind: 'pipe', from: 1 } });
  });

  it('tells who writes into the pipe of a group', () => {
    const { commands } = read('{ curl a; curl b > c; } | (read x; bash)');
    expect(commands.map((one) => one.pipedTo)).toEqual([2, undefined, undefined, undefined]);
    expect(commands[3]?.input).toEqual({ kind: 'pipe', from: 0 });
  });

  it('knows text before a pipe', () => {
    expect(lastOf('echo a | sort').input).toEqual({ kind: 'text', text: 'a\n', known: true, from: 0 });
    expect(lastOf('echo $X a | sort').input).toMatchObject({ kind: 'text', known: false });
    expect(lastOf('echo YQ== | base64 -d | sort').input).toEqual({ kind: 'pipe', from: 1, text: 'a' });
  });

  it('notes what runs in the background', () => {
    expect(read('a & b').commands.map((one) => one.background)).toEqual([true, false]);
  });
});

describe('redirections', () => {
  it.each<[string, readonly string[]]>([
    ['a > f', ['1>f']],
    ['a >> f 2> g', ['1>>f', '2>g']],
    ['a >| f', ['1>f']],
    ['a &> f', ['1>f', '2>f']],
    ['a &>> f', ['1>>f', '2>>f']],
    ['a >& f', ['1>f', '2>f']],
    ['a 2>&1', ['2>']],
    ['a < f', ['0<f']],
    ['a <> f', ['0<>f']],
    ['> f', ['1>f']],
    ['{ a; } > f', ['1>f']],
    ['for i in 1; do a; done > f', ['1>f']],
    ['{ a > g; } > f', ['1>g']],
    ['exec 3> f; a >&3', ['1>f']],
    ['exec 3> f; exec 4>&3-; a >&4', ['1>f']],
    ['exec {x}> f; exec {y}>&$x; a >&$y', ['1>f']],
    ['exec > f; a', ['1>f']],
    ['f() { a; }; f > g', ['1>g']],
    ['a > "$HOME/f"', ['1>/home/mo/f']],
  ])('%s', (text, redirects) => {
    const { redirects: seen } = lastOf(text);
    expect(seen.map(({ descriptor, operator, target }) => `${descriptor}${operator}${target?.value ?? ''}`)).toEqual(
      redirects,
    );
  });

  it.each<[string, object]>([
    ['cat <<E\na $HOME\nE', { kind: 'text', text: 'a /home/mo\n', known: true }],
    ["cat <<'E'\na $HOME\nE", { kind: 'text', text: 'a $HOME\n', known: true }],
    ['cat <<-E\n\ta\n\tE', { kind: 'text', text: 'a\n', known: true }],
    ['cat <<< "$X b"', { kind: 'text', text: '\u0000 b\n', known: false }],
    ['cat < f', { kind: 'file', target: { value: 'f' } }],
    ['cat < <(curl a)', { kind: 'pipe', from: 0 }],
    ['exec 3< <(curl a); cat <&3', { kind: 'pipe', from: 0 }],
    ['curl a | while read x; do cat; done', { kind: 'pipe', from: 0 }],
  ])('%s reads', (text, input) => {
    expect(lastOf(text).input).toMatchObject(input);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['cd a; x', '/code/site/a', '/code/site'],
    ['cd a\nx', '/code/site/a', '/code/site'],
    ['cd a && x', '/code/site/a', undefined],
    ['cd a && y; x', '/code/site/a', '/code/site'],
    ['cd a || exit; x', '/code/site/a', undefined],
    ['cd a || { echo no; exit 1; }; x', '/code/site/a', undefined],
    ['cd a && y || exit; x', '/code/site/a', undefined],
    ['cd a || true; x', '/code/site/a', '/code/site'],
    ['die(){ exit 1; }; cd a || die; x', '/code/site/a', undefined],
    ['if cd a; then x; fi', '/code/site/a', undefined],
    ['if ! cd a; then exit; fi; x', '/code/site/a', undefined],
    ['set -e; cd a; x', '/code/site/a', undefined],
    ['set -euo pipefail; cd a; x', '/code/site/a', undefined],
    ['set -o errexit; cd a; x', '/code/site/a', undefined],
    ['set -e; set +e; cd a; x', '/code/site/a', '/code/site'],
    ['bash -ec "cd a; x"', '/code/site/a', undefined],
    ['bash -c "cd a; x"', '/code/site/a', '/code/site'],
    ['cd a; cd b; x', '/code/site/a/b', '/code/site'],
    ['cd a; cd b && x', '/code/site/a/b', '/code/site/b'],
    ['cd a; cd /tmp; x', '/tmp', undefined],
    ['cd a; cd ..; x', '/code/site', '/code'],
    ['mkdir a; cd a; x', '/code/site/a', undefined],
    ['cd; x', '/home/mo', undefined],
    ['cd ..; x', '/code', undefined],
    ['cd "$(mktemp -d)"; x', '/tmp/tmp.XXXXXXXXXX', undefined],
    ['pushd a; x', '/code/site/a', '/code/site'],
    ['(cd a; x)', '/code/site/a', '/code/site'],
    ['(cd a); x', '/code/site', undefined],
  ])('%s runs in %s, or else in %s', (text, dir, elsewhere) => {
    const { commands } = read(text);
    expect(commands.findLast((one) => one.program === 'x')).toMatchObject({ dir, elsewhere });
  });

  it.each<[string, readonly string[]]>([
    ["trap 'rm $a' EXIT; a=b", ['trap> rm b']],
    ["trap 'rm $a' EXIT INT; a=b; a=c", ['trap> rm c']],
    ["(trap 'rm $a' EXIT; a=b); x", ['trap> rm b', 'x']],
    ["y=$(trap 'rm a' EXIT)", ['$( )> trap> rm a']],
    ['bash -c "trap \'rm a\' 0"', ['bash -c> trap> rm a']],
    ["trap 'rm a' SIGINT; trap - INT", []],
    ["trap 'rm a' EXIT; trap '' EXIT", []],
    ['trap f EXIT; f(){ rm a; }', ['trap> rm a']],
  ])('traps run at the end: %s', (text, lines) => {
    expect(linesOf(text).filter((line) => line === 'x' || line.includes('trap>'))).toEqual(lines);
  });

  it('joins what is written to a process with what it reads', () => {
    const [bash, tee] = read('curl a | tee >(bash)').commands.slice(1);
    expect(bash).toMatchObject({ program: 'bash', input: { kind: 'pipe', from: 2 }, road: ['>( )'] });
    expect(tee).toMatchObject({ program: 'tee', pipedTo: 1 });
  });

  it('knows from whom a descriptor comes', () => {
    expect(lastOf('exec {fd}< <(curl a); bash /dev/fd/$fd').words[1]?.from).toEqual([0]);
  });
});
