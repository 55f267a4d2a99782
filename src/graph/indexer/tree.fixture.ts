import type { Tree } from './project.fixture.ts';

/** A small project in several languages, in which every file depends on others. */
export const TREE: Tree = {
  'package.json': '{"name":"app","exports":{".":"./src/index.ts"}}',
  'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./src/lib/*"]}}}',
  '.gitignore': 'ignored/\n',
  'ignored/x.ts': 'export function hidden() {}',
  'src/index.ts': `export * from './store.ts';\nexport { log as say } from '@lib/log';\n`,
  'src/lib/log.ts': `export function log(text: string) { return text.trim() }\nexport const quiet = () => log('')\n`,
  'src/store.ts': `import { log } from '@lib/log';
export class Base { save() { return this.name() } name() { return log('base') } }
export class Store extends Base {
  other = new Base();
  save() { super.save(); return this.other.save() }
}
export function make() { return new Store() }
`,
  'src/use.ts': `import { make, say } from './index.ts';
import type { Store } from './store.ts';
export function run(store: Store) { store.save(); make().save(); say('x'); helper() }
function helper() { const made = make(); made.other.name(); return unknown.save() }
`,
  'src/keep.ts': `import type { Store } from './store.ts';
import { log } from './lib/log.ts';
export interface Keeper { save(): unknown; name(): string; other?: () => void }
export class Safe implements Keeper { save() { return 1 } name() { return log('safe') } other = () => this.name() }
export function keep(store: Store): Keeper { const save = () => store.save(); return { save, name: () => log('kept') } }
export const kept: Keeper = { save: () => log('all'), name() { return 'kept' } };
export function count(keeper: Keeper) { keeper.save(); return keeper.name() }
`,
  'src/use.test.ts': `import { run } from './use.ts';\nrun(null as never);\n`,
  'go.mod': 'module example.com/app\n\ngo 1.22\n',
  'cmd/main.go': `package main

import "example.com/app/shop"

func main() { s := shop.New(); s.Sell(); shop.Close() }
`,
  'shop/shop.go': `package shop

type Shop struct{ open bool }

func New() *Shop { return &Shop{} }

func (s *Shop) Sell() { s.count() }
`,
  'shop/count.go': `package shop

func (s *Shop) count() int { return 1 }

func Close() { New().Sell() }
`,
  'shop/seller.go': `package shop

type Seller interface {
	Sell()
	count() int
}

func Trade(s Seller) { s.Sell(); s.count() }
`,
  'pkg/__init__.py': 'from .base import Base, build\n',
  'pkg/base.py': `class Base:
    def save(self):
        return self.name()
    def name(self):
        return build()
def build():
    return Base()
`,
  'pkg/use.py': `from pkg import Base, build
class Store(Base):
    def save(self):
        super().save()
        made = build()
        return made.name()
def run(x):
    Store().save()
    x.save()
`,
  'lib/thing.rb': 'class Thing\n  def go\n    helper\n  end\n  def helper\n  end\nend\n',
  'run.sh': '#!/bin/sh\nfirst() { second; }\nsecond() { echo; }\nfirst\n',
};

/** How many files of it, or of a part of it, are indexed. */
export const countIndexed = (tree: Tree): number =>
  Object.keys(tree).filter((path) => !path.startsWith('ignored') && path !== '.gitignore').length;
export const INDEXED = countIndexed(TREE);

/** Another branch of it: other files, other contents, other ways to the same names. */
export const BRANCH: Tree = {
  ...without(TREE, 'src/index.ts', 'shop/count.go', 'lib/thing.rb', 'pkg/__init__.py'),
  'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./src/other/*"]}}}',
  'src/other/log.ts': `export function log(text: string) { return text }\n`,
  'src/index/index.ts': `export { make } from '../store.ts';\nexport const say = (text: string) => text;\n`,
  'src/use.ts': `import { make } from './index/index.ts';\nexport const run = () => make().save();\n`,
  'shop/close.go': `package shop\n\nfunc Close() { New().Sell() }\n`,
  'pkg/base.py': 'class Base:\n    def save(self):\n        return 1\n',
  'tools/package.json': '{"name":"tools","main":"./main.ts"}',
  'tools/main.ts': `import { make } from 'app';\nexport function start() { return make() }\n`,
};

function without(tree: Tree, ...paths: string[]): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !paths.includes(path)));
}
