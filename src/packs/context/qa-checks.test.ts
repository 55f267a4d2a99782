import { describe, expect, it } from 'vitest';
import { foldCase } from '../../text/words.ts';
import { readShell } from '../../shell/read.ts';
import { CHECK_DEFAULTS, CHECK_WORDS, checksIn, isRunOf } from './qa-checks.ts';

const USUAL = checksIn(CHECK_DEFAULTS);
const seen = (text: string, checks = USUAL) => {
  const { commands } = readShell(text, { cwd: '/p', home: '/h', root: '/p' });
  return checks.filter((check) => commands.some((command) => isRunOf(check, command))).map(({ name }) => name);
};

describe('runs of a check', () => {
  const lint = ['lint'];
  const test = ['test'];
  const rows: [string, readonly string[]][] = [
    ...[
      'npm test',
      'npm t',
      'npm run test',
      'npm run test:unit',
      'npm run -s test -- --run',
      'npm -w app test',
      'npm --prefix sub test',
      'pnpm test',
      'pnpm -r test',
      'pnpm --filter app test',
      'pnpm -w test',
      'pnpm run test:unit',
      'yarn test',
      'yarn workspace app test',
      'bun test',
      'bun run test',
      'make test',
      'make -C sub check',
      'make -j 4 test',
      'go test ./...',
      'go -C sub test -v ./...',
      'cargo test -p core',
      'cargo +nightly test',
      'cargo nextest run',
      'pytest -q tests',
      'python -m pytest',
      'python3 -m pytest -x',
      'uv run pytest',
      'npx vitest run',
      './node_modules/.bin/vitest',
      'pnpm exec jest src',
      'bunx jest',
    ].map((text): [string, readonly string[]] => [text, test]),
    ...[
      'npm run lint',
      'npm run lint:fix',
      'pnpm lint',
      'yarn run lint',
      'bun run lint',
      'make lint',
      'go vet ./...',
      'cargo clippy -- -D warnings',
      'cargo fmt --all --check',
      'ruff check .',
      'npx eslint src --fix',
      'npx @biomejs/biome check',
      'biome ci .',
      'npx tsc -p .',
      'tsc --noEmit',
    ].map((text): [string, readonly string[]] => [text, lint]),
    ['make lint test', ['lint', 'test']],
    ['npm run lint && npm test', ['lint', 'test']],
    ...[
      'npm install',
      'npm run build',
      'npm run testdata',
      'npm test --help',
      'npm run lint --if-present',
      'pnpm -v',
      'make',
      'make -n test',
      'make build',
      'go build ./...',
      'cargo build',
      'cargo fmt',
      'cargo test --no-run',
      'pytest --collect-only',
      'pytest --version',
      'ruff format .',
      'eslint --version',
      'eslint -v',
      'biome format .',
      'tsc --init',
      'tsc --version',
      'vitest list',
      'jest --listTests',
      'echo npm test',
      'cat vitest.config.ts',
      'git commit -m "npm test"',
      'python -m http.server',
    ].map((text): [string, readonly string[]] => [text, []]),
  ];
  it.each(rows)('%s', (text, names) => {
    expect(seen(text)).toEqual(names);
    if (names.length > 0) expect(CHECK_WORDS.some((word) => foldCase(text).includes(word))).toBe(true);
  });
});

it.each<[string, readonly string[]]>([
  ['yarn eslint . --max-warnings 0', ['lint']],
  ['pnpm vitest run', ['test']],
  ['bun tsc --noEmit', ['lint']],
  ['yarn tsc --version', []],
  ['yarn add eslint', []],
  ['go test -list . ./...', []],
  ['go test -c ./pkg', []],
])('%s', (command, expected) => {
  expect(seen(command)).toEqual(expected);
});

describe('patterns of the user', () => {
  it.each<[string, unknown, string, readonly string[]]>([
    ['replace', ['just test'], 'just test', ['test']],
    ['replace', ['just test'], 'npm test', []],
    ['are added', ['builtin', './gradlew test'], './gradlew test --info', ['test']],
    ['are added', ['builtin', './gradlew test'], 'npm test', ['test']],
    ['fit from the start', ['just test'], 'just build test', []],
    ['are of one program', ['just test'], 'adjust test', []],
    ['may hold options', ['deno task --quiet test'], 'deno task test', []],
    ['switch a check off', [], 'npm test', []],
    ['that are no list switch it off', 'just test', 'just test', []],
    ['may be partly wrong', [7, 'just test', null], 'just test', ['test']],
  ])('%s: %j', (_, patterns, text, names) => {
    expect(seen(text, checksIn({ lint: [], test: patterns }))).toEqual(names);
  });
});
