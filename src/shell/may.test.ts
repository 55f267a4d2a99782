import { describe, expect, it } from 'vitest';
import { isMentioned } from './may.ts';
import { linesOf, read } from './reading.fixture.ts';

/** What `rm` is given, each time that it is read. */
function removed(text: string): readonly string[] {
  const lines = linesOf(text).map((line) => /(?:^|> )rm (.*)$/.exec(line)?.[1]);
  return [...new Set(lines.filter((line) => line !== undefined))].sort();
}

describe('a variable holds all that it may hold', () => {
  it.each<[string, readonly string[]]>([
    ['D=/; t && D=b; rm $D', ['/', 'b']],
    ['D=b; t && D=/; rm $D', ['/', 'b']],
    ['D=b; t || D=/; rm $D', ['/', 'b']],
    ['t && D=b || D=/; rm $D', ['/', 'b']],
    ['D=/; true && D=b; rm $D', ['b']],
    ['D=/ && rm $D', ['/']],
    ['D=b; t && D=/ && rm $D', ['/']],
    ['if t; then D=/; else D=b; fi; rm $D', ['/', 'b']],
    ['D=/; if t; then D=b; fi; rm $D', ['/', 'b']],
    ['D=/; if t; then D=b; elif u; then D=c; fi; rm $D', ['/', 'b', 'c']],
    ['D=/; if t; then D=b; exit; fi; rm $D', ['/']],
    ['case $X in a) D=a;; b) D=b;; esac; rm $D', ['?', 'a', 'b']],
    ['case $X in a) D=a;; *) D=b;; esac; rm $D', ['a', 'b']],
    ['D=b; while t; do D=/; done; rm $D', ['/', 'b']],
    ['D=b; while t; do rm $D; D=/; done', ['/', 'b']],
    ['for D in / b; do t && break; done; rm $D', ['/', 'b']],
    ['for D in / b; do t; done; rm $D', ['b']],
    ['f() { D=/; t && return; D=b; }; f; rm $D', ['/', 'b']],
    ['f() { local D=/; t; }; D=b; f; rm $D', ['b']],
    ['D=b; (D=/); rm $D', ['b']],
    ['D=b; echo / | read -r D; rm $D', ['b']],
    ['shopt -s lastpipe; D=b; echo / | read -r D; rm $D', ['/', 'b']],
    ["zsh -c 'D=b; echo / | read -r D; rm $D'", ['/', 'b']],
    ['while t; do D=${D:-a}; rm $D; done', ['a']],
    ['D=b; declare D=/ E=$D; rm $E', ['b']],
    ['D=b; export D=/ E=$D; rm $D $E', ['/ b']],
    ['A=(a b); t && A[1]=/; rm ${A[1]}', ['/', 'b']],
    ['read -r D <<< /; rm $D', ['/']],
    ['read -ra A <<< "a /"; rm ${A[1]}', ['/']],
    ["mapfile -t A <<< $'a\\n/'; rm ${A[1]}", ['/']],
    ['D=/; t && D=b; E=$D/c; rm $E', ['//c', 'b/c']],
    ['D=/; t && D=b; echo $D | xargs rm', ['/', 'b']],
    ['D=/; t && D=b; bash -c "rm $D"', ['/', 'b']],
    ['D=/; t && D=b; for i in 1; do rm $D; done', ['/', 'b']],
    ['D=/; t && D=b; f() { rm $D; }; f', ['/', 'b']],
    ['D=a; t && D=b; E=c; u && E=d; rm $D$E', ['ac', 'ad', 'bc', 'bd']],
    ['D=a; t && unset D; rm x$D', ['x', 'xa']],
    ['t && D=b; rm $D', ['?', 'b']],
    ['set -- a; t && set -- /; rm $1', ['/', 'a']],
    ['D=a; D=/ rm $D', ['/', 'a']],
    ["D=a; D=/ rm '$D'", ['$D']],
  ])('%s', (text, targets) => {
    expect(removed(text)).toEqual([...targets].sort());
  });

  it('or nothing is known of it, where that is too much', () => {
    const text = `D=0; ${Array.from({ length: 12 }, (_, at) => `t && D=${at}; `).join('')}rm $D`;
    expect(removed(text)).toContain('?');
  });
});

describe('a name that may stand for too much', () => {
  const many = (set: (at: number) => string) => Array.from({ length: 10 }, (_, at) => `t && ${set(at)}; `).join('\n');
  it.each([
    ['a function', `${many((at) => `f() { rm ${at}; }`)}f`],
    ['an alias', `${many((at) => `alias f='rm ${at}'`)}\nf`],
    ['a file', `${many((at) => `echo rm ${at} > x`)}sh x`],
  ])('%s is not passed over', (_, text) => {
    expect(read(text).unclear).toContainEqual(expect.objectContaining({ why: 'too-many-commands' }));
  });
});

it('a function that is defined in each round of a loop stays one function', () => {
  const text = 'until t; do f() { A=1; B=2; C=3; E=4; rm "$A$B$C$E"; }; f; done';
  expect([read(text).unclear, removed(text)]).toEqual([[], ['1234']]);
});

describe('other names hold all that they may stand for', () => {
  it.each<[string, readonly string[]]>([
    ['f() { rm a; }; t && f() { rm b; }; f', ['a', 'b']],
    ["alias x='rm a'\nt && alias x='rm b'\nx", ['a', 'b']],
    ['exec 3<<< "rm a"; t && exec 3<<< "rm b"; bash <&3', ['a', 'b']],
    ['echo rm a > x; t && echo rm b > x; sh x', ['a', 'b']],
  ])('%s', (text, targets) => {
    expect(removed(text)).toEqual(targets);
  });

  it.each<[string, readonly (string | undefined)[]]>([
    ['cd /a; t && cd /b; rm x', ['/a', '/b']],
    ['if t; then cd /a; fi; rm x', ['/a', '/code/site']],
    ['if t; then cd /a; else cd /b; fi; rm x', ['/a', '/b']],
    ['if t; then cd /a; exit; fi; rm x', ['/code/site']],
    ['cd /a || exit 1; rm x', ['/a']],
    ['t && cd /a && rm x', ['/a']],
    ['if t; then cd /a; else cd /b; fi; cd /c; rm x', ['/c']],
  ])('%s runs in any of %j', (text, dirs) => {
    const found = read(text).commands.filter(({ program }) => program === 'rm');
    expect([...new Set(found.map(({ dir }) => String(dir)))].sort()).toEqual(dirs);
  });
});

describe('who reads what others write', () => {
  it.each([
    "echo 'rm a' > >(sh)",
    "echo 'rm a' | tee >(sh)",
    "exec 3> >(sh); echo 'rm a' >&3",
    "coproc sh; echo 'rm a' >&${COPROC[1]}",
    "coproc P { echo 'rm a'; }; sh <&${P[0]}",
    "mkfifo p; sh < p & echo 'rm a' > p",
    "mkfifo p; cat p | sh & echo 'rm a' > p",
    "mkfifo p; echo 'rm a' > p & sh p",
    "echo 'rm a' > x; sh < x",
  ])('%s', (text) => {
    expect(removed(text)).toEqual(['a']);
  });
});

it('a key without a name of its own counts as mentioned', () => {
  expect(isMentioned('/', 'pushd')).toBe(true);
  expect(isMentioned('src/', '')).toBe(true);
});
