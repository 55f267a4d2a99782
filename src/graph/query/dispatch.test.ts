import { describe, expect, it } from 'vitest';
import { impactModel } from '../draw/impact-model.ts';
import { openProject } from '../indexer/project.fixture.ts';
import type { CallsAnswer } from './answer.ts';
import { askGraph } from './ask-graph.ts';
import type { GraphReader } from './graph-reader.ts';

/** Asks a graph that is made of sources. */
async function withGraph(sources: Readonly<Record<string, string>>, ask: (reader: GraphReader) => void): Promise<void> {
  const project = openProject(sources);
  try {
    await project.indexer().indexAll();
    const reader = project.graph();
    ask(reader);
    reader.close();
  } finally {
    project.close();
  }
}

function callersOf(reader: GraphReader, symbol: string): CallsAnswer {
  const answer = askGraph(reader, { action: 'callers', symbol }, () => undefined);
  if (answer.is !== 'callers') throw new Error(`${symbol}: ${JSON.stringify(answer)}`);
  return answer;
}

/** `Store.save from run, walk`: by which members it may be called and from where. */
const asText = (reader: GraphReader, symbol: string): string[] =>
  callersOf(reader, symbol).overrides.map(
    ({ symbol: { name }, by, from }) =>
      `${by} ${name}${from.total === 0 ? '' : ` from ${from.items.map((each) => each.symbol.name).join(', ')}`}`,
  );
const ends = (reader: GraphReader, symbol: string): string[] =>
  callersOf(reader, symbol).implementations?.items.map(({ name }) => name) ?? [];

interface Case {
  readonly sources: Readonly<Record<string, string>>;
  /** Members of interfaces and bases, and what a call of them may end at. */
  readonly abstract: Readonly<Record<string, readonly string[]>>;
  /** Implementations, and as what they may be called. */
  readonly called: Readonly<Record<string, readonly string[]>>;
}

