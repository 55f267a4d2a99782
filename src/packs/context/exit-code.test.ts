import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import { readShell } from '../../shell/read.ts';
import { provenCommands } from './exit-code.ts';

const read = (text: string) => readShell(text, { cwd: '/p', home: '/h', root: '/p' });
const proven = (text: string) => provenCommands(text, read(text)).map((command) => command.words.at(-1)?.value);

describe('what a call that succeeded proves', () => {
  it.each<[string, readonly string[]]>([
    ['run a', ['a']],
    ['run a\n', ['a']],
    ['\n  run a;', ['a']],
    ['cd x && run a', ['x', 'a']],
    ['run a && run b', ['a', 'b']],
    ['run a &&\n  run b', ['a', 'b']],
    ['run a && \\\n  run b', ['a', 'b']],
    ['# first\nrun a', ['a']],
    ['run a # all of it', ['a']],
    ['time run a', ['a']],
    ['time -p run a', ['a']],
    ['CI=1 timeout 60 run a > log 2>&1', ['a']],
    ['run a || true', []],
    ['run a || run b', []],
    ['run a || run b && run c', []],
    ['run a | tail -20', ['-20']],
    ['run a |& tail -20', ['-20']],
    ['run a 2>&1 | tee log', ['log']],
    ['run a && run b | tail', ['a', 'tail']],
    ['set -o pipefail && run a | tail', ['pipefail', 'a', 'tail']],
    ['set -o pipefail; run a | tail', ['a', 'tail']],
    ['set -o pipefail; set +o pipefail; run a | tail', ['tail']],
    ['run a; echo done', ['done']],
    ['run a; echo $?', ['\u0000']],
    ['run a\nrun b', ['b']],
    ['run a &', []],
    ['run a & run b', ['b']],
    ['run a && run b &', []],
    ['! run a', []],
    ['set -e\nrun a\nrun b', ['-e', 'a', 'b']],
    ['set -e\nrun a && run b\nrun c', ['-e', 'c']],
    ['set -e\nset +e\nrun a\nrun b', ['b']],
    ['set -euo pipefail\nrun a | tail\nrun b', ['pipefail', 'a', 'tail', 'b']],
    ['set -e\nrun a || run b\nrun c', ['-e', 'c']],
    ['(cd x && run a)', ['x', 'a']],
    ['(cd x && run a) && (cd y && run b)', ['x', 'a', 'y', 'b']],
    ['(run a; run b) && run c', ['b', 'c']],
    ['(run a && run b) | tail', []],
    ['(run a) || true', []],
    ['run a || (run b; run c)', []],
    ['set -e; (run a; run b) && run c; run d', []],
    ['cd x || exit 1; run a', ['a']],
    ['cd x || exit 0; run a', []],
    ['run a && exit; run b', []],
    ['exec run a; run b', []],
    ["trap 'exit 0' EXIT; run a", []],
    ['if run a; then run b; fi', []],
    ['for x in 1 2; do run a; done', []],
    ['while run a; do run b; done', []],
    ['f() { run a; }; f', []],
    ['{ run a; }', []],
    ['cat <<EOF > x\nrun a\nEOF\nrun b', []],
    ['bash -c "run a; run b"', ['run a; run b']],
    ['echo $(run a)', ['\u0000']],
    ['run a && echo "unterminated', []],
    ['', []],
  ])('%j', (text, expected) => {
    expect(proven(text)).toEqual(expected);
  });
});

it('holds in a real shell: a call that succeeds has run what it is said to prove, with success', () => {
  const commands = ['true a', 'false b', 'true c', 'false d'];
  const joints = [' && ', ' || ', '; ', ' | ', '\n', ' && (', ') && ', '); (', '; set -e; ', '; set -o pipefail; '];
  const text = fc
    .array(fc.tuple(fc.constantFrom(...joints), fc.constantFrom(...commands)), { minLength: 1, maxLength: 5 })
    .map((parts) => `true start${parts.map(([joint, command]) => joint + command).join('')}`);
  fc.assert(
    fc.property(text, (code) => {
      const said = provenCommands(code, read(code));
      if (!said.some(({ program }) => program === 'false')) return;
      // A command that fails was said to be proven, so the call has to fail.
      expect(spawnSync('bash', ['-c', code]).status).not.toBe(0);
    }),
    cases(300),
  );
});

describe('what must have succeeded before a command is come to', () => {
  it.each<[string, readonly string[]]>([
    ['run a && git commit', ['a']],
    ['run a && run b && git commit && git push', ['a', 'b']],
    ['run a; git commit', []],
    ['run a || git commit', []],
    ['run a | tail && git commit', ['tail']],
    ['git commit && run a', []],
    ['bash -c "run a && git commit"', []],
  ])('%j', (text, expected) => {
    const reading = read(text);
    const commit = reading.commands.find(({ program }) => program === 'git');
    const before = provenCommands(text, reading, commit);
    expect(before.map((command) => command.words.at(-1)?.value)).toEqual(expected);
  });
});
