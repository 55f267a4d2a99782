import { describe, expect, test } from 'vitest';
import { keysOf } from '../model/facts.ts';
import { worldOf } from './world.fixture.ts';
import { c, definitionOf } from '../languages/c/module-finder.ts';
import type { ModuleFinder } from '../languages/module-finder.ts';
import { ruby } from '../languages/ruby/module-finder.ts';
import { shell } from '../languages/shell/module-finder.ts';

interface Row {
  readonly finder: ModuleFinder;
  readonly from: string;
  readonly files: readonly string[];
  readonly rows: readonly (readonly [module: string, found: string])[];
}

const TABLE: Record<string, Row> = {
  C: {
    finder: c,
    from: 'app/main/main.c',
    files: [
      'app/main/near.h',
      'app/include/lib/far.h',
      'src/util.h',
      'app/main/sub/deep.h',
      'near.h',
      'app/main/stdio.h',
      'app/store/include/store/api.h',
      'lib/include/tree/api.h',
    ],
    rows: [
      ['near.h', 'app/main/near.h'],
      ['sub/deep.h', 'app/main/sub/deep.h'],
      ['../main/near.h', 'app/main/near.h'],
      ['lib/far.h', 'app/include/lib/far.h'],
      ['<lib/far.h>', 'app/include/lib/far.h'],
      ['util.h', 'src/util.h'],
      ['stdio.h', 'app/main/stdio.h'],
      ['<stdio.h>', 'outside'],
      ['<vector>', 'outside'],
      ['<sys/types.h>', 'outside'],
      ['<zlib/zlib.h>', 'outside'],
      ['store/api.h', 'app/store/include/store/api.h'],
      ['<tree/api.h>', 'lib/include/tree/api.h'],
      ['gone.h', 'missing'],
      ['../../../../out.h', 'missing'],
    ],
  },
  Ruby: {
    finder: ruby,
    from: 'gems/shop/lib/shop/box.rb',
    files: ['gems/shop/lib/shop/item.rb', 'gems/shop/lib/shop.rb', 'lib/root.rb', 'gems/shop/lib/json.rb'],
    rows: [
      ['./item', 'gems/shop/lib/shop/item.rb'],
      ['./item.rb', 'gems/shop/lib/shop/item.rb'],
      ['../shop', 'gems/shop/lib/shop.rb'],
      ['shop/item', 'gems/shop/lib/shop/item.rb'],
      ['root', 'lib/root.rb'],
      ['json', 'outside'],
      ['rails', 'outside'],
      ['./gone', 'missing'],
      ['/etc/x', 'outside'],
    ],
  },
  shell: {
    finder: shell,
    from: 'bin/tools/run.sh',
    files: ['bin/tools/log.sh', 'bin/lib/net.sh', 'lib/base.sh'],
    rows: [
      ['./log.sh', 'bin/tools/log.sh'],
      ['log.sh', 'bin/tools/log.sh'],
      ['../lib/net.sh', 'bin/lib/net.sh'],
      ['$/log.sh', 'bin/tools/log.sh'],
      ['$/../lib/net.sh', 'bin/lib/net.sh'],
      ['$/lib/base.sh', 'lib/base.sh'],
      ['lib/base.sh', 'lib/base.sh'],
      ['run.sh', 'missing'],
      ['$/rc', 'outside'],
      ['/etc/profile', 'outside'],
      ['./gone.sh', 'missing'],
    ],
  },
};

describe.each(Object.entries(TABLE))('%s', (_, { finder, from, files, rows }) => {
  test.each(rows)('%s leads to %s', async (module, expected) => {
    const world = await worldOf(Object.fromEntries([from, ...files].map((path) => [path, ''])));
    const file = world.file(from);
    if (!file) throw new Error(from);
    const found = finder.find(world, file, module);
    expect(typeof found === 'string' ? found : found.map(({ path }) => path).join()).toBe(expected);
  });
});

describe('a declaration is one with its definition in another file', () => {
  const place = async (sources: Record<string, string>, path: string, key: string) => {
    const world = await worldOf(sources);
    const file = world.file(path);
    if (!file) throw new Error(path);
    const index = keysOf(file).indexOf(key);
    expect(index).toBeGreaterThanOrEqual(0);
    const found = definitionOf(world, { file, index });
    return `${found.file.path}#${keysOf(found.file)[found.index]}`;
  };
  const store = {
    'store.h': 'int save(int a);\nextern int count;\n',
    'store.c': '#include "store.h"\nint save(int a) { return a; }\nint count = 1;\n',
  };

  test.each<[string, Record<string, string>, string, string, string]>([
    ['a function', store, 'store.h', 'save', 'store.c#save'],
    ['a variable', store, 'store.h', 'count', 'store.c#count'],
    [
      'one defined elsewhere',
      { 'store.h': store['store.h'], 'x/other.c': store['store.c'] },
      'store.h',
      'save',
      'x/other.c#save',
    ],
    [
      'the one beside the header',
      { ...store, 'mock.c': 'int save(int a) { return 0; }\n' },
      'store.h',
      'save',
      'store.c#save',
    ],
    [
      'one of two elsewhere',
      { 'store.h': store['store.h'], 'a.c': store['store.c'], 'b.c': store['store.c'] },
      'store.h',
      'save',
      'store.h#save',
    ],
    [
      'one that is private there',
      { 'store.h': store['store.h'], 'a.c': 'static int save(int a) { return 1; }\n' },
      'store.h',
      'save',
      'store.h#save',
    ],
    [
      'a macro of that name',
      { 'store.h': store['store.h'], 'a.c': '#define save(a) a\n' },
      'store.h',
      'save',
      'store.h#save',
    ],
    [
      'a method of its own class',
      {
        'box.hpp': 'namespace shop { class Box { public: void put(); }; class Other { public: void put(); }; }\n',
        'box.cpp': '#include "box.hpp"\nvoid shop::Box::put() {}\n',
        'other.cpp': '#include "box.hpp"\nnamespace shop { void Other::put() {} }\n',
      },
      'box.hpp',
      'shop.Other.put',
      'other.cpp#shop.put',
    ],
    ['a definition', store, 'store.c', 'save', 'store.c#save'],
  ])('%s', async (_, sources, path, key, expected) => {
    expect(await place(sources, path, key)).toBe(expected);
  });
});