const CASES: Readonly<Record<string, Case>> = {
  typescript: {
    sources: {
      'store.ts': `export interface Store { save(item: string): void; close(): void; onError: (e: Error) => void }
export abstract class Base { abstract load(): string; open() { return this.load() } close() {} }
`,
      'disk.ts': `import { Base, type Store } from './store.ts';
export class Disk extends Base implements Store {
  save(item: string) {}
  load() { return '' }
  onError = (e: Error) => {};
}
export class Quiet extends Disk { save(item: string) { super.save(item) } }
`,
      'use.ts': `import type { Base, Store } from './store.ts';
export function run(store: Store) { store.save('x'); store.close(); store.onError(new Error()) }
export function start(base: Base) { base.open() }
`,
    },
    abstract: {
      'Store.save': ['Disk.save', 'Quiet.save'],
      'Store.close': ['Base.close'],
      'Store.onError': ['Disk.onError'],
      'Base.load': ['Disk.load'],
      'Disk.save': ['Quiet.save'],
    },
    called: {
      'Disk.save': ['implements Store.save from run'],
      // What calls the base from above means the base alone.
      'Quiet.save': ['implements Store.save from run', 'overrides Disk.save'],
      'Disk.load': ['overrides Base.load from Base.open'],
      'Disk.onError': ['implements Store.onError from run'],
      'Base.close': ['implements Store.close from run'],
    },
  },
  'typescript, by objects': {
    sources: {
      'store.ts': `export interface Store { save(item: string): void; close(): void; find: (n: number) => string }
export function open(store: Store) { store.save('x'); store.close(); store.find(1) }
`,
      'make.ts': `import { open, type Store } from './store.ts';
export function createStore(): Store {
  function save(item: string) { flush() }
  const look = (n: number) => '';
  return { save, close() { flush() }, find: look };
}
function flush() {}
export const plain: Store = { save(item) {}, close: flush, find: (n: number) => '' };
export function start() { open({ save: () => flush(), close, find: String }) }
function close() {}
export const later = async (): Promise<Store> => ({ save(item) {}, close, find: () => '' });
export const loose = { save(item: string) {} };
`,
    },
    abstract: {
      'Store.save': ['createStore.save', 'plain.save', 'start', 'later'],
      'Store.close': ['createStore', 'flush', 'close'],
      'Store.find': ['createStore.look', 'plain.find', 'later'],
    },
    called: {
      'createStore.save': ['implements Store.save from open'],
      'createStore.look': ['implements Store.find from open'],
      'plain.save': ['implements Store.save from open'],
      'make.ts#close': ['implements Store.close from open'],
      'loose.save': [],
    },
  },
  python: {
    sources: {
      'store.py': `from abc import ABC, abstractmethod
from typing import Protocol

class Store(ABC):
    @abstractmethod
    def save(self, item): ...
    def flush(self):
        self.save(None)

class Closer(Protocol):
    def close(self) -> None: ...
`,
      'disk.py': `from store import Store

class Mixin:
    def save(self, item):
        pass

class Disk(Mixin, Store):
    def close(self) -> None:
        pass

class Memory(Store):
    def save(self, item):
        super().save(item)
`,
      'use.py': `from store import Store, Closer

def run(store: Store):
    store.save(1)

def stop(closer: Closer):
    closer.close()
`,
    },
    abstract: { 'Store.save': ['Mixin.save', 'Memory.save'], 'Closer.close': ['Disk.close'] },
    called: {
      'Memory.save': ['overrides Store.save from Store.flush, run'],
      'Mixin.save': ['overrides Store.save from Store.flush, run'],
      'Disk.close': ['implements Closer.close from stop'],
    },
  },
  go: {
    sources: {
      'go.mod': 'module example.com/app\n\ngo 1.22\n',
      'store/store.go': `package store

type Saver interface {
	Save(item string, n int) error
	Closer
}

type Closer interface{ Close() error }

type hidden interface{ touch() }

func Touch(h hidden) { h.touch() }
`,
      'disk/disk.go': `package disk

type Disk struct{ base }

type base struct{}

func (b base) Close() error { return nil }

func (b base) touch() {}
`,
      'disk/save.go': `package disk

func (d *Disk) Save(item string, n int) error { return nil }

type Half struct{}

func (h Half) Save(item string, n int) error { return nil }

type Loud struct{ Disk }

func (l Loud) Close() {}
`,
      'use/use.go': `package use

import "example.com/app/store"

func Run(s store.Saver) { s.Save("x", 1); s.Close() }
`,
    },
    abstract: { 'Saver.Save': ['Disk.Save'], 'Closer.Close': ['base.Close'], Saver: ['Disk'], 'hidden.touch': [] },
    called: {
      'Disk.Save': ['implements Saver.Save from Run'],
      'Half.Save': [],
      'base.Close': ['implements Closer.Close from Run'],
      'Loud.Close': [],
      'base.touch': [],
    },
  },
  java: {
    sources: {
      'app/Store.java': `package app;
public interface Store { void save(String item); void save(String item, int n); default void close() {} }
`,
      'app/Disk.java': `package app;
public class Disk extends Base implements Store {
  @Override public void save(String item) {}
  @Override public void save(String item, int n) {}
}
`,
      'app/Base.java': `package app;
public abstract class Base { public void close() {} protected abstract int size(); int twice() { return size() * 2; } }
`,
      'app/Listener.java': `package app;
public interface Listener { void on(String event); }
`,
      'app/Use.java': `package app;
public class Use {
  void run(Store store) { store.save("x", 1); store.close(); }
  void walk(Store store) { store.save("y"); }
  void fire(Listener listener) { listener.on("z"); }
  void listen() { fire(event -> noted(event)); fire(new Listener() { public void on(String event) { noted(event); } }); }
  void noted(String event) {}
  void pass() { fire(this::noted); }
}
`,
    },
    abstract: {
      'app/Store.java#Store.save': ['Disk.save'],
      'app/Store.java#Store.save~2': ['Disk.save'],
      'Store.close': ['Base.close'],
      'Listener.on': ['Use.listen', 'Use.listen.new Listener.on', 'Use.noted'],
    },
    called: {
      'app/Disk.java#Disk.save': ['implements Store.save from Use.walk'],
      'app/Disk.java#Disk.save~2': ['implements Store.save from Use.run'],
      'Base.close': ['implements Store.close from Use.run'],
      'Use.noted': ['implements Listener.on from Use.fire'],
    },
  },
  rust: {
    sources: {
      'Cargo.toml': '[package]\nname = "app"\n',
      'src/lib.rs': `pub mod disk;
pub trait Store {
    fn save(&self, item: &str);
    fn close(&self) { self.save("") }
}
pub fn run(store: &dyn Store) { store.save("x"); store.close(); }
pub fn walk<S: Store>(store: S) { store.save("y"); }
`,
      'src/disk.rs': `use crate::Store;
pub struct Disk {}
impl Store for Disk {
    fn save(&self, item: &str) {}
}
pub struct Other {}
impl Other { pub fn save(&self, item: &str) {} }
`,
    },
    abstract: { 'Store.save': ['Disk.save'] },
    called: { 'Disk.save': ['implements Store.save from Store.close, run, walk'], 'Other.save': [] },
  },
  ruby: {
    sources: {
      'store.rb': `class Store
  def save(item)
    raise NotImplementedError
  end
  def flush
    save(nil)
  end
end
module Walk
  def each_twice
    each_item
  end
  def each_item
  end
end
`,
      'disk.rb': `require_relative 'store'
class Disk < Store
  include Walk
  def save(item)
    super
  end
  def each_item
  end
end
`,
    },
    abstract: { 'Store.save': ['Disk.save'] },
    called: {
      'Disk.save': ['overrides Store.save from Store.flush'],
      'Disk.each_item': ['implements Walk.each_item from Walk.each_twice'],
    },
  },
  'c++': {
    sources: {
      'store.hpp': `#pragma once
class Store {
 public:
  virtual ~Store() {}
  virtual void save(int item) = 0;
  void plain() { save(1); }
};
`,
      'disk.hpp': `#pragma once
#include "store.hpp"
class Disk : public Store {
 public:
  void save(int item) override;
  void plain();
};
`,
      'disk.cpp': `#include "disk.hpp"
void Disk::save(int item) {}
void Disk::plain() {}
`,
      'use.cpp': `#include "store.hpp"
void run(Store& store) { store.save(2); store.plain(); }
`,
    },
    abstract: { 'Store.save': ['Disk.save'], 'Store.plain': [] },
    called: { 'Disk.save': ['overrides Store.save from Store.plain, run'], 'Disk.plain': [] },
  },
};

