import { describe, expect, it } from 'vitest';
import { knownWords } from '../adapters/registry.ts';
import { effectsOfExample } from '../assembly/example-effects.ts';
import { holds, tryExamples } from '../engine/trial/try-rule.ts';
import { wholeRuleBody } from './whole-body.ts';
import { parseUserRule } from './parse.ts';
import { runsIn } from './runs.ts';

const PLACE = { cwd: '/p', home: '/home/dev' };

describe('a command that is typed', () => {
  it.each<[typed: string, runs: readonly string[], doesNot: readonly string[]]>([
    [
      'npm install',
      [
        'npm install',
        'cd app && npm install left-pad',
        'bash -c "npm install"',
        'npm --prefix web install',
        'sudo npm install',
      ],
      [
        'pnpm install',
        'npm run install',
        'echo npm install',
        'git commit -m "npm install"',
        "cat <<'E'\nnpm install\nE",
      ],
    ],
    [
      'npm install <package>',
      ['npm install left-pad', 'npm install -D left-pad'],
      ['npm install', 'npm install --silent'],
    ],
    [
      'git commit',
      ['git commit -m x', 'git -C dir commit', 'git -c a=b commit --amend'],
      ['git log commit', 'git add commit'],
    ],
    ['git commit --amend', ['git commit --amend --no-edit', 'git commit -m x --amend'], ['git commit -m "--amend x"']],
    ['rm -rf', ['rm -rf x', 'rm -fr x', 'rm -r -f x', 'rm x -rf'], ['rm -r x', 'rm x']],
    ['* --no-verify', ['git commit --no-verify', 'git push --no-verify'], ['git commit', 'echo no-verify']],
    ['npm run test*', ['npm run test', 'npm run test:unit'], ['npm run lint', 'npm run']],
    ['pip', ['pip install x', 'python3 -m pip install x'], ['pipx install x', 'python -m build']],
    ['git add .env', ['git add .env', 'git add -f .env'], ['git add .', 'git add .env.example']],
    ['npx vitest', ['npx vitest run', 'npx -y vitest'], ['vitest', 'npx jest', 'bunx vitest']],
    ['uv run pytest', ['uv run pytest -q'], ['pytest', 'uv run ruff']],
    ['sudo', ['sudo ls', 'sudo -u x ls'], ['ls sudo']],
  ])('%s', (typed, runs, doesNot) => {
    expect(runs.filter((text) => runsIn(text, [typed], PLACE).length === 0)).toEqual([]);
    expect(doesNot.filter((text) => runsIn(text, [typed], PLACE).length > 0)).toEqual([]);
  });
});

async function failing(front: string): Promise<readonly unknown[]> {
  const text = `---\nname: tried\n${front}\n---\nNo.\n`;
  const { rule, problems } = parseUserRule(text, { file: 'tried.md', namespace: 'project', ...knownWords() });
  expect(problems).toEqual([]);
  if (!rule) throw new Error('no rule');
  const results = await tryExamples({ meta: rule.meta, load: () => wholeRuleBody(rule.match) }, effectsOfExample);
  return results.filter((one) => !holds(one)).map(({ example, got, reason }) => ({ example, got, reason }));
}

it('a rule waits for what has to come first', async () => {
  expect(
    await failing(`event: bash
runs: git commit
unless: { ran: [npm test, npm run test*] }
action: deny
examples:
  deny:
    - git commit -m x
    - { command: git commit -m x, first: [npm run lint] }
    - { command: git commit -m x, first: [npm test, { path: src/a.ts, new: a }] }
    - git commit -m x && npm test
  pass:
    - { command: git commit -m x, first: [npm test] }
    - { command: git commit -m x, first: [{ path: src/a.ts, new: a }, 'npm run test:unit | tail'] }
    - npm test && git commit -m x
    - git log`),
  ).toEqual([]);
});

it('a stop is held back only where something was edited', async () => {
  expect(
    await failing(`event: stop
unless: { ran: cargo fmt, edits: ['*.rs'] }
action: deny
examples:
  deny:
    - { event: stop, new: Done., first: [{ path: src/a.rs, new: a }] }
  pass:
    - { event: stop, new: Done. }
    - { event: stop, new: Done., first: [{ path: docs/a.md, new: a }] }
    - { event: stop, new: Done., first: [{ path: src/a.rs, new: a }, cargo fmt] }`),
  ).toEqual([]);
});

it('the branch is the one that is named, else the one that is checked out', async () => {
  expect(
    await failing(`effect: [push, force-push]
conditions:
  - { field: branch, pattern: ^(main|master)$ }
action: deny
examples:
  deny:
    - git push origin main
    - git push origin HEAD:main
    - { command: git push, branch: main }
    - { command: git push -u origin HEAD, branch: main }
  pass:
    - git push origin feature
    - git push origin main-menu
    - { command: git push, branch: feature }
    - { command: git push origin feature, branch: main }`),
  ).toEqual([]);
});

it('only what an edit adds counts', async () => {
  expect(
    await failing(`event: file
conditions:
  - { field: added_text, pattern: '(?-i)\\bconsole\\.log\\b' }
action: deny
examples:
  deny:
    - { path: a.ts, new: "console.log(1)" }
    - { path: a.ts, old: "f()", new: "f()\\nconsole.log(1)" }
  pass:
    - { path: a.ts, old: "console.log(1)", new: "console.log(1)\\nf()" }
    - { path: a.ts, new: "logger.info(1)" }`),
  ).toEqual([]);
});

it.each([
  ['event: bash\nruns: npm install && x', 'names no command'],
  ['event: bash\nruns: "*"', 'fits every command'],
  ['event: prompt\nunless: { ran: npm test }', '`unless` goes with'],
  ['event: stop\nunless: { edits: "*.rs" }', '`unless` needs `ran`'],
])('a mistake is reported: %j', (front, message) => {
  const { rule, problems } = parseUserRule(`---\n${front}\naction: deny\n---\nNo.\n`, {
    file: 'tried.md',
    namespace: 'project',
    ...knownWords(),
  });
  expect(rule).toBeUndefined();
  expect(problems.map((one) => one.message).join()).toContain(message);
});
