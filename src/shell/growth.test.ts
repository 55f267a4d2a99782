import { expect, it } from 'vitest';
import { cpuTimeOf } from '../../test/cpu-time.ts';
import { readAfresh } from './read.ts';

/** Statements that double what a name holds, where the text, its sources or its variables could grow without end. */
const DOUBLES = [
  ...['a=$a$a;', 'a=${a}b${a};', 'a+=$a;', 'a="$a $a";', 'a=("${a[@]}" "${a[@]}");', 'a+=("${a[@]}");'],
  ...['set -- "$@" "$@";', 'set -- $a $a; a="$*$*";', 'printf -v a %s $a$a;', 'read a <<< "$a$a";', 'a=$(echo $a$a);'],
  ...['[ x ] && a=$a$a || a=$b$a;', 'declare a=$a$a;', 'for a in $a$a; do :; done;', 'echo "$a$a" | read a;'],
];
const STARTS = ['', 'a=$(x);', 'a=x;', 'a=$X;', 'a=($(x) $Y);', 'a=*;'];

it.each(DOUBLES)('a text that doubles: %s', (statement) => {
  for (const start of STARTS) {
    const text = start + statement.repeat(Math.ceil(20_000 / statement.length));
    expect(
      cpuTimeOf(() => readAfresh(text, { cwd: '/w', home: '/h' })),
      start,
    ).toBeLessThan(10_000);
  }
});
