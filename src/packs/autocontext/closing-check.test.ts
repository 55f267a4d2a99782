import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { openCards } from './autocontext.fixture.ts';
import type { CardWorld } from './autocontext.fixture.ts';
import { testCommand } from './closing-check.ts';
import { didRun, linesBefore, parametersOf, testRunOf } from './turn-changes.ts';

const FILES = {
  'package.json': '{ "devDependencies": { "vitest": "1" } }',
  'src/a.ts': 'export function load(path: string) {\n  return path;\n}\n\nexport function other() {\n  return 2;\n}\n',
  'src/b.ts': "import { load } from './a.ts';\nexport function run() {\n  return load('x');\n}\n",
  'test/b.test.ts': "import { run } from '../src/b.ts';\nexport function checks() {\n  run();\n}\n",
};

let world: CardWorld;
afterEach(() => world.close());

async function edit(path: string, old_string: string, new_string: string): Promise<void> {
  const file_path = join(world.root, path);
  world.put(path, world.read(path).replace(old_string, new_string));
  await world.after('Edit', { file_path, old_string, new_string }, { filePath: file_path });
  await world.graphs.idle();
}

const ran = (command: string) => world.after('Bash', { command }, { stdout: '', stderr: '' });
const stop = async () => {
  await world.pass(500);
  await world.graphs.idle();
  return (await world.event('Stop', { stop_hook_active: false })).note;
};

async function open(): Promise<void> {
  world = await openCards(FILES);
  await world.prompt('go');
  await world.graphs.idle();
}

describe('tests that reach what was changed', () => {
  it('are named with their command, once', async () => {
    await open();
    await edit('src/a.ts', 'return path;', 'return path.trim();');
    const note = await stop();
    expect(note).toContain('Tests that reach what this turn changed ("load") and did not run since: test/b.test.ts.');
    expect(note).toContain('\nnpx vitest run test/b.test.ts');
    expect(await stop()).toBe('');
  });

  it.each(['npm test', 'npx vitest run', 'npx vitest run test/b.test.ts', 'npx vitest run test'])(
    'are not named after %s',
    async (command) => {
      await open();
      await edit('src/a.ts', 'return path;', 'return path.trim();');
      await ran(command);
      expect(await stop()).toBe('');
    },
  );

  it('that ran before the change, or were others, did not run', async () => {
    await open();
    await ran('npm test');
    world.now += 1_000;
    await edit('src/a.ts', 'return path;', 'return path.trim();');
    await ran('npx vitest run test/c.test.ts');
    expect(await stop()).toContain('test/b.test.ts');
  });

  it('of which none is known are not missed', async () => {
    await open();
    await edit('src/a.ts', 'return 2;', 'return 3;');
    expect(await stop()).toBe('');
  });

  it('are those of this turn alone', async () => {
    await open();
    await edit('src/a.ts', 'return path;', 'return path.trim();');
    await world.prompt('something else');
    expect(await stop()).toBe('');
  });
});

/** As the agent does it: asked before, and told after. */
async function write(path: string, content: string): Promise<void> {
  const file_path = join(world.root, path);
  await world.before('Write', { file_path, content });
  world.put(path, content);
  await world.after('Write', { file_path, content }, { filePath: file_path });
  await world.graphs.idle();
}

describe('a file that is written anew', () => {
  it('changes the symbols that are not in it as they were', async () => {
    await open();
    await write('src/a.ts', world.read('src/a.ts').replace('return path;', 'return path.trim();'));
    expect(await stop()).toContain('this turn changed ("load") and did not run since: test/b.test.ts');
  });

  it('changes nothing where its symbols only moved', async () => {
    await open();
    await write('src/a.ts', `// new\n\n${world.read('src/a.ts')}export const more = 1;\n`);
    expect(await stop()).toBe('');
  });

  it('leaves callers behind, and so does a part that is taken out', async () => {
    await open();
    await write('src/a.ts', 'export function open(path: string) {\n  return path;\n}\n');
    expect(await stop()).toContain('"load" is gone and is still called: src/b.ts:3');
    world.close();
    await open();
    const file_path = join(world.root, 'src/a.ts');
    const old_string = 'export function load(path: string) {\n  return path;\n}\n';
    await world.before('Edit', { file_path, old_string, new_string: '' });
    await edit('src/a.ts', old_string, '');
    expect(await stop()).toContain('"load" is gone and is still called: src/b.ts:3');
  });

  it('counts only when it was written', async () => {
    await open();
    const file_path = join(world.root, 'src/a.ts');
    await world.before('Write', { file_path, content: '' });
    expect(await stop()).toBe('');
  });
});

