import { describe, expect, it } from 'vitest';
import type { Example } from '../engine/rule.ts';
import type { UserRule } from '../user-rules/parse.ts';
import type { Reason } from './clause.ts';
import { failuresOf, heldBy, readsOf, rulesOf } from './proposed.fixture.ts';

type Call = Example | string;

const edit = (path: string, text = 'x'): Example => ({ path, new: text });
const shell = (command: string, more: Example = {}): Example => ({ command, ...more });

/** What a sentence means, by calls that it forbids and calls that it does not. */
const MEANINGS: readonly (readonly [
  what: string,
  sentences: readonly string[],
  held: readonly Call[],
  free: readonly Call[],
])[] = [
  [
    'a directory is not edited',
    [
      'Never edit generated/',
      'Do not modify `generated/`.',
      "Don't touch files in `generated/`",
      '**NEVER** change anything in `generated/`!',
      '`generated/` must not be edited',
      '`generated/` is off-limits.',
      'Do not edit the `generated/` directory, because a script writes it.',
      '`generated/` is made by a script. Never edit it.',
    ],
    [
      edit('generated/a.ts'),
      edit('generated/deep/b.ts'),
      shell('echo x > generated/a.ts'),
      shell("sed -i 's/a/b/' generated/a.ts"),
    ],
    [edit('src/a.ts'), edit('src/regenerated/a.ts'), shell('cat generated/a.ts'), shell('npm run generate')],
  ],
  [
    'a file is not edited by hand',
    [
      'Do not edit `schema.json` by hand.',
      'Never manually edit `schema.json`',
      '`schema.json` should never be edited manually.',
    ],
    [edit('schema.json'), edit('api/schema.json')],
    [edit('schema.ts'), shell('node make.js > schema.json')],
  ],
  [
    'one program and not another',
    [
      'use pnpm, not npm',
      'Use `pnpm` instead of `npm`.',
      'Always use pnpm rather than npm',
      '- **Packages**: use `pnpm`, never `npm`',
      'Never use `npm`; use `pnpm`.',
      'Instead of `npm`, use `pnpm`.',
      'Prefer pnpm over npm.',
    ],
    ['npm install', 'cd web && npm run build', 'bash -c "npm ci"', 'CI=1 npm test'],
    ['pnpm install', 'pnpm run build', 'git commit -m "npm is gone"', 'cat npm.md', 'grep npm package.json'],
  ],
  [
    'the tests run before a commit',
    [
      'Run the tests before a commit.',
      'Always run the tests before committing.',
      'Before committing, run the tests.',
      'Before every commit, make sure all tests pass.',
      'All tests must pass before you commit.',
      'Never commit without running the tests.',
      'Do not commit until the tests pass.',
      'Do not commit if tests fail.',
    ],
    [
      shell('git commit -m x'),
      shell('git commit -m x', { first: ['npm run lint'] }),
      shell('git commit -m x', { first: ['npm test', edit('src/a.ts')] }),
    ],
    [
      shell('git commit -m x', { first: ['npm test'] }),
      shell('git commit -m x', { first: [edit('src/a.ts'), 'cargo test'] }),
      shell('npm test && git commit -m x'),
      shell('git status'),
      shell('git log --grep commit'),
    ],
  ],
  [
    'a command runs before a push',
    [
      'Run `make check` before pushing.',
      'Before you push, run `make check`.',
      '`make check` must pass before pushing.',
    ],
    [shell('git push'), shell('git push origin x', { first: ['make'] })],
    [shell('git push', { first: ['make check'] }), shell('git commit -m x'), shell('make check && git push')],
  ],
  [
    'nothing is pushed to main',
    [
      'Do not push to main.',
      'Never push directly to `main`.',
      'Never push code to the main branch',
      "Don't push straight to `main`, because it deploys.",
    ],
    [
      'git push origin main',
      'git push origin HEAD:main',
      'git push -f origin main',
      shell('git push', { branch: 'main' }),
      'git -C sub push origin main',
    ],
    [
      'git push origin feature',
      shell('git push', { branch: 'feature' }),
      'git pull origin main',
      'git log origin/main',
      'git push origin main-menu',
    ],
  ],
  [
    'no commit on main',
    ['Never commit directly to `main`.', 'Do not commit to the main branch', 'Never work directly on main.'],
    [shell('git commit -m x', { branch: 'main' }), shell('git add . && git commit -m x', { branch: 'main' })],
    [
      shell('git commit -m x', { branch: 'feature' }),
      shell('git switch -c a && git commit -m x', { branch: 'main' }),
      shell('git status', { branch: 'main' }),
    ],
  ],
  [
    'no forced push',
    [
      'Never force push.',
      'Do not force-push',
      'No force pushes.',
      'Avoid force pushing.',
      'Never force push to any branch.',
    ],
    ['git push --force', 'git push -f origin x', 'git push origin +x'],
    ['git push', 'git push --force-with-lease'],
  ],
  [
    'a text stays out of a directory',
    [
      'no console.log in src',
      'Do not use `console.log` in `src/`.',
      'Never leave `console.log` statements in src',
      'Avoid `console.log` in `src/`',
    ],
    [edit('src/a.ts', 'console.log(1)'), edit('src/deep/a.js', 'if (x) console.log(x)')],
    [
      edit('scripts/a.ts', 'console.log(1)'),
      edit('src/a.ts', 'logger.log(1)'),
      { path: 'src/a.ts', old: 'console.log(1)', new: 'console.log(1)' },
    ],
  ],
  [
    'no `any`',
    [
      'Never use `any`.',
      'No `any`',
      'Do not use the `any` type.',
      'Avoid `any`',
      'Always be strict. No `any`, no guesses.',
    ],
    [edit('a.ts', 'let x: any;'), edit('a.ts', 'f(x as any)'), edit('a.tsx', 'const a: Array<any> = []')],
    [
      edit('a.ts', '// use any of these'),
      edit('a.ts', 'Promise.any(all)'),
      edit('a.md', 'let x: any;'),
      edit('a.ts', 'company: string'),
    ],
  ],
  [
    'a token',
    [
      'Never use `@ts-ignore`.',
      "Don't add `@ts-ignore` comments",
      'Use `@ts-expect-error` instead of `@ts-ignore`.',
      '`@ts-ignore` is forbidden.',
    ],
    [edit('a.ts', '// @ts-ignore'), edit('src/b.ts', 'x // @ts-ignore: y')],
    [edit('a.ts', '// @ts-expect-error'), edit('notes.md', '@ts-ignore')],
  ],
  [
    'a command',
    [
      'Never run `terraform apply`.',
      'Do not execute `terraform apply`',
      'Never use `terraform apply`, because CI does it.',
      '`terraform apply` must never be run.',
    ],
    ['terraform apply', 'cd infra && terraform apply -auto-approve', 'terraform -chdir=infra apply'],
    ['terraform plan', 'echo terraform apply', 'git commit -m "terraform apply"'],
  ],
  [
    'a file is not committed',
    ['Never commit `.env` files.', 'Do not commit `.env`', 'Never commit `.env` or real secrets'],
    ['git add .env', 'git add -f .env'],
    ['git add .env.example', 'git add src', 'cat .env.example'],
  ],
  [
    'secrets are not read',
    ['Never read `.env`.', 'Do not open `.env` files'],
    [{ tool: 'read', path: '.env' }, 'cat .env'],
    [
      { tool: 'read', path: '.env.example' },
      { tool: 'read', path: 'src/env.ts' },
    ],
  ],
  [
    'hooks are not skipped',
    ['Never skip hooks.', 'Do not bypass pre-commit hooks with `--no-verify`.', 'Never use `--no-verify`.'],
    ['git commit --no-verify -m x', 'git push --no-verify'],
    ['git commit -m x', 'git push'],
  ],
  [
    'a person is asked',
    [
      'Never commit without asking.',
      'Do not commit unless explicitly asked.',
      'Ask before committing.',
      "Don't commit without my explicit approval.",
    ],
    ['git commit -m x'],
    ['git status', 'git add .'],
  ],
  [
    'several things are asked about',
    [
      'Do not commit, push, open a pull request or publish a release unless the user explicitly asks for it.',
      'Never commit, push or open a PR without asking.',
    ],
    ['git commit -m x', 'git push', 'gh pr create'],
    ['git status', 'gh pr view'],
  ],
  [
    'commits carry no signature of the agent',
    [
      'Never add `Co-Authored-By` lines to commits.',
      'Do not include AI attribution in commit messages.',
      'No `Co-Authored-By` trailers',
    ],
    ['git commit -m "x" -m "Co-Authored-By: A <a@b.c>"'],
    ['git commit -m x', 'git log --grep Co-Authored-By:'],
  ],
  [
    'what is generated is not edited by hand',
    ['Do not hand-edit generated files under `src/bidi/`.', 'Never hand-edit `src/bidi/`'],
    [edit('src/bidi/a.ts')],
    [edit('src/a.ts')],
  ],
  [
    'two programs',
    ['Never use `npm`/`yarn` in this repo.', 'Do not use `npm` or `yarn`.'],
    ['npm install', 'yarn add x'],
    ['pnpm install'],
  ],
  [
    'dependencies are asked about',
    [
      'Ask before adding new dependencies.',
      'Do not add dependencies without permission.',
      'Never install new packages without asking first.',
    ],
    ['npm install left-pad', 'pnpm add -D x', 'cargo add serde'],
    ['npm install', 'npm ci', 'pnpm install'],
  ],
  [
    'something runs after edits',
    ['Run `cargo fmt` after modifying Rust files.', 'After editing Rust code, run `cargo fmt`.'],
    [{ event: 'turn.stop', new: 'Done.', first: [edit('src/a.rs')] }],
    [
      { event: 'turn.stop', new: 'Done.', first: [edit('src/a.rs'), 'cargo fmt --all'] },
      { event: 'turn.stop', new: 'Done.', first: [edit('a.md')] },
      { event: 'turn.stop', new: 'Done.' },
    ],
  ],
  [
    'the package manager',
    ['Use pnpm as the package manager.', 'Always use pnpm.', 'Use `pnpm` for all dependencies'],
    ['npm install', 'yarn add x'],
    ['pnpm install', 'npm view x', 'npm publish'],
  ],
];

