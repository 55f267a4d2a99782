import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN } from '../../src/shell/command.ts';
import { readAfresh } from '../../src/shell/read.ts';
import { countOf, isLimited, SEED } from '../cases.ts';
import type { Roll } from './shell-grammar.ts';
import { pick, rollFrom } from './shell-grammar.ts';

/** About one script of a thousand still leads where the reader does not see it; a run with a budget tries those of `npm test`. */
const FIRST = isLimited ? 2_026 : SEED;
const scripts = (many: number): number => (isLimited ? many / 50 : countOf(many));
/** What bash is told from outside, so that conditions and loops go each way. */
const OUTSIDE = ['', 'a', 'a b', 'b a b a'];
/** `probe 3 $V` prints where the shell is and what it was given. */
const PROBE =
  'probe() { printf "\\035%s\\037%s\\037%s\\036" "$1" "$PWD" "$2"; }; n=0; more() { [ $((n += 1)) -le ${#X} ]; };';

let top = '';

beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'beside-bash-')));
  growTree(join(top, 'w', 'x'), 5);
});

afterAll(() => rmSync(top, { recursive: true, force: true }));

function growTree(dir: string, levels: number): void {
  mkdirSync(dir, { recursive: true });
  if (levels > 0) for (const name of ['a', 'b']) growTree(join(dir, name), levels - 1);
}

/** A script whose conditions, rounds and branches only running it would tell. */
function compose(roll: Roll, failing: readonly string[] = []): string {
  let probes = 0;
  let functions = 0;
  const probe = () => `probe ${(probes += 1)} "$V"`;
  const step = () =>
    pick(roll, [
      ...[
        'cd a',
        'cd b',
        'cd a',
        'cd ..',
        'cd -',
        'cd -',
        'pushd a >/dev/null',
        'pushd b >/dev/null',
        'pushd .. >/dev/null',
      ],
      ...[
        'popd >/dev/null',
        'popd >/dev/null',
        'pushd >/dev/null',
        'cd "$OLDPWD"',
        'cd a && cd -',
        `cd '${top}/w/x/b'`,
      ],
      ...[
        'V=1',
        'V=2',
        'V=x',
        'V=${V:-3}',
        'unset V',
        'W=$V',
        'V=$W',
        'V=$PWD',
        'set -e',
        'set +e',
        'C="cd -"',
        '$C',
        'eval "$C"',
      ],
      ...[
        'A=(1 2)',
        'A+=($V)',
        'V=${A[0]}',
        'V=${A[0]}',
        'declare -n R=V; R=4',
        'local V=5',
        'export V=6',
        'return',
        'break',
        'exit',
      ],
      ...failing,
    ]);
  const test = () => pick(roll, ['[ -n "$X" ]', '[ "$X" = a ]', '[ -z "$X" ]', 'more', '! more']);
  const block = (depth: number): string => Array.from({ length: 1 + roll(3) }, () => statement(depth)).join('; ');
  const statement = (depth: number): string => {
    const kind = depth > 2 ? roll(6) : roll(17);
    if (kind < 5) return step();
    if (kind === 5) return probe();
    const inner = () => block(depth + 1);
    switch (kind) {
      case 6:
        return `if ${test()}; then ${inner()}; fi`;
      case 7:
        return `if ${test()}; then ${inner()}; else ${inner()}; fi`;
      case 8:
        return `while more; do ${inner()}; done`;
      case 9:
        return `for i in $X; do ${inner()}; done`;
      case 10:
        return `for i in a b; do ${inner()}; done`;
      case 11:
        return `case $X in a) ${inner()};; a*) ${inner()};; esac`;
      case 12:
        return `(${inner()})`;
      case 13:
        return `${test()} && { ${inner()}; }`;
      case 14:
        return `${test()} || { ${inner()}; }`;
      case 15: {
        const name = `f${(functions += 1)}`;
        return `${name}() { ${inner()}; }; ${pick(roll, ['', `${test()} && `])}${name}; ${pick(roll, ['', name])}`.replace(
          /; $/,
          '',
        );
      }
      default:
        return `{ ${inner()}; }`;
    }
  };
  return `${block(0)}; ${block(0)}; ${block(0)}; ${probe()}`;
}

interface Probed {
  readonly id: string;
  readonly dir: string;
  readonly value: string;
}

