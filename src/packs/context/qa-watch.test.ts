import { describe, expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { NOW } from './context.fixture.ts';
import { edited, git, open, ran, SUB_AGENT } from './qa.fixture.ts';
import { cellOf } from './session.fixture.ts';

describe('what is seen of checks', () => {
  const standing = async (world: World) => {
    const { note } = await git(world, 'git status');
    return ['lint', 'test'].map((name) => new RegExp(`^${name}: (.*)$`, 'm').exec(note)?.[1]);
  };
  const NOT = 'not seen to pass';
  const PASSED = 'passed since the last edit';
  const BEFORE = 'passed before the last edit';

  it.each<[string, readonly [string, string]]>([
    ['npm run lint && npm test', [PASSED, PASSED]],
    ['npm test || true', [NOT, NOT]],
    ['npm test 2>&1 | tail -20', [NOT, NOT]],
    ['set -o pipefail; npm test 2>&1 | tail -20', [NOT, PASSED]],
    ['npm test; echo $?', [NOT, NOT]],
    ['npm run lint; npm test', [NOT, PASSED]],
    ['cd src && npx eslint .', [PASSED, NOT]],
    ['cd /elsewhere && npm test', [NOT, NOT]],
    ['npm test &', [NOT, NOT]],
    ['echo npm test', [NOT, NOT]],
  ])('%j', async (command, expected) => {
    const world = open();
    await ran(world, command);
    expect(await standing(world)).toEqual(expected);
  });

  it('a run that fails, or goes on in the background, is none', async () => {
    const world = open();
    await world.failed('Bash', { command: 'npm test' }, 'Exit code 1');
    await ran(world, 'npm test', {}, { backgroundTaskId: 'b1' });
    expect(await standing(world)).toEqual([NOT, NOT]);
  });

  it('a run that fails does not undo one that passed: nothing was edited', async () => {
    const world = open();
    await ran(world, 'npm test');
    await world.failed('Bash', { command: 'npm test' }, 'Exit code 1');
    expect(await standing(world)).toEqual([NOT, PASSED]);
  });

  it('an edit during a run came after it', async () => {
    const world = open();
    await edited(world);
    await ran(world, 'npm test', { duration_ms: 120_000 });
    expect(await standing(world)).toEqual([NOT, BEFORE]);
  });

  it.each<[string, boolean]>([
    ['src/app.ts', true],
    ['README.md', true],
    ['.context/TASKS.md', false],
    ['/elsewhere/a.ts', false],
  ])('an edit of %s', async (path, counts) => {
    const world = open();
    await ran(world, 'npm run lint && npm test');
    await edited(world, path);
    expect(await standing(world)).toEqual(counts ? [BEFORE, BEFORE] : [PASSED, PASSED]);
  });

  it('all that edits counts, and what a sub-agent does as well', async () => {
    const world = open();
    await ran(world, 'npm run lint', SUB_AGENT);
    expect(cellOf(world, 'context.qa')).toEqual({ lastEdit: 0, checks: { lint: NOW + 60_000 - 25 } });
    await world.after('Write', { file_path: `${world.root}/a.ts`, content: '' }, {}, SUB_AGENT);
    expect(cellOf(world, 'context.qa')).toMatchObject({ lastEdit: world.now });
    await world.after('NotebookEdit', { notebook_path: `${world.root}/a.ipynb`, new_source: '' }, {});
    expect(await standing(world)).toEqual([BEFORE, NOT]);
  });

  it.each<[string, string, readonly [string | undefined, string | undefined]]>([
    ['qa: { checks: { test: [just test] } }', 'just test', [NOT, PASSED]],
    ['qa: { checks: { test: [just test] } }', 'npm test', [NOT, NOT]],
    ['qa: { checks: { lint: [builtin, just lint] } }', 'just lint && npm run lint', [PASSED, NOT]],
    ['qa: { checks: { lint: [] } }', 'npm test', [undefined, PASSED]],
    ['qa: { checks: { lint: 7, test: no } }', 'npm run lint && npm test', [PASSED, PASSED]],
    ['qa: { checks: none }', 'npm test', [NOT, PASSED]],
  ])('%s, %s', async (options, command, expected) => {
    const world = open(options);
    await ran(world, command);
    expect(await standing(world)).toEqual(expected);
  });

  it('without any check there is nothing to say', async () => {
    const world = open('qa: { mode: gate, checks: { lint: [], test: [] } }');
    expect((await git(world, 'git commit -m x')).stdout).toBe('');
  });
});

describe('what a command line does to files', () => {
  const standing = async (world: World) => {
    const { note } = await git(world, 'git diff', `p${world.now}`);
    return [...note.matchAll(/^(?:lint|test): (.*)$/gm)].map(([, said]) => said);
  };
  const [PASSED, BEFORE] = ['passed since the last edit', 'passed before the last edit'];

  it.each<[string, readonly string[]]>([
    ['sed -i s/a/b/ src/app.ts', [BEFORE, BEFORE]],
    ['cat > src/new.ts <<EOF\nlet a;\nEOF', [BEFORE, BEFORE]],
    ["python3 - <<EOF\nopen('src/app.ts', 'w').write('')\nEOF", [BEFORE, BEFORE]],
    ['rm src/app.ts', [BEFORE, BEFORE]],
    ['git apply fix.patch', [BEFORE, BEFORE]],
    ['sed -i s/a/b/ src/app.ts && npm test', [BEFORE, PASSED]],
    ['npm test && sed -i s/a/b/ src/app.ts', [BEFORE, BEFORE]],
    ['npm run lint && npm test > report.txt', [PASSED, PASSED]],
    ['npx eslint --fix . && npm test', [PASSED, PASSED]],
    ['echo x > .context/NOTES.md', [PASSED, PASSED]],
    ['npm run build > build.log; echo x > dist/a.js; mkdir src/b; ls 2>/dev/null', [PASSED, PASSED]],
    ['cp src/app.ts /var/tmp/app.ts', [PASSED, PASSED]],
    ["echo 'sed -i s/a/b/ src/app.ts'", [PASSED, PASSED]],
  ])('%j', async (command, expected) => {
    const world = open();
    await ran(world, 'npm run lint && npm test');
    await ran(world, command, { duration_ms: 500 });
    expect(await standing(world)).toEqual(expected);
  });

  it('a line that failed has edited all the same', async () => {
    const world = open();
    await ran(world, 'npm run lint && npm test');
    world.now += 60_000;
    await world.failed('Bash', { command: 'sed -i s/a/b/ src/app.ts && false' }, 'Exit code 1');
    expect(await standing(world)).toEqual([BEFORE, BEFORE]);
  });
});