/** Ways to write a sentence down that do not change what it means. */
const FRAMES: readonly ((sentence: string) => string)[] = [
  (sentence) => sentence,
  (sentence) => `# Rules\n\nSome words first.\n\n- ${sentence}\n- Something else.\n`,
  (sentence) => `1. ${sentence}\n2. Keep it simple.`,
  (sentence) => `- ❌ ${sentence}`,
  (sentence) => `**IMPORTANT:** ${sentence}`,
  (sentence) => `| Rule |\n|---|\n| ${sentence} |\n`,
  (sentence) =>
    `Words before it.\n${sentence}\nWords after it follow here.`.replace(/([^.!])\nWords after/, '$1.\nWords after'),
];

describe.each(MEANINGS)('%s', (_, sentences, held, free) => {
  it.each(sentences)('%s', async (sentence) => {
    let tried: readonly UserRule[] = [];
    for (const frame of FRAMES) {
      const rules = rulesOf(frame(sentence));
      expect(rules.length, frame(sentence)).toBeGreaterThan(0);
      // What reads the same as in the frame before does the same.
      if (rules.length === tried.length && rules.every((rule, at) => rule === tried[at])) continue;
      tried = rules;
      for (const rule of rules) expect(await failuresOf(rule)).toEqual([]);
      expect(await heldBy(rules, [...held, ...free]), frame(sentence)).toEqual(held);
    }
  });
});

