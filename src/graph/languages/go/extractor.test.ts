import { beforeAll, describe, expect, it } from 'vitest';
import { callsOf, linksOf, showEdge, worldOf } from '../../resolve/world.fixture.ts';
import { createExtractor } from './extractor.ts';
import type { Extractor } from '../language.ts';
import { damagedTexts, extract, showFacts } from '../extracted.fixture.ts';
import { show } from '../shown.fixture.ts';

const SOURCE = `package shop

import (
	"fmt"
	m "example.com/shop/model"
	. "example.com/shop/text"
	_ "embed"
)

// Cart holds what is bought.
// It is not safe for two.
type Cart[T m.Thing] struct {
	m.Base
	items []T
	byID  map[string]*m.Item
}

func (c *Cart[T]) Add(things ...T) (n int, err error) {
	count := func(t T) int { return t.Size().Units() }
	for _, thing := range things {
		n += count(thing)
	}
	c.byID["a"].Price.Add(1).String()
	return fmt.Println(c.Base.Name(), New[T]())
}

func New[T m.Thing]() *Cart[T] { return &Cart[T]{items: make([]T, 0)} }

type Sizer interface {
	m.Sizer
	Size() int
}

const Most, least = 9, 1
`;

describe('facts of Go', () => {
  let go: Extractor;
  beforeAll(async () => {
    go = await createExtractor();
  });

  it('finds definitions, imports and calls with their places', () => {
    expect(showFacts(go, 'go', SOURCE)).toEqual({
      definitions: [
        'Cart struct 12:6',
        'Cart.Base field 13:4',
        'Cart.items field 14:2',
        'Cart.byID field 15:2',
        'Cart.Add method 18:19',
        'Cart.Add.count function 19:2',
        'New function 27:6',
        'Sizer interface 29:6',
        'Sizer.Size method 31:2',
        'Most constant 34:7',
        'least constant 34:13',
      ],
      imports: [
        'fmt = fmt * 4:2',
        'm = example.com/shop/model * 5:2',
        '* = example.com/shop/text * 6:2',
        ' = embed * 7:2',
      ],
      calls: [
        'Cart.Add.count: t.Size 19:36',
        'Cart.Add.count: t.Size().Units 19:43',
        'Cart.Add: count 21:8',
        'Cart.Add: element(this.byID).Price.Add 23:20',
        'Cart.Add: element(this.byID).Price.Add(<int>).String 23:27',
        'Cart.Add: fmt.Println 24:13',
        'Cart.Add: this.Base.Name 24:28',
        'Cart.Add: New 24:36',
        'New: new Cart 27:42',
        'New: make 27:57',
      ],
    });
  });

  it('says what is exported, documented and embedded', () => {
    const { definitions, package: name } = extract(go, 'go', SOURCE);
    const [cart] = definitions;
    expect(name).toBe('shop');
    expect(cart).toMatchObject({
      exported: true,
      doc: 'Cart holds what is bought.',
      signature: 'type Cart[T m.Thing] struct',
    });
    expect(cart?.bases.map(({ how, type }) => `${how} ${show(type)}`)).toEqual(['embeds m.Base']);
    const add = definitions.find((definition) => definition.name === 'Add');
    expect(add?.bases.map(({ how, type }) => `${how} ${show(type)}`)).toEqual(['adds Cart<T>']);
    expect(add?.type && show(add.type)).toBe('[int, error]');
    expect(add?.parameters).toMatchObject([{ name: 'things', rest: true }]);
    expect(definitions.find((definition) => definition.name === 'least')).toMatchObject({
      exported: false,
      visibility: 'private',
    });
  });

  it.each([
    ['a, err := open()', 'err', 'open()[1]'],
    ['v, ok := table[k]', 'v', 'element(table)'],
    ['v, ok := x.(*Item)', 'v', 'as Item'],
    ['for k, v := range rows() {}', 'v', 'each(rows())[1]'],
    ['v := <-results', 'v', 'each(results)[0]'],
    ['p := new(Item)', 'p', 'as Item'],
    ['l := append(list, x)', 'l', 'list'],
    ['d := 2 * limit', 'd', 'limit'],
    ['f := (*Item)(nil)', 'f', 'as Item'],
  ])('%s', (statement, name, value) => {
    const { bindings } = extract(go, 'go', `package a\nfunc f() {\n\t${statement}\n}\n`);
    const binding = bindings.find((one) => one.name === name);
    expect(binding?.value && show(binding.value)).toBe(value);
  });

  it('binds the name of a type switch anew in each case', () => {
    const text =
      'package a\nfunc f(x any) {\n\tswitch y := x.(type) {\n\tcase *Item:\n\t\ty.A()\n\tcase B, C:\n\t\ty.D()\n\t}\n}\n';
    const shown = extract(go, 'go', text)
      .bindings.filter(({ name }) => name === 'y')
      .map(({ type, value }) => [type && show(type), value && show(value)]);
    expect(shown).toEqual([
      ['Item', undefined],
      [undefined, 'x'],
    ]);
  });

  it('keeps the key of a method whose type is in another file, or stands below it', () => {
    const { definitions } = showFacts(
      go,
      'go',
      'package a\nfunc (i Item) A() {}\nfunc (o Other) A() {}\ntype Item struct{}\n',
    );
    expect(definitions).toEqual(['Item struct 4:6', 'Item.A method 2:15', 'Other.A method 3:16']);
  });

  it('leads to a method of the same package in another file', async () => {
    const world = await worldOf({
      'go.mod': 'module example.com/shop\n',
      'a/one.go': 'package a\n\ntype T struct{}\n\nfunc run(t *T) { t.Save(); helper() }\n',
      'a/two.go': 'package a\n\nfunc (t *T) Save() {}\nfunc helper() {}\n',
      'b/b.go': 'package b\n\nimport "example.com/shop/a"\n\nfunc (t *U) Save() {}\nfunc use() { a.Run() }\n',
    });
    expect(callsOf(world, 'a/one.go')).toEqual(['run -> a/two.go#T.Save receiver', 'run -> a/two.go#helper import']);
  });

  it('leads to the field whose function is called, and not from a call of an element', async () => {
    const world = await worldOf({
      'go.mod': 'module example.com/shop\n',
      'a/a.go': `package a

type Server struct {
	handle func(int)
	steps  []func(int)
}

var table []func(int)

func each[T any](of T) {}

func (s *Server) run(i int, later []func(int)) {
	s.handle(i)
	s.steps[i](i)
	table[i](i)
	later[i](i)
	each[int](i)
}
`,
    });
    expect(callsOf(world, 'a/a.go')).toEqual([
      'Server.run -> a/a.go#Server.handle class',
      'Server.run -> a/a.go#each scope',
    ]);
  });

  it('knows a method of a part that is handed on as a value', async () => {
    const world = await worldOf({
      'go.mod': 'module example.com/shop\n',
      'a/a.go': `package a

type Keeper interface{ Archive(path string) error }

type folder struct{ keeper Keeper }

func inside(do func(string) error, path string) error { return do(path) }

func (f *folder) remove(path string) error { return inside(f.keeper.Archive, path) }
`,
    });
    const edges = linksOf(world, 'a/a.go').edges.map((edge) => showEdge(world, 'a/a.go', edge));
    expect(edges).toContain('folder.remove references a/a.go#Keeper.Archive receiver');
  });

  it('finds what stands before and after damage', () => {
    const { definitions, damaged } = extract(
      go,
      'go',
      'package a\nfunc one() {}\nfunc two( {\n}\nfunc three() { one() }\n',
    );
    expect(damaged).toBe(true);
    expect(definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['one', 'three']));
  });

  it('survives every beginning of a file, and gaps in it', () => {
    for (const text of damagedTexts(SOURCE)) expect(() => extract(go, 'go', text)).not.toThrow();
  });

  it('survives deep nesting', () => {
    const deep = `package a\nvar x = ${'('.repeat(3000)}1${')'.repeat(3000)}\nfunc f() { a${'.b()'.repeat(3000)} }\n`;
    expect(extract(go, 'go', deep).references.length).toBeGreaterThan(2999);
  });
});
