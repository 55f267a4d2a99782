import { beforeAll, describe, expect, it } from 'vitest';
import { callsOf, worldOf } from '../../resolve/world.fixture.ts';
import { damagedTexts, extract, showFacts } from '../extracted.fixture.ts';
import { show } from '../shown.fixture.ts';
import type { Extractor } from '../language.ts';
import { createExtractor } from './extractor.ts';

const SOURCE = `//! A shop.
use std::fmt;
use crate::model::{self, item::{Item, Kind as Sort}, text::*};
pub use super::price::Price;
mod cart;

/// Holds what is bought.
#[derive(Debug)]
pub struct Cart<T: Thing> {
    items: Vec<T>,
    pub(crate) total: Price,
}

pub enum Event {
    Added(Item),
    Moved { from: u32 },
    Cleared,
}

impl<T> Cart<T>
where
    T: Thing,
{
    pub fn new() -> Self {
        Self { items: Vec::new(), total: Price::zero() }
    }

    pub async fn add(&mut self, thing: T) -> Result<usize, Event> {
        fn units(n: usize) -> usize {
            n.max(1)
        }
        let size = thing.size().await?.units();
        println!("{}", self.total.show(units(size)));
        self.items.iter().map(|one| one.size()).sum::<usize>();
        model::item::check(&thing)
    }
}

pub trait Thing {
    fn size(&self) -> usize;
    fn label(&self) -> String {
        format!("{}", self.size())
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Added(item) => item.fmt(f),
            Self::Moved { from } => from.fmt(f),
            Event::Cleared => Ok(()),
        }
    }
}

macro_rules! shop {
    () => { Cart::new() };
}
`;

