import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openTree } from './broad.fixture.ts';

const { root, search, shell, told, close } = openTree();
afterAll(close);

describe('a search tool', () => {
  it.each([
    ['a directory', ['src'], true, 1],
    ['a regular file', ['src/a.ts'], false, 1],
    ['a place that is not there', ['nowhere'], true, 1],
    ['a device', ['/dev/null'], true, 1],
    ['no place at all', [], true, 0],
  ])('%s', (_name, paths, broad, stats) => {
    const absolute = paths.map((path) => (path.startsWith('/') ? path : join(root, path)));
    const outcome = search('search', { pattern: 'foo' }, absolute);
    expect(outcome.found !== undefined).toBe(broad);
    expect(outcome.stats).toHaveLength(stats);
  });

  it('takes over what limits it', () => {
    const { found } = search('search', { pattern: 'foo', glob: '*.ts, *.{js,jsx} !*.d.ts', type: 'ts' });
    expect(told(found)).toEqual({ place: '.', patterns: ['foo'], globs: ['*.ts', '*.{js,jsx}'], types: ['ts'] });
  });

  it('bears input of any shape', () => {
    expect(told(search('search', { glob: 3, type: null }).found)).toEqual({ place: '.' });
  });
});

describe('a glob tool', () => {
  it.each([
    ['all files of a kind', '**/*.ts', { place: '.', globs: ['**/*.ts'], listing: true }],
    ['one file', 'package.json', undefined],
    ['two files', 'src/{a,b}.ts', undefined],
    ['one wildcard letter', 'src/a?.ts', { place: 'src', globs: ['src/a?.ts'], listing: true }],
    ['a class', 'src/[ab].ts', { place: 'src', globs: ['src/[ab].ts'], listing: true }],
    ['everything', '**/*', { place: '.', listing: true }],
    ['everything below', 'src/**', { place: 'src', listing: true }],
    ['everything below, in other words', 'src/**/*', { place: 'src', listing: true }],
    ['one level', '*', { place: '.', globs: ['*'], listing: true }],
    ['one level below', 'src/*', { place: 'src', globs: ['src/*'], listing: true }],
    ['another place', '/opt/x/**/*.py', { place: '/opt/x', globs: ['/opt/x/**/*.py'], listing: true }],
  ])('%s: %s', (_name, pattern, expected) => {
    const { found, stats } = search('glob', { pattern });
    expect(told(found)).toEqual(expected);
    expect(stats).toEqual([]);
  });

  it('starts from the place it is given', () => {
    expect(told(search('glob', { pattern: 'deep/*' }, [join(root, 'src')]).found)).toMatchObject({ place: 'src/deep' });
  });
});

it.each(['read', 'write', 'edit', 'mcp', 'web', 'other'] as const)('%s is never broad', (kind) => {
  expect(search(kind, { pattern: '**/*', command: 'rg foo' }, [join(root, 'src')])).toEqual({
    found: undefined,
    stats: [],
  });
});

const foo = { place: '.', patterns: ['foo'] };
const inSrc = { place: 'src', patterns: ['foo'] };
const listing = { place: '.', listing: true };

