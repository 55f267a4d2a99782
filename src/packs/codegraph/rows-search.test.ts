import { afterEach, describe, expect, it } from 'vitest';
import { grep, INDEXED, NUDGE, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
import type { Answer, World } from '../world.fixture.ts';

let world: World;
afterEach(() => world.close());

type Ask = (world: World) => Promise<Answer>;
const glob =
  (pattern: string, path?: string): Ask =>
  (at) =>
    at.before('Glob', path === undefined ? { pattern } : { pattern, path });

describe('the shape of the arguments', () => {
  it.each<[row: string, ask: Ask, expected: string]>([
    ['row 2: a source file is read', (at) => at.before('Read', { file_path: `${at.root}/src/a.ts` }), 'pass'],
    ['row 3: a directory is searched', (at) => grep(at), 'note'],
    ['row 4: a file is searched', (at) => grep(at, { path: 'src/a.ts' }), 'pass'],
    ['row 5: files are listed', glob('**/*.ts'), 'note'],
    ['row 5: all files are listed', glob('**/*'), 'note'],
    ['row 5: all files of a place', glob('**/*', 'src'), 'note'],
    ['row 5: all files of a place that the pattern names', glob('src/**/*'), 'note'],
    ['one level is listed', glob('*'), 'pass'],
    ['one level of a place', glob('src/*'), 'pass'],
    ['texts are listed', glob('docs/**'), 'pass'],
    ['files without code are listed', glob('**/README*'), 'pass'],
    ['row 6: a name is looked up', glob('package.json'), 'pass'],
    ['row 11: no mark at all', (at) => grep(at), 'note'],
    ['row 20: the transcript does not exist', (at) => grep(at, {}, { transcript_path: '/nowhere/t.jsonl' }), 'note'],
    ['row 35: a directory below', (at) => grep(at, { path: undefined }, { cwd: `${at.root}/src/deep` }), 'note'],
    ['row 37: a relative path to a file', (at) => grep(at, { path: 'foo.txt' }), 'pass'],
    ['row 51: quotes that do not close', (at) => shell(at, `rg "parseConfig`), 'pass'],
    ['row 52: braces alone', glob('src/{a,b}.ts'), 'pass'],
    ['row 53: in dependencies', (at) => grep(at, { path: 'node_modules' }), 'pass'],
    ['row 53: outside the root', (at) => grep(at, { path: '/usr/include' }), 'pass'],
    ['row 53: in files without symbols', (at) => grep(at, { glob: '*.md' }), 'pass'],
    ['row 53: for digits', (at) => grep(at, { pattern: '[0-9]+' }), 'pass'],
  ])('%s', async (_, ask, expected) => {
    world = await openIndexed();
    world.put('node_modules/x/index.js', 'parseConfig');
    expect(seen(await ask(world))).toBe(expected);
  });

  it('row 1: no index anywhere', async () => {
    world = await openIndexed({ files: { 'src/a.ts': 'x' } });
    expect(seen(await world.before('Read', { file_path: `${world.root}/src/a.ts` }))).toBe('pass');
    expect(seen(await grep(world))).toBe('pass');
  });

  it('an ignored directory is none of the graph’s', async () => {
    world = await openIndexed({ files: { ...INDEXED, '.gitignore': 'generated/\n', 'generated/a.ts': 'x' } });
    world.put('.git/HEAD', 'ref: refs/heads/main\n');
    expect(seen(await grep(world, { path: 'generated' }))).toBe('pass');
    expect(seen(await grep(world))).toBe('note');
  });

  it('without the relevance test every broad search counts', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: { enabled: true, relevance: off } }' });
    expect(seen(await grep(world, { pattern: '[0-9]+' }))).toBe('note');
  });
});

