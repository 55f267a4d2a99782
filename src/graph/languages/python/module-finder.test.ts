import { describe, expect, it } from 'vitest';
import { worldOf } from '../../resolve/world.fixture.ts';
import { python } from './module-finder.ts';

async function find(paths: readonly string[], from: string, module: string, texts: Record<string, string> = {}) {
  const world = await worldOf({ ...Object.fromEntries([...paths, from].map((path) => [path, 'x = 1\n'])), ...texts });
  const file = world.file(from);
  if (file === undefined) throw new Error('no file');
  const found = python.find(world, file, module);
  return typeof found === 'string' ? found : found[0]?.path;
}

describe('imports of Python', () => {
  it.each<[string, string[], string, string, string]>([
    ['sibling', ['p/__init__.py', 'p/a.py'], 'p/m.py', '.a', 'p/a.py'],
    ['package itself', ['p/__init__.py'], 'p/m.py', '.', 'p/__init__.py'],
    ['package above', ['p/__init__.py', 'p/q/__init__.py'], 'p/q/m.py', '..', 'p/__init__.py'],
    ['path above', ['p/a/b.py'], 'p/q/r/m.py', '...a.b', 'p/a/b.py'],
    ['from an __init__', ['p/a.py'], 'p/__init__.py', '.a', 'p/a.py'],
    ['relative, not there', [], 'p/m.py', '.a', 'missing'],
    ['above the root', [], 'm.py', '..a', 'missing'],
    ['from the root', ['p/__init__.py', 'p/a.py'], 'tests/m.py', 'p.a', 'p/a.py'],
    ['from src', ['src/p/__init__.py', 'src/p/a.py'], 'tests/m.py', 'p.a', 'src/p/a.py'],
    [
      'own package chain',
      ['lib/py/p/__init__.py', 'lib/py/p/q/__init__.py', 'lib/py/p/a.py'],
      'lib/py/p/q/m.py',
      'p.a',
      'lib/py/p/a.py',
    ],
    ['a script beside', ['tools/helper.py'], 'tools/run.py', 'helper', 'tools/helper.py'],
    ['package before module', ['p.py', 'p/__init__.py'], 'm.py', 'p', 'p/__init__.py'],
    ['source before stub', ['a.py', 'a.pyi'], 'm.py', 'a', 'a.py'],
    ['stub alone', ['a.pyi'], 'm.py', 'a', 'a.pyi'],
    ['compiled', ['p/__init__.py', 'p/fast.pyx'], 'm.py', 'p.fast', 'p/fast.pyx'],
    ['declared for C alone', ['p/__init__.py', 'p/lib.pxd'], 'm.pyx', 'p.lib', 'p/lib.pxd'],
    ['a package for C alone', ['p/__init__.pxd', 'p/q/a.pxd'], 'p/q/m.pyx', '..', 'p/__init__.pxd'],
    ['included', ['p/common.pxi', 'common.pxi'], 'p/m.pyx', 'common.pxi', 'p/common.pxi'],
    ['included from above', ['inc/a.pxi'], 'p/q/m.pyx', '../../inc/a.pxi', 'inc/a.pxi'],
    ['included below the root', ['inc/a.pxi'], 'p/q/m.pyx', 'inc/a.pxi', 'inc/a.pxi'],
    ['included, not there', [], 'p/m.pyx', 'common.pxi', 'missing'],
    ['without __init__', ['ns/inner/a.py'], 'm.py', 'ns.inner.a', 'ns/inner/a.py'],
    ['standard library', ['src/json.py'], 'm.py', 'json', 'outside'],
    ['standard library, deeper', [], 'm.py', 'os.path', 'outside'],
    ['its name taken by a script beside', ['json.py'], 'm.py', 'json', 'json.py'],
    ['standard library from inside a package', ['p/__init__.py', 'p/types.py'], 'p/m.py', 'types', 'outside'],
    ['a package that is not there', [], 'm.py', 'numpy.linalg', 'outside'],
    ['a part that is not there', ['p/__init__.py'], 'm.py', 'p.none', 'missing'],
  ])('%s', async (_, paths, from, module, expected) => {
    expect(await find(paths, from, module)).toBe(expected);
  });

  it.each([
    [
      'a project further down',
      { 'sub/pyproject.toml': '' },
      ['sub/src/p/__init__.py'],
      'sub/tests/m.py',
      'p',
      'sub/src/p/__init__.py',
    ],
    [
      'where a build tool looks',
      { 'pyproject.toml': '[tool.setuptools.packages.find]\nwhere = ["lib"]' },
      ['lib/p/__init__.py'],
      'tests/m.py',
      'p',
      'lib/p/__init__.py',
    ],
    [
      'another project of the workspace',
      { 'one/pyproject.toml': '[project]\nname = "my-lib"' },
      ['one/src/my_lib/__init__.py'],
      'two/m.py',
      'my_lib',
      'one/src/my_lib/__init__.py',
    ],
  ])('%s', async (_, texts, paths, from, module, expected) => {
    expect(await find(paths, from, module, texts as Record<string, string>)).toBe(expected);
  });
});