const BROAD: readonly (readonly [string, Record<string, unknown>])[] = [
  // rg, ag, ack
  ['rg foo', foo],
  ['rg foo src', inSrc],
  ['rg foo .', foo],
  ['rg foo src/', inSrc],
  ['rg foo nowhere', { place: 'nowhere', patterns: ['foo'] }],
  ['rg foo src/*.ts', { ...inSrc, globs: ['src/*.ts'] }],
  ['rg foo *', foo],
  ['rg foo a.ts b.ts c.ts d.ts e.ts', { ...foo, place: 'a.ts b.ts c.ts d.ts e.ts' }],
  ['rg foo src/a.ts src/deep', { ...foo, place: 'src/deep' }],
  ['rg foo a.ts src', inSrc],
  ['rg foo src node_modules src', { ...foo, place: 'src node_modules' }],
  ['grep -rn foo node_modules/ vendor/', { ...foo, place: 'node_modules vendor' }],
  ['rg -e foo -e bar', { place: '.', patterns: ['foo', 'bar'] }],
  ['rg -efoo src', inSrc],
  ['rg --regexp=foo', foo],
  ['rg -A 3 -B2 -C 1 -m 5 foo', foo],
  ['rg -n -i -w --hidden foo', foo],
  ['rg --type json foo', { ...foo, types: ['json'] }],
  ['rg -tts foo', { ...foo, types: ['ts'] }],
  ["rg -g '*.md' foo", { ...foo, globs: ['*.md'] }],
  ["rg --glob '!*.test.ts' foo", foo],
  ['rg -T ts foo', foo],
  ['rg -f patterns.txt', { place: '.' }],
  ['rg -- -foo src', { place: 'src', patterns: ['-foo'] }],
  ['rg foo | head -20', foo],
  ['rg foo 2>/dev/null', foo],
  ['rg -l foo | xargs sed -n 1,5p', foo],
  ['cat a.ts | rg foo src', inSrc],
  ['ag foo', foo],
  ['ag --ts foo src', { ...inSrc, types: ['ts'] }],
  ["ag -g 'a.*Config'", { ...listing, patterns: ['a.*Config'] }],
  ['ack foo', foo],
  ['ack --type=python foo', { ...foo, types: ['python'] }],
  ['ack -f', listing],
  // grep
  ['grep -rn foo src', inSrc],
  ['grep -r foo', foo],
  ['grep -R foo .', foo],
  ['grep --recursive foo src', inSrc],
  ['grep -d recurse foo src', inSrc],
  ['grep foo src', inSrc],
  ['grep foo *.ts', { ...foo, globs: ['*.ts'] }],
  ['grep -n foo src/*.ts', { ...inSrc, globs: ['src/*.ts'] }],
  ["grep -rn --include='*.ts' foo .", { ...foo, globs: ['*.ts'] }],
  ['grep -rnE "foo|bar" --exclude-dir node_modules src', { place: 'src', patterns: ['foo|bar'] }],
  ['grep -rn -A 3 -e foo src', inSrc],
  ['egrep -r foo', foo],
  ['fgrep -r foo src', inSrc],
  ['rgrep foo', foo],
  ['cat x | grep -r foo src', inSrc],
  // git grep
  ['git grep foo', foo],
  ['git grep -n foo -- src', inSrc],
  ["git grep foo -- '*.ts'", { ...foo, globs: ['*.ts'] }],
  ["git grep foo -- ':!tests'", foo],
  ["git grep foo -- ':(glob)src/**/*.ts'", { ...inSrc, globs: ['src/**/*.ts'] }],
  ['git grep foo src src/deep', { ...foo, place: 'src src/deep' }],
  ['git grep foo a.ts src', inSrc],
  ['git grep -e foo -- nowhere', { ...foo, place: 'nowhere' }],
  ['git -C src grep foo', inSrc],
  ['git --no-pager grep -e foo src', inSrc],
  // files by name
  ['rg --files', listing],
  ['rg --files src', { place: 'src', listing: true }],
  ["rg --files -g '*.ts'", { ...listing, globs: ['*.ts'] }],
  ['fd', listing],
  ['fd .', listing],
  ['fd . src', { place: 'src', listing: true }],
  ['fd -e ts', { ...listing, globs: ['*.ts'] }],
  ['fd -e ts -e tsx config src', { place: 'src', listing: true, patterns: ['config'], globs: ['*.ts', '*.tsx'] }],
  ["fd 'use.*Store' src", { place: 'src', listing: true, patterns: ['use.*Store'] }],
  ["fd -g '*.ts'", { ...listing, globs: ['*.ts'] }],
  ['fdfind -t f', listing],
  ['find .', listing],
  ['find', listing],
  ['find src -type f', { place: 'src', listing: true }],
  ["find . -name '*.ts'", { ...listing, globs: ['*.ts'] }],
  ['find . -name \\*.ts', { ...listing, globs: ['*.ts'] }],
  ["find src deep -iname '*config*'", { ...listing, place: 'src deep', globs: ['*config*'] }],
  ["find . -regex '.*foo.*'", { ...listing, patterns: ['.*foo.*'] }],
  ["find . -maxdepth 3 -name '*.ts'", { ...listing, globs: ['*.ts'] }],
  ["find . \\( -name '*.ts' -o -name '*.js' \\) -print", { ...listing, globs: ['*.ts', '*.js'] }],
  ["find . -name '*.ts' -not -path '*/node_modules/*'", { ...listing, globs: ['*.ts'] }],
  ["find . -path ./node_modules -prune -o -name '*.ts' -print", { ...listing, globs: ['*.ts'] }],
  ["find . -name '*.ts' -exec grep -n foo {} +", { ...foo, globs: ['*.ts'] }],
  ['find src -type f -exec head -3 {} \\;', { place: 'src', listing: true }],
  ['ls -R', listing],
  ['ls -laR src', { place: 'src', listing: true }],
  ['ls --recursive', listing],
  ['ls **/*.ts', { ...listing, globs: ['**/*.ts'] }],
  ['ls src/**', { place: 'src', listing: true }],
  ['tree', listing],
  ['tree src', { place: 'src', listing: true }],
  ['tree -L 2', listing],
  ["tree -P '*.ts' -I node_modules", { ...listing, globs: ['*.ts'] }],
  // around and inside other commands
  ['cd src && rg foo', inSrc],
  ['(cd src; rg foo)', inSrc],
  ["find . -name '*.ts' | xargs grep foo", { ...foo, globs: ['*.ts'] }],
  ["find . -name '*.ts' -print0 | grep -zv test | xargs -0 grep -n foo", { ...foo, globs: ['*.ts'] }],
  ['fd -e ts -x grep foo', { ...foo, globs: ['*.ts'] }],
  ['grep foo $(git ls-files)', foo],
  ["git ls-files '*.ts' | xargs grep foo", foo],
  ['find . -type f | while read f; do grep foo "$f"; done', foo],
  ['find . -type f | grep -i auth', { ...listing, patterns: ['auth'] }],
  ['rg --files | rg auth | head', { ...listing, patterns: ['auth'] }],
  ["bash -c 'rg foo'", foo],
  ["bash -lc 'cd src && rg foo'", inSrc],
  ['sudo env A=1 timeout 5 nice rg foo', foo],
  ['time command rg foo', foo],
  ['echo start; npm test && rg foo', foo],
  ['X=$(rg -l foo)', foo],
  ['if rg -q foo src; then echo yes; fi', inSrc],
  ['for d in src; do grep -rn foo "$d"; done', inSrc],
  ['/usr/bin/rg foo', foo],
];

