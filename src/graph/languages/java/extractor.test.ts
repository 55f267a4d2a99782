import { beforeAll, describe, expect, it } from 'vitest';
import { callsOf, worldOf } from '../../resolve/world.fixture.ts';
import { damagedTexts, extract, showFacts } from '../extracted.fixture.ts';
import { show } from '../shown.fixture.ts';
import { createExtractor } from './extractor.ts';
import type { Extractor } from '../language.ts';

const SOURCE = `package com.acme.shop;

import com.acme.model.Item;
import com.acme.text.*;
import static com.acme.text.Texts.quote;
import static com.acme.text.Units.*;

/**
 * Holds what is bought.
 */
@Stored(by = "id")
public class Cart<T extends Item> extends Base<T> implements Sized, Comparable<Cart<T>> {
    private static final int MOST = limit();
    private final Map<String, T> items = new HashMap<>();

    @Inject
    protected Cart(String id, T... first) {
        super(id);
        for (T one : first) add(one).show();
    }

    public <R> Cart<T> add(T item) {
        class Counter {
            int next() { return size(); }
        }
        items.computeIfAbsent(item.id(), key -> item).price().format(quote(key()));
        new Thread(new Runnable() {
            @Override public void run() { Cart.this.save(); }
        }).start();
        items.values().forEach(this::log);
        return this;
    }

    enum Kind { BOOK, TOOL("t") { int rank() { return 2; } }; int rank() { return 1; } }

    record Pair(int a, String b) { Pair { check(a); } }

    @interface Note { String value() default ""; }
}
`;