describe.each(Object.entries(CASES))('%s', (_, { sources, abstract, called }) => {
  it('says what a call may end at, and by which members an implementation may be called', () =>
    withGraph(sources, (reader) => {
      for (const [symbol, found] of Object.entries(abstract))
        expect([symbol, ends(reader, symbol)]).toEqual([symbol, found]);
      for (const [symbol, found] of Object.entries(called))
        expect([symbol, asText(reader, symbol)]).toEqual([symbol, found]);
    }));
});

it('an impact lists what it reaches through other members apart, with the tests among it', () =>
  withGraph(
    {
      'store.ts': 'export interface Store { save(): void }\nexport function run(store: Store) { store.save() }\n',
      'disk.ts': `import type { Store } from './store.ts';\nexport class Disk implements Store { save() {} }\n`,
      'run.test.ts': `import { run } from './store.ts';\nfunction works() { run(null as never) }\nworks();\n`,
    },
    (reader) => {
      const answer = askGraph(reader, { action: 'impact', symbol: 'Disk.save', depth: 2 }, () => undefined);
      expect(answer).toMatchObject({
        levels: [],
        tests: { total: 0 },
        dispatched: { callers: { total: 2 }, tests: { items: [{ name: 'works' }] }, files: 2 },
      });
      const { callers } = impactModel(reader, reader.byKey('disk.ts#Disk.save') ?? -1);
      expect(callers).toMatchObject({ total: 0, dispatched: 1, items: [{ name: 'run', through: 'Store.save' }] });
    },
  ));

it('a lambda in a field stands in as the field', async () => {
  const sources = {
    'a/Op.java': 'package a;\npublic interface Op { Op NONE = t -> 0d; double run(double t); }\n',
    'a/Use.java': 'package a;\nclass Use { private final Op own = t -> 1d; Op make() { return t -> 2d; } }\n',
  };
  await withGraph(sources, (reader) =>
    expect(ends(reader, 'Op.run').toSorted()).toEqual(['Op.NONE', 'Use.make', 'Use.own']),
  );
});