it.each<[string, Reason]>([
  ['Never use `any` without justification.', 'conditional'],
  ['Never use `float` for money.', 'conditional'],
  ['Do not use `npm install` if a lockfile exists.', 'conditional'],
  ['If you use `git push`, never add `--force`.', 'conditional'],
  ['Never edit files outside `src/`.', 'conditional'],
  ['Do not commit generated files unless they are small.', 'conditional'],
  ['Never use raw `fetch` in components.', 'ordinary'],
  ['Avoid `let`.', 'ordinary'],
  ['Never import `@acme/server` from frontend code', 'place'],
  ['Never run `rm -rf` in production.', 'place'],
  ['Avoid unnecessary complexity.', 'judgement'],
  ['Never hardcode secrets.', 'judgement'],
  ['Do not guess.', 'mind'],
  ['Never modify applied migrations.', 'unnamed'],
  ['Do not run workflows with an unmatched lock.', 'unnamed'],
  ['You do not need to run `npm install`.', 'unnamed'],
  ['Write clean code.', 'positive'],
  ['Use `npm test` to run the tests.', 'positive'],
  ['Always use strict mode.', 'positive'],
  ['Never edit `a/` — except for `a/b.ts`.', 'conditional'],
  ['Never use `curl` (unless the person asked for it).', 'conditional'],
])('no rule of: %s', (sentence, why) => {
  expect(readsOf(sentence).map(({ drafts, why: said }) => [drafts.length, said])).toEqual([[0, why]]);
});

it.each([
  'The server never edits `dist/`.',
  'There is no build step.',
  '`npm test` runs before a commit in CI.',
  '```\nNever edit `dist/`.\n```',
  '<!-- Never edit `dist/`. -->',
  '> Never edit `dist/`.',
  'Zero runtime dependencies.',
])('says nothing that could be held: %s', (text) => {
  expect(rulesOf(text)).toEqual([]);
});
