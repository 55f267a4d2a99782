// What `npm run new` writes, in a copy of the sources: it passes every check, and its own test says what to do next.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong } from '../cases.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-new-')));
afterAll(() => {
  rmSync(copy, { recursive: true, force: true });
});

const node = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(copy, script), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
const create = (...args: string[]) => node('scripts/new.mjs', ...args);

/** Kind, name, and the files that it comes to; the test first. */
const KINDS: readonly (readonly [kind: string, name: string, ...files: string[]])[] = [
  ['rule', 'basics/night-watch', 'src/packs/basics/night-watch.test.ts', 'src/packs/basics/night-watch.ts'],
  ['verb', 'patrol', 'src/cli/commands/patrol.test.ts', 'src/cli/commands/patrol.ts'],
  [
    'verb',
    'guard/night-round',
    'src/packs/guard/cli/commands/night-round.test.ts',
    'src/packs/guard/cli/commands/night-round.ts',
  ],
  ['pack', 'quayside', 'src/packs/quayside/pack.test.ts', 'src/packs/quayside/pack.ts'],
  [
    'agent',
    'quixote-ai',
    'src/adapters/quixote-ai/adapter.test.ts',
    'src/adapters/quixote-ai/index.ts',
    'src/adapters/quixote-ai/install.ts',
    'src/adapters/quixote-ai/names.ts',
  ],
  [
    'language',
    'basalt',
    'src/graph/languages/basalt/extractor.test.ts',
    'src/graph/languages/basalt/extractor.ts',
    'src/graph/languages/basalt/language.ts',
    'src/graph/languages/basalt/resolution.ts',
  ],
];
const written = KINDS.flatMap(([, , ...files]) => files);

beforeAll(() => {
  for (const name of [
    'package.json',
    'tsconfig.json',
    '.oxlintrc.json',
    '.oxfmtrc.json',
    'native',
    'scripts',
    'src',
    'test',
  ])
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.startsWith(join(root, 'test', 'fixtures')),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const only = { extends: './tsconfig.json', include: [], files: written };
  writeFileSync(join(copy, 'tsconfig.new.json'), JSON.stringify(only));
  writeFileSync(
    join(copy, 'vitest.config.ts'),
    `export default { test: { include: ['**/*.test.ts'], testTimeout: 600_000 } };\n`,
  );
});

/** Each takes seconds; the long run, which CI has, tries all. */
const TRIED = isLong ? KINDS : KINDS.slice(0, 1);

it.each(TRIED)('%s %s is written once', (kind, name, ...files) => {
  const first = create(kind, name);
  expect([first.status, first.stderr]).toEqual([0, '']);
  expect(first.stdout).toContain(`next: npx vitest run ${files[0]}`);
  expect(files.filter((file) => !existsSync(join(copy, file)))).toEqual([]);
  const before = files.map((file) => readFileSync(join(copy, file), 'utf8'));
  const again = create(kind, name);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('taken')]);
  expect(files.map((file) => readFileSync(join(copy, file), 'utf8'))).toEqual(before);
});

it.each([
  [['rule', 'night-watch'], 1, 'belongs to a pack'],
  [['rule', 'no-such-pack/x'], 1, 'there is no pack'],
  [['rule', 'basics/Night'], 1, 'is not a name'],
  [['rule', '../basics/x'], 1, 'is not a name'],
  [['verb', 'off'], 1, 'there is a verb off'],
  [['verb', 'rules'], 1, 'there is a verb rules'],
  [['verb', 'import'], 1, 'is a keyword'],
  [['pack', 'project'], 1, 'taken'],
  [['language', 'javascript'], 1, 'there is a language javascript'],
  [['language', 'night-watch'], 1, 'one word'],
  [['house', 'x'], 2, 'npm run new KIND NAME'],
  [['rule'], 2, 'npm run new KIND NAME'],
  [['rule', 'basics/x', '--force'], 2, 'npm run new KIND NAME'],
])('%j is refused', (args, status, why) => {
  expect(create(...args)).toMatchObject({ status, stderr: expect.stringContaining(why) });
});

// They run every check on a copy of the sources, which takes longer than all of the above.
// oxlint-disable-next-line vitest/no-conditional-tests
if (isLong) {
  it('all of them pass the checks', () => {
    expect(node('scripts/generate-indexes.mjs', '--check')).toMatchObject({ status: 0 });
    expect(node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.new.json')).toMatchObject({ status: 0, stdout: '' });
    expect(node('node_modules/oxfmt/bin/oxfmt', '--check', ...written)).toMatchObject({ status: 0 });
    const lint = node('node_modules/oxlint/bin/oxlint', ...written);
    expect([lint.status, lint.stdout]).toEqual([0, expect.stringMatching(`on ${written.length} files`)]);
  });

  it('the new tests fail with what to do next, and the architecture holds', () => {
    const tests = KINDS.map(([, , test]) => test as string);
    const others = ['test/architecture.test.ts', 'src/packs/all-rules.test.ts'];
    node('node_modules/vitest/vitest.mjs', 'run', '--reporter=json', '--outputFile=out.json', ...others, ...tests);
    const { testResults } = JSON.parse(readFileSync(join(copy, 'out.json'), 'utf8')) as {
      testResults: { name: string; assertionResults: { status: string; failureMessages: string[] }[] }[];
    };
    const failuresOf = (file: string) =>
      testResults
        .find(({ name }) => name === join(copy, file))
        ?.assertionResults.flatMap(({ failureMessages }) => failureMessages);
    for (const file of others) expect(failuresOf(file)).toEqual([]);
    for (const [index, file] of tests.entries())
      expect(failuresOf(file), KINDS[index]?.[1]).toEqual([expect.stringMatching(/Make .* yours:\n1\. /)]);
  });
}
