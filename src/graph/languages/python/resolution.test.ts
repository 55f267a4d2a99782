import { describe, expect, it } from 'vitest';
import { callsOf, linksOf, worldOf } from '../../resolve/world.fixture.ts';

const STORE = `
class Base:
    def save(self): ...
class Store(Base):
    def __init__(self): super().__init__()
    def flush(self): self.save()
    def save(self):
        super().save()
    @classmethod
    def make(cls): return cls()
def open_store() -> Store: ...
`;

describe('Python', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'relative import',
      { 'pkg/a.py': 'from .store import open_store\ndef f():\n    open_store()\n' },
      'f -> pkg/store.py#open_store import',
    ],
    [
      'package that re-exports',
      { 'pkg/a.py': 'from pkg import Store\ndef f():\n    Store()\n', 'pkg/__init__.py': 'from .store import Store\n' },
      'f -> pkg/store.py#Store import',
    ],
    [
      'x = Foo()',
      { 'pkg/a.py': 'from .store import Store\ndef f():\n    x = Store()\n    x.flush()\n' },
      'f -> pkg/store.py#Store.flush receiver',
    ],
    [
      'annotation',
      { 'pkg/a.py': 'from .store import Store\ndef f(x: Store):\n    x.flush()\n' },
      'f -> pkg/store.py#Store.flush receiver',
    ],
    [
      'module as a receiver',
      { 'pkg/a.py': 'import pkg.store\ndef f():\n    pkg.store.open_store()\n', 'pkg/__init__.py': '' },
      'f -> pkg/store.py#open_store import',
    ],
    [
      'return type',
      { 'pkg/a.py': 'from .store import open_store\ndef f():\n    open_store().flush()\n' },
      'f -> pkg/store.py#Store.flush return',
    ],
    [
      'class method',
      { 'pkg/a.py': 'from .store import Store\ndef f():\n    Store.make().flush()\n' },
      'f -> pkg/store.py#Store.flush return',
    ],
    [
      'field',
      {
        'pkg/a.py':
          'from .store import Store\nclass A:\n    def __init__(self):\n        self.s = Store()\n    def f(self):\n        self.s.flush()\n',
      },
      'A.f -> pkg/store.py#Store.flush receiver',
    ],
    [
      'loop over a list',
      { 'pkg/a.py': 'from .store import Store\ndef f(all: list[Store]):\n    for one in all:\n        one.flush()\n' },
      'f -> pkg/store.py#Store.flush receiver',
    ],
  ])('%s', async (_, sources, expected) => {
    const world = await worldOf({ 'pkg/store.py': STORE, ...sources });
    expect(callsOf(world, 'pkg/a.py')).toContain(expected);
  });

  it('self and super', async () => {
    const world = await worldOf({ 'store.py': STORE });
    expect(callsOf(world, 'store.py')).toEqual(
      expect.arrayContaining(['Store.flush -> store.py#Store.save class', 'Store.save -> store.py#Base.save class']),
    );
  });

  it('a function called append gets no callers from lists', async () => {
    const world = await worldOf({
      'a.py': 'def append(x): ...\nclass Log:\n    def append(self, x): ...\n',
      'b.py': 'def f(x, items: list):\n    items = []\n    items.append(1)\n    x.append(2)\n',
    });
    expect(linksOf(world, 'b.py')).toMatchObject({ edges: [], possible: [], unresolved: [['append', 1]], outside: 1 });
  });
});