interface Run {
  readonly script: string;
  readonly outside: string;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * What a real shell did in each run; undefined where a change of directory failed otherwise than in `fails`. One bash has a
 * subshell for each of them, which keeps them apart, since a start of bash takes longer than what a script does.
 */
function runInBash(runs: readonly Run[], fails = /^$/, probe = PROBE): readonly (readonly Probed[] | undefined)[] {
  const parts = runs.map(
    ({ script, outside }) =>
      `(X=${quoted(outside)}; eval ${quoted(`${probe} ${script}`)})\nprintf '\\034'; printf '\\034' >&2\n`,
  );
  const file = join(top, 'runs.sh');
  writeFileSync(file, parts.join(''));
  const { stdout, stderr } = spawnSync('bash', [file], {
    cwd: join(top, 'w', 'x'),
    env: { PATH: process.env['PATH'], HOME: join(top, 'w'), X: '' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const [outs, errors] = [stdout.split('\u001c'), stderr.split('\u001c')];
  expect([outs.length, errors.length]).toEqual([runs.length + 1, runs.length + 1]);
  return runs.map((_, at) => probedIn(outs[at] ?? '', errors[at] ?? '', fails));
}

function probedIn(stdout: string, stderr: string, fails: RegExp): readonly Probed[] | undefined {
  const errors = stderr.split('\n').filter((line) => !fails.test(line));
  if (/: (cd|pushd): .*No such file|OLDPWD not set|popd: directory stack empty|pushd: no other/.test(errors.join('\n')))
    return undefined;
  return stdout
    .split('\u001e')
    .filter((line) => line.includes('\u001d'))
    .map((line) => line.slice(line.indexOf('\u001d') + 1).split('\u001f'))
    .map(([id = '', dir = '', value = '']) => ({ id, dir, value }));
}

/** Every script with all that it may be told from outside, so many at a time that what they print fits into memory. */
function* runsOf(count: number, scriptOf: (roll: Roll) => string): Generator<readonly Run[]> {
  const AT_ONCE = 500;
  for (let first = 0; first < count; first += AT_ONCE)
    yield Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, at) =>
      scriptOf(rollFrom(FIRST + first + at)),
    ).flatMap((script) => OUTSIDE.map((outside) => ({ script, outside })));
}

/** What the reader does not know of, of all that bash did. */
function unread(script: string, probed: readonly Probed[], isDir?: (path: string) => boolean): readonly Probed[] {
  const cwd = join(top, 'w', 'x');
  const { commands, unclear } = readAfresh(script, { cwd, home: join(top, 'w'), root: cwd, isDir });
  if (unclear.some(({ why }) => why.startsWith('too-'))) return [];
  return probed.filter(
    ({ id, dir, value }) =>
      !commands.some(
        ({ program, words, dir: read, elsewhere }) =>
          (program === 'probe' || program === 'which') &&
          words[1]?.value === id &&
          (read === undefined || read === dir || elsewhere === dir) &&
          (words[2]?.value.includes(UNKNOWN) === true || words[2]?.value === value),
      ),
  );
}

describe('what a shell may hold after branches, loops and functions', () => {
  it('has what bash has, wherever its conditions lead', () => {
    const count = scripts(2_500);
    const missed: { readonly script: string; readonly outside: string; readonly lost: readonly Probed[] }[] = [];
    let compared = 0;
    for (const runs of runsOf(count, (roll) => compose(roll)))
      for (const [at, probed] of runInBash(runs).entries()) {
        const { script, outside } = runs[at] as Run;
        if (!probed) continue;
        compared += probed.length;
        const lost = unread(script, probed);
        if (lost.length > 0) missed.push({ script, outside, lost });
      }
    expect(missed.toSorted((a, b) => a.script.length - b.script.length).slice(0, 6)).toEqual([]);
    expect(compared).toBeGreaterThan(count);
  });

  it('is where bash is after changes of directory that fail', () => {
    const count = scripts(1_000);
    const isDir = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    // Programs that are known to leave directories as they are; what a variable from outside would run is not.
    const still = (text: string) =>
      text
        .replaceAll('probe', 'which')
        .replaceAll('more', 'tee')
        .replaceAll(/eval "\$C"|\$C/g, ':');
    const failing = [
      'cd none',
      'cd none',
      'cd none || cd a',
      'cd none && cd a',
      'pushd none >/dev/null',
      'if cd none; then cd a; fi',
    ];
    const missed: { readonly script: string; readonly outside: string; readonly lost: readonly Probed[] }[] = [];
    let compared = 0;
    for (const runs of runsOf(count, (roll) => still(compose(roll, failing))))
      for (const [at, probed] of runInBash(runs, /No such file/, still(PROBE)).entries()) {
        const { script, outside } = runs[at] as Run;
        if (!probed) continue;
        compared += probed.length;
        const lost = unread(script, probed, isDir);
        if (lost.length > 0) missed.push({ script, outside, lost });
      }
    expect(missed.toSorted((a, b) => a.script.length - b.script.length).slice(0, 6)).toEqual([]);
    expect(compared).toBeGreaterThan(count);
  });

  it.each([
    'cd a; cd b; if [ -n "$X" ]; then cd ..; cd b; fi; cd -; probe 1 "$V"',
    'cd a; for i in $X; do if more; then pushd b >/dev/null; fi; done; popd >/dev/null; probe 1 "$V"',
    'cd a; while more; do cd b; done; probe 1 "$V"',
    'f() { if [ -n "$X" ]; then pushd a >/dev/null; fi; }; pushd b >/dev/null; f; popd >/dev/null; probe 1 "$V"',
  ])('%s', (script) => {
    const lost = runInBash(OUTSIDE.map((outside) => ({ script, outside }))).map((probed) =>
      unread(script, probed ?? []),
    );
    expect(lost.flat()).toEqual([]);
  });
});
