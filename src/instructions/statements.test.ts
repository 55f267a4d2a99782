import { expect, it } from 'vitest';
import type { Example } from '../engine/rule.ts';
import { digestsIn } from './propose.ts';
import { heldBy, readsOf, rulesOf } from './proposed.fixture.ts';
import { statementsIn } from './statements.ts';

const edit = (path: string, text = 'x'): Example => ({ path, new: text });

it('what stands above gives its mood to a list, and to nothing else', async () => {
  const text = `
## Never

- Edit \`vendor/\`
- \`git push --force\`
- Do not run \`npm publish\`

## Always

- Run \`npm test\`
- \`git push\`

Do not:

- touch \`infra/\`
- use \`sudo\`

Then go on with \`make\`.
`;
  const calls = [
    edit('vendor/a.js'),
    'git push --force',
    'npm publish',
    edit('infra/a.tf'),
    'sudo ls',
    'npm test',
    'git push',
    'make',
  ];
  expect(await heldBy(rulesOf(text), calls)).toEqual(calls.slice(0, 5));
});

it('a column that forbids gives its mood to its cells', async () => {
  const text = "| Don't | Do |\n|---|---|\n| `npm install` | `pnpm install` |\n| edit `dist/` | edit `src/` |\n";
  const calls = ['npm install', edit('dist/a.js'), 'pnpm install', edit('src/a.js')];
  expect(await heldBy(rulesOf(text), calls)).toEqual(calls.slice(0, 2));
});

it('instructions of a directory hold there, and nowhere else', async () => {
  const text = '- Never edit `generated/`.\n- No `console.log`.\n- Never run `npm publish`.';
  const calls = [
    edit('web/generated/a.ts'),
    edit('web/a.ts', 'console.log(1)'),
    edit('generated/a.ts'),
    edit('a.ts', 'console.log(1)'),
    'npm publish',
  ];
  expect(await heldBy(rulesOf(text, 'web'), calls)).toEqual(calls.slice(0, 2));
  expect(readsOf(text, 'web').at(-1)?.why).toBe('place');
});

it('the globs of a file that names some hold for its texts', async () => {
  const text = '---\nglobs: app/**/*.ts\nalwaysApply: false\n---\n- Never use `console.log`.\n';
  const calls = [edit('app/x/a.ts', 'console.log(1)'), edit('lib/a.ts', 'console.log(1)')];
  expect(await heldBy(rulesOf(text), calls)).toEqual(calls.slice(0, 1));
});

it('a sentence is the same wherever it stands, and another under another heading', () => {
  const sentence = '- Edit `dist/`';
  const digest = readsOf(`## Never\n\n${sentence}\n`)[0]?.digest ?? '';
  expect(digestsIn(`# A\n\nWords.\n\n## Never\n\n- Other\n${sentence}\n`).has(digest)).toBe(true);
  expect(digestsIn(`## Always\n\n${sentence}\n`).has(digest)).toBe(false);
  expect(digestsIn('## Never\n\n- Edit `build/`\n').has(digest)).toBe(false);
});

it('passes over lines that take other files in, and ends a sentence where other scripts do', () => {
  const text = '@docs/rules.md\n- @../more.md\nNever run `a b`.\n絶対に push しない。No `x` in src.\n@last.md';
  expect(statementsIn(text).map((each) => each.text)).toEqual([
    'Never run `a b`.',
    '絶対に push しない。',
    'No `x` in src.',
  ]);
});

it('reads no paragraph that nobody could have written, and the rest as ever', () => {
  const text = `${'`('.repeat(500_000)}\n\nNever run \`a b\`.`;
  expect(statementsIn(text).map((each) => each.text)).toEqual(['Never run `a b`.']);
});