describe('the shell', () => {
  it.each<[row: number, command: string, expected: string]>([
    [46, 'rg foo', 'note'],
    [46, 'grep -rn foo src', 'note'],
    [46, 'git grep foo', 'note'],
    [46, `find . -name '*.ts'`, 'note'],
    [46, 'fd -e ts', 'note'],
    [46, 'ls -R', 'note'],
    [46, 'tree', 'note'],
    [46, 'rg foo src node_modules', 'note'],
    [46, 'rg foo node_modules src', 'note'],
    [53, 'rg foo node_modules dist', 'pass'],
    [53, 'grep -rn fooBar node_modules/ vendor/', 'pass'],
    [53, 'rg foo /usr/include node_modules', 'pass'],
    [53, 'git grep foo HEAD', 'pass'],
    [53, 'git grep foo v1.0.0 -- src', 'pass'],
    [53, 'find . -type f | wc -l', 'pass'],
    [53, 'find . -type d', 'pass'],
    [53, 'find . -size +10M', 'pass'],
    [53, 'find . -mtime -1 -type f', 'pass'],
    [53, `find . -newer x -name '*.ts'`, 'pass'],
    [53, 'find src -maxdepth 2 -type d', 'pass'],
    [53, 'fd -t d', 'pass'],
    [53, 'tree -d', 'pass'],
    [53, 'ls -R docs', 'pass'],
    [53, `find -iname '*readme*'`, 'pass'],
    [53, `find -name 'Dockerfile*'`, 'pass'],
    [53, `find . -name '.env*'`, 'pass'],
    [47, 'rg foo src/a.ts', 'pass'],
    [47, 'grep foo foo.txt', 'pass'],
    [47, 'find . -name package.json', 'pass'],
    [47, 'ls src', 'pass'],
    [47, 'tree -L 1', 'pass'],
    [48, 'ps aux | grep node', 'pass'],
    [48, 'npm test 2>&1 | grep FAIL', 'pass'],
    [48, 'git log --grep=fix', 'pass'],
    [49, 'echo "rg foo"', 'pass'],
    [49, 'git commit -m "use grep -r"', 'pass'],
    [49, `cat > notes.md <<'END'\nfind . -name '*'\nEND`, 'pass'],
    [50, 'cd src && rg foo', 'note'],
    [50, `find . -name '*.ts' | xargs grep foo`, 'note'],
    [50, `bash -c 'rg foo'`, 'note'],
  ])('row %i: %s', async (_, command, expected) => {
    world = await openIndexed();
    expect(seen(await shell(world, command))).toBe(expected);
  });
});

describe('several places', () => {
  it('the first that counts is named', async () => {
    world = await openIndexed();
    expect((await shell(world, 'rg foo node_modules /usr/include src foo.txt')).note).toContain('index covers src.');
  });

  it('careful mode denies no search that the graph cannot answer', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    for (const command of ['rg foo node_modules dist', 'find . -type d', 'git grep foo HEAD'])
      expect(seen(await shell(world, command)), command).toBe('pass');
    expect(seen(await shell(world, 'rg foo node_modules src'))).toBe('deny');
  });
});

describe('what comes in and goes out', () => {
  it('row 19: no program is needed', async () => {
    world = await openIndexed({ env: { PATH: '' } });
    expect(seen(await grep(world, { path: 'src/a.ts' }))).toBe('pass');
    expect(seen(await world.before('Glob', { pattern: 'package.json' }))).toBe('pass');
    expect(seen(await grep(world))).toBe('note');
    await world.prompt('next');
    expect(seen(await world.before('Glob', { pattern: '**/*.ts' }))).toBe('note');
  });

  it('row 25: the reply has context for the model, and decides nothing', async () => {
    world = await openIndexed();
    const { stdout } = await grep(world);
    const { hookSpecificOutput: own, ...rest } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(rest).toEqual({});
    expect(Object.keys(own ?? {}).toSorted()).toEqual(['additionalContext', 'hookEventName']);
    expect(own?.['hookEventName']).toBe('PreToolUse');
    expect(own?.['additionalContext']).toContain(NUDGE);
  });
});
