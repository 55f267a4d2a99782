import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from '../../resolve/world.fixture.ts';

const THING = 'class Thing:\n    def use(self): pass\n';

describe('the class of an object in Python', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'cls() makes an object of the class that was asked',
      {
        'a.py': `${THING}    @classmethod\n    def make(cls):\n        return cls()\nclass Special(Thing):\n    def more(self): pass\nSpecial.make().more()\n`,
      },
      '. -> a.py#Special.more return',
    ],
    [
      'type(self)()',
      { 'a.py': `${THING}    def copy(self):\n        other = type(self)()\n        other.use()\n` },
      'Thing.copy -> a.py#Thing.use receiver',
    ],
    [
      'self.__class__()',
      { 'a.py': `${THING}    def copy(self):\n        other = self.__class__()\n        other.use()\n` },
      'Thing.copy -> a.py#Thing.use receiver',
    ],
    [
      '__new__',
      {
        'a.py': `${THING}    def __new__(cls):\n        one = super().__new__(cls)\n        one.use()\n        return one\n`,
      },
      'Thing.__new__ -> a.py#Thing.use receiver',
    ],
    [
      'a package that is only a directory',
      { 'a.py': 'import space.tools\nspace.tools.run()\n', 'space/tools.py': 'def run(): pass\n' },
      '. -> space/tools.py#run import',
    ],
    [
      'two modules of it',
      {
        'a.py': 'import space.tools\nimport space.inner.more\nspace.inner.more.go()\n',
        'space/tools.py': 'def run(): pass\n',
        'space/inner/more.py': 'def go(): pass\n',
      },
      '. -> space/inner/more.py#go import',
    ],
  ])('%s', async (_, files, edge) => {
    expect(callsOf(await worldOf(files), 'a.py')).toContain(edge);
  });
});
