import { expect, it } from 'vitest';
import { openProject } from '../indexer/project.fixture.ts';
import { standardMethods } from '../languages/go/standard-methods.ts';
import { implementationsOf, standsFor } from './dispatch.ts';
import type { GraphReader } from './graph-reader.ts';
import { typesBelow } from './method-sets.ts';

const SOURCES = {
  'go.mod': 'module example.com/app\n',
  'a/a.go': `package a

type Item struct{}
type Same = Item
type Iter interface {
	Next(at, to int) (*Item, error)
	Each(func(one Item) error, ...interface{}) error
}
type Items struct{}

func (i *Items) Next(n int, m int) (one *Item, err error) { return nil, nil }
func (i *Items) Each(cb func(Same) error, rest ...any) error { return nil }
`,
  'b/b.go': `package b

import "example.com/app/a"

type Away struct{}

func (w *Away) Next(
	int,
	int,
) (*a.Item, error) {
	return nil, nil
}
func (w *Away) Each(cb func(a.Item) error, rest ...interface{}) error { return nil }

type Other struct{}
type Others struct{ a.Iter }

func (o *Others) Next(n int, m int) (*Other, error) { return nil, nil }

type Hides struct{ a.Iter }

func (h *Hides) Next(n int, m int) (*a.Item, error) { return nil, nil }
`,
};

const keys = (reader: GraphReader, ids: readonly number[]) => ids.map((id) => reader.symbol(id).key).sort();

it('a type implements an interface of Go by the types of its methods, whatever they are called', async () => {
  const project = openProject(SOURCES);
  try {
    await project.indexer().indexAll();
    const reader = project.graph();
    const id = (key: string) => reader.byKey(key) ?? -1;
    expect(keys(reader, implementationsOf(reader, id('a/a.go#Iter.Next')))).toEqual([
      'a/a.go#Items.Next',
      'b/b.go#Away.Next',
      'b/b.go#Hides.Next',
    ]);
    expect(keys(reader, implementationsOf(reader, id('a/a.go#Iter.Each')))).toEqual([
      'a/a.go#Items.Each',
      'b/b.go#Away.Each',
    ]);
    // It hides the method of the interface that is embedded, with another type.
    expect(standsFor(reader, id('b/b.go#Others.Next'))).toEqual([]);
    reader.close();
  } finally {
    project.close();
  }
});

const EMBEDDING = `package a

import (
	"io"
	"os"
	"sync"

	"example.com/lib"
)

type WriteSyncer interface {
	io.Writer
	Sync() error
}
type Sink interface {
	WriteSyncer
	io.Closer
}
type Failure interface {
	error
	Code() int
}
type Unknown interface {
	lib.Thing
	Sync() error
}
type Closing interface{ io.Closer }

type Core struct{}

func (c *Core) Write(entry string, fields []int) error { return nil }
func (c *Core) Sync() error { return nil }

type Full struct{}

func (f *Full) Write(p []byte) (int, error) { return 0, nil }
func (f *Full) Sync() error { return nil }

type Wrapped struct{ io.Writer }

func (w Wrapped) Sync() error { return nil }

type Locked struct {
	sync.Mutex
	ws WriteSyncer
}

func (l *Locked) Sync() error { return nil }

type Filed struct{ *os.File }

func (f Filed) Sync() error { return nil }

type Libs struct{ *lib.Buffer }

func (l Libs) Sync() error { return nil }

type Around struct{ WriteSyncer }

func (a Around) Sync() error { return nil }
func (a Around) Close() error { return nil }

type Failed struct{ error }

func (f Failed) Code() int { return 1 }

type Fine struct{}

func (f Fine) Code() int { return 1 }
`;

it('what an interface of Go embeds from a library is asked for as well, where it is known', async () => {
  const project = openProject({ 'go.mod': 'module example.com/app\n', 'a/a.go': EMBEDDING });
  try {
    await project.indexer().indexAll();
    const reader = project.graph();
    const id = (key: string) => reader.byKey(`a/a.go#${key}`) ?? -1;
    const below = (key: string) => keys(reader, implementationsOf(reader, id(key))).map((each) => each.slice(7));
    const types = (key: string) => keys(reader, typesBelow(reader, id(key))).map((each) => each.slice(7));
    // `Core` writes something else, `Locked` nothing; what a library's buffer has is not known.
    expect(below('WriteSyncer.Sync')).toEqual(['Around.Sync', 'Filed.Sync', 'Full.Sync', 'Libs.Sync', 'Wrapped.Sync']);
    expect(types('Sink')).toEqual(['Around', 'Filed', 'Libs']);
    expect(below('Failure.Code')).toEqual(['Failed.Code']);
    expect(below('Unknown.Sync')).toHaveLength(7);
    // It has no methods of its own that could be looked for.
    expect(types('Closing')).toEqual(['Around']);
    expect(standsFor(reader, id('Core.Sync')).map((each) => reader.symbol(each).key)).toEqual(['a/a.go#Unknown.Sync']);
    expect(reader.symbol(id('WriteSyncer')).signature).toBe('type WriteSyncer interface { io.Writer; … }');
    expect(reader.symbol(id('Closing')).signature).toBe('type Closing interface { io.Closer }');
    reader.close();
  } finally {
    project.close();
  }
});

it('knows the methods of standard types by what is embedded in them', () => {
  const names = (type: string) => [...(standardMethods(type)?.keys() ?? [])].sort();
  expect(names('io.ReadWriteCloser')).toEqual(
    [...names('io.Reader'), ...names('io.Writer'), ...names('io.Closer')].sort(),
  );
  expect(standardMethods('io.Writer')?.get('Write')).toBe('([]byte) (int, error)');
  expect(names('sync.Mutex')).toEqual(['Lock', 'TryLock', 'Unlock']);
  expect(standardMethods('lib.Writer')).toBeUndefined();
});