describe('facts of Java', () => {
  let java: Extractor;
  beforeAll(async () => {
    java = await createExtractor();
  });

  it('finds definitions, imports and calls with their places', () => {
    expect(showFacts(java, 'java', SOURCE)).toEqual({
      definitions: [
        'Cart class 12:14',
        'Cart.MOST constant 13:30',
        'Cart.items field 14:34',
        'Cart.constructor method 17:15',
        'Cart.add method 22:24',
        'Cart.add.Counter class 23:15',
        'Cart.add.Counter.next method 24:17',
        'Cart.add.new Runnable class 27:24',
        'Cart.add.new Runnable.run method 28:35',
        'Cart.Kind enum 34:10',
        'Cart.Kind.BOOK constant 34:17',
        'Cart.Kind.TOOL constant 34:23',
        'Cart.Kind.TOOL.rank method 34:39',
        'Cart.Kind.rank method 34:67',
        'Cart.Pair class 36:12',
        'Cart.Pair.a field 36:21',
        'Cart.Pair.b field 36:31',
        'Cart.Pair.constructor method 36:36',
        'Cart.Note interface 38:16',
        'Cart.Note.value method 38:30',
      ],
      imports: [
        'Item = com.acme.model.Item Item 3:23',
        '* = com.acme.text * 4:17',
        'quote = com.acme.text.Texts quote 5:35',
        '* = com.acme.text.Units * 6:29',
      ],
      calls: [
        'Cart: limit 13:37',
        'Cart: new HashMap 14:46',
        'Cart.constructor: super.constructor 18:9',
        'Cart.constructor: add 19:29',
        'Cart.constructor: add(one).show 19:38',
        'Cart.add.Counter.next: size 24:33',
        'Cart.add: items.computeIfAbsent 26:15',
        'Cart.add: item.id 26:36',
        'Cart.add: items.computeIfAbsent(item.id(), (key) => item).price 26:55',
        'Cart.add: items.computeIfAbsent(item.id(), (key) => item).price().format 26:63',
        'Cart.add: quote 26:70',
        'Cart.add: key 26:76',
        'Cart.add: new Thread 27:13',
        'Cart.add: new Runnable 27:24',
        'Cart.add.new Runnable.run: as Cart.save 28:53',
        'Cart.add: new Thread(new Runnable()).start 29:12',
        'Cart.add: items.values 30:15',
        'Cart.add: items.values().forEach 30:24',
        'Cart.Pair.constructor: check 36:43',
      ],
    });
  });

  it('says what is exported, documented and extended', () => {
    const { definitions, references, package: name } = extract(java, 'java', SOURCE);
    const [cart] = definitions;
    expect(name).toBe('com.acme.shop');
    expect(cart).toMatchObject({ exported: true, doc: 'Holds what is bought.', start: SOURCE.indexOf('public class') });
    expect(cart?.bases.map(({ how, type }) => `${how} ${show(type)}`)).toEqual([
      'extends Base<T>',
      'implements Sized',
      'implements Comparable<Cart<T>>',
    ]);
    expect(definitions[3]).toMatchObject({ visibility: 'special', traits: ['constructor'] });
    expect(references.filter(({ kind }) => kind === 'decorator').map((one) => one.name)).toEqual(['Stored', 'Inject']);
    expect(references.some(({ kind, name: to }) => kind === 'reference' && to === 'log')).toBe(true);
  });

  it.each([
    ['var a = make(1);', 'a', 'make(<int>)'],
    ['for (var a : list) {}', 'a', 'each(list)'],
    ['list.forEach(a -> a.b());', 'a', 'parameter(expected(list.forEach((a) => a.b()), 0), 0)'],
    ['Function<A, B> f = a -> a.b();', 'a', 'parameter(as Function<A, B>, 0)'],
    ['var a = x ? b : c;', 'a', '(b | c)'],
    ['var a = (Item) b;', 'a', 'as Item'],
    ['var a = new int[3];', 'a', 'as []<int>'],
    ['var a = com.acme.Item.of(b);', 'a', 'com.acme.Item.of(b)'],
  ])('%s', (statement, name, value) => {
    const { bindings } = extract(java, 'java', `class A {\n    void f() {\n        ${statement}\n    }\n}\n`);
    const binding = bindings.find((one) => one.name === name);
    expect(binding?.value && show(binding.value)).toBe(value);
  });

  it('leads through imports to members of classes', async () => {
    const world = await worldOf({
      'src/main/java/com/acme/Item.java':
        'package com.acme;\npublic class Item extends Base {\n  int size;\n  int size() { return size; }\n  int size(int n) { return n; }\n}\n',
      'src/main/java/com/acme/Base.java':
        'package com.acme;\nclass Base { void touch() {} static Base of() { return null; } }\n',
      'src/main/java/com/acme/shop/Cart.java':
        'package com.acme.shop;\nimport com.acme.Item;\nimport static com.acme.Base.of;\nclass Cart {\n  void run(Item item) { item.size(2); item.touch(); of(); new Item(); }\n}\n',
    });
    const base = 'src/main/java/com/acme';
    expect(callsOf(world, `${base}/shop/Cart.java`)).toEqual([
      `Cart.run -> ${base}/Item.java#Item.size~3 receiver`,
      `Cart.run -> ${base}/Base.java#Base.touch receiver`,
      `Cart.run -> ${base}/Base.java#Base.of import`,
      `Cart.run -> ${base}/Item.java#Item import`,
    ]);
  });

  it('finds what stands before and after damage', () => {
    const { definitions, damaged } = extract(
      java,
      'java',
      'class A {\n  void one() {}\n  void two( {\n  }\n  void three() { one(); }\n}\n',
    );
    expect(damaged).toBe(true);
    expect(definitions.map(({ name }) => name)).toEqual(expect.arrayContaining(['A', 'one', 'three']));
  });

  it('survives every beginning of a file, and gaps in it', () => {
    for (const text of damagedTexts(SOURCE)) expect(() => extract(java, 'java', text)).not.toThrow();
  });

  it('survives deep nesting', () => {
    const deep = `class A { int x = ${'('.repeat(3000)}1${')'.repeat(3000)}; void f() { a${'.b()'.repeat(3000)}; } }\n`;
    expect(extract(java, 'java', deep).references.length).toBeGreaterThan(2999);
  });
});
