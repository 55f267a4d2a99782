import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { cases } from '../../test/cases.ts';
import { readShell } from './read.ts';
import { PLACE, linesOf, read } from './reading.fixture.ts';

describe('what cannot be understood', () => {
  it.each<[string, string, readonly string[]]>([
    ['a pipe at the start', '| git reset --hard', ['git reset --hard']],
    ['an ampersand at the start', '& git reset --hard', ['git reset --hard']],
    ['a quote that does not end', 'git reset --hard; echo "a', ['git reset --hard', 'echo a']],
    ['a bracket too many', 'git status; ) rm a', ['git status', 'rm a']],
    ['two pipes', 'a | | rm b', ['a', 'rm b']],
    ['a branch that does not end', 'if true; then rm a', ['true', 'rm a']],
    ['a loop that does not end', 'for i in a b; do rm $i', ['rm a', 'rm b']],
    ['words that do not fit', 'done; rm a', ['rm a']],
  ])('%s', (_what, text, lines) => {
    expect(linesOf(text)).toEqual(lines);
    expect(read(text).unclear).toEqual([{ text, why: 'syntax' }]);
  });

  it.each([
    ['too-long', 'a '.repeat(16_385)],
    ['too-long', `echo ${'{a,'.repeat(600)}`],
    ['too-long', '$(a'.repeat(2000)],
    ['too-many-heredocs', 'cat <<A\nA\n'.repeat(101)],
  ])('is %s without being parsed', (why, text) => {
    expect(read(text)).toEqual({
      commands: [],
      unclear: [{ text, why }],
      exhausts: [],
      assigned: new Set(),
      files: [],
    });
  });

  it('reads a hundred heredocs and 32 KiB', () => {
    expect(read('cat <<A\nA\n'.repeat(100)).unclear).toEqual([]);
    expect(read(`echo ${'a'.repeat(32 * 1024 - 5)}`).unclear).toEqual([]);
  });

  it.each([
    ['too-long', `rm {${'a,'.repeat(1100)}/}`],
    ['too-long', `x=aaaaaaaa;${'x=$x$x;'.repeat(14)}y="$x"`],
    ['too-long', `x=a;${'x+=$x;'.repeat(20)}`],
    ['too-long', `x=${'a'.repeat(600)};echo \${x##*b}`],
    ['too-long', `python3 -c "${'x=[1,'.repeat(4000)}"`],
    ['too-long', `docker run ${'-v /a:/b '.repeat(300)}img rm /b`],
    ['too-many-commands', 'true;'.repeat(600)],
    ['too-many-commands', `${Array.from({ length: 30 }, (_, n) => `$a${n} x;`).join('')}${'true;'.repeat(600)}`],
    ['too-many-commands', `find ${'a '.repeat(600)} -exec rm {} +`],
    ['too-many-commands', `for x in ${'a '.repeat(600)}; do rm $x; done`],
    ['too-many-commands', `while read x; do rm $x; done <<E\n${'a\n'.repeat(600)}E`],
    ['too-many-commands', `printf '${'a\\n'.repeat(600)}' | xargs -I{} rm {}`],
    ['too-many-commands', `parallel rm ::: ${'a '.repeat(600)}`],
    ['too-many-commands', `python3 -c "${"os.system('ls');".repeat(600)}"`],
    ['too-many-commands', `x="${'a '.repeat(8000)}";rm ${'$x '.repeat(20)}`],
    ['too-many-commands', `env ${'-S '.repeat(5000)}rm`],
    ['too-deep', `echo $((${'('.repeat(100)}1${')'.repeat(100)}))`],
  ])('says %s where it stops', (why, text) => {
    expect(read(text).unclear.map((one) => one.why)).toContain(why);
  });

  it.each([
    ['wrappers', `${'env '.repeat(500)}rm a`],
    ['items', `for x in ${'b '.repeat(100)} a; do rm $x; done`],
    ['lines', `while read x; do rm $x; done <<E\n${'b\n'.repeat(100)}a\nE`],
    ['starts', `find ${'b '.repeat(100)} a -exec rm {} +`],
    ['words', `rm {${'b,'.repeat(500)}a}`],
    ['fields', `x="${'b '.repeat(3000)} a"; rm $x`],
    ['calls', `python3 -c "import os;${"os.system('ls');".repeat(100)}os.system('rm a')"`],
    ['values', `python3 -c "import os;${'x=1;'.repeat(5000)}os.system('rm a')"`],
    ['list items', `python3 -c "import os;os.execvp('rm', ['rm', ${"'b', ".repeat(500)}'a'])"`],
    ['joined texts', `python3 -c "import os;os.system('r' ${"+ '' ".repeat(500)}+ 'm a')"`],
    ['references', `${Array.from({ length: 20 }, (_, n) => `declare -n x${n + 1}=x${n};`).join('')}x0=a; rm $x20`],
    ['rounds of printf', `printf '%s' ${'"" '.repeat(200)}'rm a' | sh`],
    ['letters', `x=a${'q'.repeat(5000)}; rm \${x//q/}`],
  ])('reads on behind many %s', (_what, text) => {
    const { commands, unclear } = read(text);
    expect(unclear).toEqual([]);
    const last = commands.findLast((one) => one.program === 'rm');
    expect(last?.words.at(-1)?.value).toBe('a');
  });

  it('goes five levels deep', () => {
    const nest = (depth: number): string => (depth === 0 ? 'rm a' : `$(${nest(depth - 1)})`);
    expect(read(`: ${nest(5)}`).commands.some((one) => one.program === 'rm' && one.depth === 5)).toBe(true);
    const deeper = read(`: ${nest(6)}`);
    expect(deeper.commands.some((one) => one.program === 'rm')).toBe(false);
    expect(deeper.unclear.map((one) => one.why)).toContain('too-deep');
  });

  it('reads 512 commands', () => {
    const { commands, unclear } = read('a;'.repeat(513));
    expect(commands).toHaveLength(512);
    expect(unclear.map((one) => one.why)).toEqual(['too-many-commands']);
    expect(read('a;'.repeat(512)).unclear).toEqual([]);
  });

  it.each(['$X a', 'eval "$X"', '"$X" -rf /', 'bash -c "$X"', '`curl a`'])('%s is computed', (text) => {
    expect(read(text).unclear).toEqual([{ text, why: 'computed' }]);
  });

  it.each(['$(echo hello)', 'X=ls; $X', '"$X"/bin/ls', 'ls $X', 'echo "$(curl a)"'])('%s is clear', (text) => {
    expect(read(text).unclear).toEqual([]);
  });

  it.each([
    ['loops in loops', `${'for a in {1..60}; do '.repeat(20)}x${'; done'.repeat(20)}`],
    ['words that grow', `x=aaaaaaaa;${'x=$x$x;'.repeat(4000)}`],
    ['lists that grow', `a=(x y);${'a=("${a[@]}" "${a[@]}");'.repeat(1200)}`],
    [
      'functions that fan out',
      'f(){ g;g;g;g; };g(){ h;h;h;h; };h(){ i;i;i;i; };i(){ j;j;j;j; };j(){ k;k;k;k; };k(){ x;x;x;x; };f',
    ],
    ['patterns that go back', `x=${'a'.repeat(500)};${'y=${x##*a*b};'.repeat(2000)}`],
    ['braces', '{a,b} '.repeat(5000)],
    ['open brackets', '('.repeat(30_000)],
  ])('ends soon with %s', (_what, text) => {
    expect(cpuTimeOf(() => read(text))).toBeLessThan(4_000);
  });
});