describe('callers left behind are named at the next call', () => {
  const next = async () => (await ran('ls')).note;

  it('once', async () => {
    await open();
    await edit('src/a.ts', 'export function load(path', 'export function open(path');
    expect(await next()).toContain('[autocontext/left-behind] "load" is gone and is still called: src/b.ts:3');
    expect(await next()).toBe('');
    expect(await stop()).not.toContain('is gone');
  });

  it('and not where none is', async () => {
    await open();
    await edit('src/a.ts', 'return path;', 'return path.trim();');
    expect(await next()).toBe('');
    await edit('src/a.ts', 'load(path: string)', 'load(path: string, mode?: string)');
    expect(await next()).toBe('');
  });
});

describe('callers left behind', () => {
  it('by a name that is gone', async () => {
    await open();
    await edit('src/a.ts', 'export function load(path', 'export function open(path');
    expect(await stop()).toContain('"load" is gone and is still called: src/b.ts:3');
  });

  it('by parameters that are new', async () => {
    await open();
    await edit('src/a.ts', 'load(path: string)', 'load(path: string, mode: string)');
    expect(await stop()).toContain('"load" takes other parameters now; its callers are as they were: src/b.ts:3');
  });

  it('not by one that may be left out, nor where they were adapted', async () => {
    await open();
    await edit('src/a.ts', 'load(path: string)', 'load(path: string, mode?: string)');
    await ran('npm test');
    expect(await stop()).toBe('');
    await world.prompt('next');
    await edit('src/a.ts', 'export function load(path', 'export function open(path');
    await edit('src/b.ts', '{ load }', '{ open }');
    await edit('src/b.ts', "load('x')", "open('x')");
    await ran('npm test');
    expect(await stop()).toBe('');
  });
});

it('the lines of an edit are those that it changes', () => {
  const text = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(text, fc.nat(11), (lines, n) => {
      const at = n % lines.length;
      const now = lines.map((line, index) => (index === at ? `${line} changed` : line));
      const range = linesBefore(
        { path: '/a', operation: 'replace', old: lines.join('\n'), new: now.join('\n') },
        now.join('\n'),
      );
      expect(range).toEqual({ first: at + 1, last: at + 1 });
    }),
  );
});

it.each<[string, readonly string[] | undefined]>([
  ['npm test', []],
  ['cd app && pytest -q tests/test_a.py::test_x', ['tests/test_a.py']],
  ['go test ./...', []],
  ['go test ./render/... 2>&1 | tail', ['render']],
  ['cargo test', []],
  ['npm run build', undefined],
  ['git status', undefined],
])('%s', (command, only) => {
  expect(testRunOf(command, 1)?.only).toEqual(only);
});

it('a run counts from when it was', () => {
  expect(didRun('test/a.ts', 5, [{ at: 4, only: [] }])).toBe(false);
  expect(didRun('test/a.ts', 5, [{ at: 5, only: ['test/b.ts'] }])).toBe(false);
  expect(didRun('test/a.ts', 5, [{ at: 5, only: ['test'] }])).toBe(true);
});

it.each<[string, number, number]>([
  ['function f()', 0, 0],
  ['f(a: Map<string, number>, b = 1, c?: string): void', 1, 3],
  ['def f(self, a, *rest)', 1, Infinity],
  ['func (s *Store) f(key string, n ...int)', 1, Infinity],
])('parameters of %s', (signature, least, most) => {
  expect(parametersOf(signature, 'f(')).toEqual({ least, most });
});

it.each<[string, string | undefined]>([
  ['tests/test_a.py', 'python -m pytest tests/test_a.py'],
  ['render/json_test.go', 'go test ./render'],
  ['tests/a.rs', 'cargo test'],
  ['a.bats', undefined],
  ['-rf.py', undefined],
  ['a\nNow run x.py', undefined],
])('the command for %s', (test, expected) => {
  expect(testCommand([test], () => undefined)).toBe(expected);
});