describe('facts of Rust', () => {
  let rust: Extractor;
  beforeAll(async () => {
    rust = await createExtractor();
  });

  it('finds definitions, imports and calls with their places', () => {
    expect(showFacts(rust, 'rust', SOURCE)).toEqual({
      definitions: [
        'Cart struct 9:12',
        'Cart.items field 10:5',
        'Cart.total field 11:16',
        'Event enum 14:10',
        'Event.Added constant 15:5',
        'Event.Moved constant 16:5',
        'Event.Moved.from field 16:13',
        'Event.Cleared constant 17:5',
        'Cart.new method 24:12',
        'Cart.add method 28:18',
        'Cart.add.units function 29:12',
        'Thing trait 39:11',
        'Thing.size method 40:8',
        'Thing.label method 41:8',
        'Event.fmt method 47:8',
        'shop! function 56:14',
      ],
      imports: [
        'fmt = std fmt 2:10',
        'model = crate model 3:20',
        'Item = crate::model::item Item 3:33',
        'Sort = crate::model::item Kind 3:47',
        '* = crate::model::text * 3:54',
        'Price = super::price Price 4:23',
        'cart = self::cart * 5:5',
      ],
      calls: [
        'Cart.new: new Cart 25:9',
        'Cart.new: Vec.new 25:28',
        'Cart.new: Price.zero 25:49',
        'Cart.add.units: n.max 30:15',
        'Cart.add: thing.size 32:26',
        'Cart.add: entered(await(thing.size())).units 32:40',
        'Cart.add: this.total.show 33:35',
        'Cart.add: units 33:40',
        'Cart.add: this.items.iter 34:20',
        'Cart.add: this.items.iter().map 34:27',
        'Cart.add: one.size 34:41',
        'Cart.add: this.items.iter().map((one) => one.size()).sum 34:49',
        'Cart.add: model.item.check 35:22',
        'Thing.label: this.size 42:28',
        'Event.fmt: item.fmt 49:40',
        'Event.fmt: from.fmt 50:42',
        'Event.fmt: Ok 51:31',
      ],
    });
  });

  it('says what is exported, documented and implemented', () => {
    const { definitions, exports } = extract(rust, 'rust', SOURCE);
    expect(exports).toMatchObject([{ name: 'Price', local: 'Price', module: 'super::price' }]);
    expect(definitions[0]).toMatchObject({
      exported: true,
      doc: 'Holds what is bought.',
      signature: 'pub struct Cart<T: Thing>',
    });
    const byName = (name: string) => definitions.find((definition) => definition.name === name);
    expect(byName('Event')?.bases.map(({ how, type }) => `${how} ${show(type)}`)).toEqual(['implements fmt.Display']);
    expect(byName('add')).toMatchObject({
      traits: ['async'],
      generics: [{ name: 'T', bound: { is: 'name', name: 'Thing' } }],
    });
    expect(byName('new')?.traits).toEqual(['static']);
    expect(byName('size')?.traits).toEqual(['declared']);
  });

  it.each([
    ['let (a, b) = pair();', 'b', 'pair()[1]'],
    ['let Some(a) = find() else { return };', 'a', 'entered(find())'],
    ['let Point { x, y: z } = p;', 'z', 'as Point.y'],
    ['if let Ok(a) = open() { a.b(); }', 'a', 'entered(open())'],
    ['for (i, a) in list.iter() {}', 'a', 'each(list.iter())[1]'],
    ['match e { Event::Added(a) => a, _ => b };', 'a', 'parameter(Event.Added, 0)'],
    ['let a = if x { b } else { c };', 'a', '(b | c)'],
    ['let a = &mut *b.c;', 'a', 'b.c'],
    ['let a = vec![1];', 'a', 'as Vec<unknown>'],
    ['list.each(|a| a.b());', 'a', 'parameter(expected(list.each((a) => a.b()), 0), 0)'],
    ['let a = std::fs::read(p)?;', 'a', 'entered(std::fs.read(p))'],
  ])('%s', (statement, name, value) => {
    const { bindings } = extract(rust, 'rust', `fn f() {\n    ${statement}\n}\n`);
    const binding = bindings.find((one) => one.name === name);
    expect(binding?.value && show(binding.value)).toBe(value);
  });

  it('sees paths of inline modules from the file', () => {
    const { imports } = showFacts(
      rust,
      'rust',
      'mod a {\n    use super::*;\n    mod b { use super::super::c::D; use super::e; use crate::f; }\n}\n',
    );
    expect(imports).toEqual(['* = self * 2:9', 'D = self::c D 3:34', 'e = self::a e 3:48', 'f = crate f 3:62']);
  });

  it('leads through a use tree and to an impl block', async () => {
    const world = await worldOf({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': 'pub mod model;\nmod cart;\n',
      'src/model.rs': 'pub mod item;\npub fn check() {}\n',
      'src/model/item.rs':
        'pub struct Item { pub size: Size }\npub struct Size;\nimpl Size { pub fn units(&self) -> usize { 1 } }\n',
      'src/cart.rs':
        'use crate::model::{self, item::{Item, Size as S}};\nimpl Item {\n    fn grow(&self) { self.size.units(); model::check(); }\n}\nfn run(item: Item) { item.grow(); S::units(&item.size); }\n',
    });
    expect(callsOf(world, 'src/cart.rs')).toEqual([
      'Item.grow -> src/model/item.rs#Size.units receiver',
      'Item.grow -> src/model.rs#check import',
      'run -> src/cart.rs#Item.grow receiver',
      'run -> src/model/item.rs#Size.units receiver',
    ]);
  });

  it('reads what implementations of a trait make, derived ones, and what a variable is set to later', async () => {
    const world = await worldOf({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': 'pub mod range;\nmod config;\nmod run;\n',
      'src/range.rs':
        'pub struct Range;\nimpl Range { pub fn check(&self) -> bool { true } fn all() -> Self { Range } }\nimpl Default for Range { fn default() -> Self { Self::all() } }\npub struct Marked(pub Range);\nimpl Default for Marked { fn default() -> Self { Marked(Range::all()) } }\n',
      'src/config.rs':
        'use crate::range::{Marked, Range};\n#[derive(Debug, Default)]\npub struct Config { pub lines: Range, pub marked: Marked }\n#[test]\nfn checks() {\n    assert_eq!(Range::default().check(), true);\n    assert!(Config::default().marked.0.check());\n}\n',
      'src/run.rs':
        'use crate::range::Range;\npub fn run() {\n    let mut range;\n    #[cfg(feature = "all")]\n    {\n        range = Range::default();\n    }\n    range.check();\n}\n',
    });
    expect(callsOf(world, 'src/config.rs').filter((call) => call.includes('check '))).toEqual([
      'checks -> src/range.rs#Range.check receiver',
      'checks -> src/range.rs#Range.check receiver',
    ]);
    expect(callsOf(world, 'src/run.rs')).toContain('run -> src/range.rs#Range.check receiver');
  });

  it('takes nothing below tests for a part of the library', async () => {
    const world = await worldOf({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': 'pub mod price;\n',
      'src/price.rs': 'pub fn round() {}\n',
      'tests/data/old.rs': 'use crate::price::round;\nfn run() { round(); }\n',
      'tests/shop.rs': 'use shop::price::round;\n#[test]\nfn rounds() { round(); }\n',
    });
    expect(callsOf(world, 'tests/data/old.rs')).toEqual([]);
    expect(callsOf(world, 'tests/shop.rs')).toEqual(['rounds -> src/price.rs#round import']);
  });

  it('marks what attributes say is there for tests', () => {
    const { definitions } = extract(
      rust,
      'rust',
      '#[cfg(test)]\nuse a::b;\nfn plain() {}\n#[test]\n// why\n#[ignore]\nfn one() {}\n#[tokio::test(flavor = "x")]\nasync fn two() {}\n#[cfg(all(test, unix))]\nmod checks { fn inner() {} }\n#[cfg(not(test))]\nfn real() {}\n#[attest]\nfn other() {}\n',
    );
    const marked = definitions.filter(({ traits }) => traits.includes('test')).map(({ name }) => name);
    expect(marked).toEqual(['one', 'two', 'checks']);
  });

  it('finds what stands before and after damage', () => {
    const { definitions, damaged } = extract(rust, 'rust', 'fn one() {}\nfn two( {\n}\nfn three() { one() }\n');
    expect(damaged).toBe(true);
    expect(definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['one', 'three']));
  });

  it('survives every beginning of a file, and gaps in it', () => {
    for (const text of damagedTexts(SOURCE)) expect(() => extract(rust, 'rust', text)).not.toThrow();
  });

  it('survives deep nesting', () => {
    const deep = `fn f() { ${'('.repeat(3000)}1${')'.repeat(3000)}; a${'.b()'.repeat(3000)}; }\n`;
    expect(extract(rust, 'rust', deep).references.length).toBeGreaterThan(2999);
  });
});