const NARROW: readonly string[] = [
  'rg foo src/a.ts',
  'rg foo src/a.ts src/b.ts a.ts b.ts',
  'rg foo -',
  'rg -n foo a.ts /dev/null',
  'cat a.ts | rg foo',
  'rg foo < a.ts',
  'rg foo <<< "some text"',
  'rg foo "$FILE"',
  'rg --help',
  'rg --version',
  'rg --type-list',
  'ag foo a.ts',
  'ag -g package',
  'ack foo a.ts',
  'grep foo a.ts',
  'grep -n foo src/a.ts src/b.ts',
  'grep -rn foo src/a.ts',
  "grep -rn --include='*.ts' foo src/a.ts",
  'grep foo nowhere.ts',
  'grep foo',
  'grep foo "$FILE"',
  'egrep "a|b" a.ts',
  'grep -e foo -f patterns.txt a.ts',
  'grep --version',
  'git grep foo -- src/a.ts',
  'git grep foo src/a.ts a.ts',
  'git grep --help',
  'git grep foo HEAD',
  'git grep foo HEAD -- src',
  'git grep foo v1.0.0 -- src',
  'git grep -e foo origin/main',
  'git grep foo HEAD~3 src',
  'git grep foo $(git rev-list --all) -- src',
  'git rev-list --all | xargs git grep foo',
  'find . -type d -name src',
  'fd package.json',
  'fd config src',
  'fd -g package.json',
  'fd --help',
  'find . -name package.json',
  "find . -name package.json -not -path '*/node_modules/*'",
  "find . -name package.json ! -path '*/dist/*' -print",
  "find . \\( -path '*/node_modules' -o -path '*/dist' \\) -prune -o -name package.json -print",
  "find . -not \\( -name '*.md' \\) -name package.json",
  "find . -maxdepth 1 -name '*.ts'",
  'find . -maxdepth 0',
  "find . -name '*.tmp' -delete",
  "find . -name '*.tmp' -exec rm {} +",
  "find . -name '*.ts' -exec sed -i s/a/b/ {} \\;",
  "find . -name '*.tmp' | xargs rm -f",
  "find . -name '*.ts' | xargs npx eslint",
  'fd -e tmp -x rm',
  'ls',
  'ls src',
  'ls -la src/*.ts',
  "ls 'src/**'",
  'tree -L 1',
  'tree -L1 src',
  'cat src/*.ts',
  'head -50 a.ts',
  'tail -f log',
  "sed -n '1,50p' a.ts",
  "awk '/foo/' src/*.ts",
  'less a.ts',
  'git log --grep=fix',
  'git log -S foo -- src',
  'git diff src',
  'git ls-files',
  'git diff --name-only | xargs grep foo',
  'ps aux | grep node',
  'npm test 2>&1 | grep FAIL',
  'npm test | rg FAIL',
  'cat a.ts | bash -c "rg foo"',
  'echo "rg foo"',
  'git commit -m "use grep -r"',
  "cat <<'EOF'\nfind . -name '*'\nEOF",
  'bash <<EOF\nrg foo\nEOF',
  'python3 -c \'import os; os.system("rg foo")\'',
  '# rg foo',
  'ls # rg foo',
  "ssh host 'rg foo'",
  'sh -c "bash -c \\"rg foo\\""',
  'cd "$WHERE" && rg foo',
  'rg "foo',
  "grep -r 'foo src",
  'rg foo && (ls',
  'npm run find-all',
  '',
];