describe('reading', () => {
  const pieces = fc.constantFrom(
    ...'rm -rf / ~ $HOME $X ${x:-y} ${x%%*} $(pwd) `a` " \' \\ | & ; && || > >> < <<E \nE\n <<<a <( >( ) ( { } {a,b} * ? [ ] [[ ]] (( )) if then fi for in do done while case esac f(){ eval bash -c sudo env xargs find -exec {} \\; python -c "os.system(" = x=1 x+=2 a=(b) 2>&1 exec 3< read # ! \u0000 é'.split(
      ' ',
    ),
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(pieces, { maxLength: 40 }).map((list) => list.join(' ')),
    fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
  );

  it('never throws, and says the same of the same text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readShell(text, PLACE)).toEqual(readShell(text, PLACE));
      }),
      cases(2000),
    );
  });

  it('numbers commands, and points to commands that there are', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { commands } = readShell(text, PLACE);
        commands.forEach((command, at) => {
          expect(command.number).toBe(at);
          const { pipedTo, input, words } = command;
          const named = [
            pipedTo,
            input?.kind === 'pipe' ? input.from : undefined,
            ...words.flatMap((word) => word.from),
          ];
          for (const one of named) if (one !== undefined) expect(commands[one]).toBeDefined();
        });
      }),
      cases(1000),
    );
  });

  it('answers what other rules ask of a command', () => {
    const commands = read('cd src && sudo /usr/bin/grep -r x . | head; ls $(git ls-files)').commands;
    expect(commands.map(({ program, position, dir, depth }) => ({ program, position, dir, depth }))).toEqual([
      { program: 'cd', position: 'lead', dir: '/code/site', depth: 0 },
      { program: 'grep', position: 'chained', dir: '/code/site/src', depth: 0 },
      { program: 'head', position: 'chained', dir: '/code/site/src', depth: 0 },
      { program: 'git', position: 'nested', dir: '/code/site/src', depth: 1 },
      { program: 'ls', position: 'chained', dir: '/code/site/src', depth: 0 },
    ]);
    expect(commands[1]).toMatchObject({ wrappers: ['sudo'], text: 'sudo /usr/bin/grep -r x .' });
    expect(commands[1]?.words[0]?.value).toBe('/usr/bin/grep');
    expect(read('X=1').commands).toEqual([]);
  });
});
