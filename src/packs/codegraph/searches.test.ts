import { afterEach, describe, expect, it } from 'vitest';
import { EXPLORE, grep, INDEXED, NUDGE, openIndexed, seen, setCareful, shell } from '../nudge.fixture.ts';
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
    ['a source file is read', (at) => at.before('Read', { file_path: `${at.root}/src/a.ts` }), 'pass'],
    ['a directory is searched', (at) => grep(at), 'note'],
    ['a file is searched', (at) => grep(at, { path: 'src/a.ts' }), 'pass'],
    ['files are listed', glob('**/*.ts'), 'note'],
    ['all files are listed', glob('**/*'), 'note'],
    ['all files of a place', glob('**/*', 'src'), 'note'],
    ['all files of a place that the pattern names', glob('src/**/*'), 'note'],
    ['one level is listed', glob('*'), 'pass'],
    ['one level of a place', glob('src/*'), 'pass'],
    ['texts are listed', glob('docs/**'), 'pass'],
    ['files without code are listed', glob('**/README*'), 'pass'],
    ['a name is looked up', glob('package.json'), 'pass'],
    ['no mark at all', (at) => grep(at), 'note'],
    ['the transcript does not exist', (at) => grep(at, {}, { transcript_path: '/nowhere/t.jsonl' }), 'note'],
    ['a directory below', (at) => grep(at, { path: undefined }, { cwd: `${at.root}/src/deep` }), 'note'],
    ['a relative path to a file', (at) => grep(at, { path: 'foo.txt' }), 'pass'],
    ['quotes that do not close', (at) => shell(at, `rg "parseConfig`), 'pass'],
    ['braces alone', glob('src/{a,b}.ts'), 'pass'],
    ['in dependencies', (at) => grep(at, { path: 'node_modules' }), 'pass'],
    ['outside the root', (at) => grep(at, { path: '/usr/include' }), 'pass'],
    ['in files without symbols', (at) => grep(at, { glob: '*.md' }), 'pass'],
    ['for digits', (at) => grep(at, { pattern: '[0-9]+' }), 'pass'],
    ['for a sentence', (at) => grep(at, { pattern: 'could not open file' }), 'pass'],
    ['for a mark of comments', (at) => grep(at, { pattern: 'TODO|FIXME' }), 'pass'],
    ['files of a role in no language', glob('**/*.test.*'), 'pass'],
  ])('%s', async (_, ask, expected) => {
    world = await openIndexed();
    world.put('node_modules/x/index.js', 'parseConfig');
    expect(seen(await ask(world))).toBe(expected);
  });

  it('no index anywhere', async () => {
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
  it.each<[command: string, expected: string]>([
    ['rg foo', 'note'],
    ['grep -rn foo src', 'note'],
    ['git grep foo', 'note'],
    [`find . -name '*.ts'`, 'note'],
    ['fd -e ts', 'note'],
    ['ls -R', 'note'],
    ['tree', 'note'],
    ['rg foo src node_modules', 'note'],
    ['rg foo node_modules src', 'note'],
    ['rg foo node_modules dist', 'pass'],
    ['grep -rn fooBar node_modules/ vendor/', 'pass'],
    ['rg foo /usr/include node_modules', 'pass'],
    ['git grep foo HEAD', 'pass'],
    ['git grep foo v1.0.0 -- src', 'pass'],
    ['find . -type f | wc -l', 'pass'],
    ['find . -type d', 'pass'],
    ['find . -size +10M', 'pass'],
    ['find . -mtime -1 -type f', 'pass'],
    [`find . -newer x -name '*.ts'`, 'pass'],
    ['find src -maxdepth 2 -type d', 'pass'],
    ['fd -t d', 'pass'],
    ['tree -d', 'pass'],
    ['ls -R docs', 'pass'],
    [`find -iname '*readme*'`, 'pass'],
    [`find -name 'Dockerfile*'`, 'pass'],
    [`find . -name '.env*'`, 'pass'],
    ['rg foo src/a.ts', 'pass'],
    ['grep foo foo.txt', 'pass'],
    ['find . -name package.json', 'pass'],
    ['ls src', 'pass'],
    ['tree -L 1', 'pass'],
    ['ps aux | grep node', 'pass'],
    ['npm test 2>&1 | grep FAIL', 'pass'],
    ['git log --grep=fix', 'pass'],
    ['echo "rg foo"', 'pass'],
    ['git commit -m "use grep -r"', 'pass'],
    [`cat > notes.md <<'END'\nfind . -name '*'\nEND`, 'pass'],
    ['cd src && rg foo', 'note'],
    [`find . -name '*.ts' | xargs grep foo`, 'note'],
    [`bash -c 'rg foo'`, 'note'],
  ])('%s: %s', async (command, expected) => {
    world = await openIndexed();
    expect(seen(await shell(world, command))).toBe(expected);
  });
});

describe('a listing of files', () => {
  const listings: readonly [what: string, ask: Ask][] = [
    ['of a language', glob('**/*.ts')],
    ['of tests', glob('**/*.test.ts')],
    ['of index files', glob('**/index.ts')],
    ['of everything', glob('**/*')],
    ['by the shell', (at) => shell(at, `find . -name '*.ts'`)],
    ['by the shell, of everything', (at) => shell(at, 'ls -R')],
  ];
  it.each(listings)('%s: a graph that looks words up is named, and asked nothing', async (_, ask) => {
    world = await openIndexed();
    const { note } = await ask(world);
    expect(note).toContain(`\n${EXPLORE}\nanswers from it by the name of a symbol`);
    expect(note.length).toBeLessThanOrEqual(400);
  });

  it('is held back in careful mode with a text that is true', async () => {
    world = await openIndexed();
    setCareful(world, undefined);
    const { action, reason } = await glob('**/*.ts')(world);
    expect([action, reason]).toEqual(['deny', expect.stringContaining(`\n${EXPLORE}\n`)]);
    expect(reason).not.toContain('query');
  });

  it('where nothing but digits is searched for and that counts as well, nothing is made up', async () => {
    world = await openIndexed({ config: 'packs: { codegraph: { enabled: true, relevance: off } }' });
    expect((await grep(world, { pattern: '[0-9]+' })).note).toContain(`\n${EXPLORE}\n`);
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
  it('no program is needed', async () => {
    world = await openIndexed({ env: { PATH: '' } });
    expect(seen(await grep(world, { path: 'src/a.ts' }))).toBe('pass');
    expect(seen(await world.before('Glob', { pattern: 'package.json' }))).toBe('pass');
    expect(seen(await grep(world))).toBe('note');
    await world.prompt('next');
    expect(seen(await world.before('Glob', { pattern: '**/*.ts' }))).toBe('note');
  });

  it('the reply has context for the model, and decides nothing', async () => {
    world = await openIndexed();
    const { stdout } = await grep(world);
    const { hookSpecificOutput: own, ...rest } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(rest).toEqual({});
    expect(Object.keys(own ?? {}).toSorted()).toEqual(['additionalContext', 'hookEventName']);
    expect(own?.['hookEventName']).toBe('PreToolUse');
    expect(own?.['additionalContext']).toContain(NUDGE);
  });
});