describe('a shell command', () => {
  it.each(BROAD)('broad: %s', (command, expected) => {
    expect(told(shell(command))).toEqual(expected);
  });

  it.each(NARROW)('not broad: %s', (command) => {
    expect(shell(command)).toBeUndefined();
  });

  it('counts from the directory of the event', () => {
    expect(shell('rg foo a.ts', join(root, 'src'))).toBeUndefined();
    expect(told(shell('rg foo a.ts', join(root, 'src/deep')))).toEqual({ place: 'src/deep/a.ts', patterns: ['foo'] });
    expect(shell('cd src && rg foo b.ts')).toBeUndefined();
  });

  it('shares four looks among all commands of a line; what was not looked at is no reason to speak', () => {
    const { found, stats } = search('shell', { command: 'rg foo a.ts b.ts c.ts; grep foo d.ts e.ts; rg foo src' });
    expect(found).toBeUndefined();
    expect(stats).toEqual(['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => join(root, name)));
  });

  it('looks at no more than four paths, whatever it holds', () => {
    const program = fc.constantFrom(
      'rg foo',
      'grep foo',
      'grep -r foo',
      'git grep foo --',
      'find',
      'fd x',
      'ls -R',
      'xargs rg x',
    );
    const operand = fc.constantFrom(
      'a.ts',
      'b.ts',
      'c.ts',
      'src/a.ts',
      'src/b.ts',
      'src',
      'nowhere',
      '.',
      '*.ts',
      '$X',
      '"open',
    );
    const command = fc
      .tuple(program, fc.array(operand, { maxLength: 6 }))
      .map(([name, words]) => [name, ...words].join(' '));
    const line = fc
      .array(fc.tuple(command, fc.constantFrom(' && ', '; ', ' | ', ' || ')), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().slice(0, -1).join(''));
    fc.assert(
      fc.property(line, (text) => {
        expect(search('shell', { command: text }).stats.length).toBeLessThanOrEqual(4);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => shell(`rg ${text}; find ${text} | grep ${text}`)).not.toThrow();
      }),
    );
  });
});
