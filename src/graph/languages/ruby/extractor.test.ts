import { expect, test } from 'vitest';
import { show } from '../shown.fixture.ts';
import { shownFacts } from '../shown-facts.fixture.ts';

test('Ruby: classes, modules, methods, fields, requires and calls', async () => {
  const { definitions, imports, calls, others, facts } = await shownFacts(
    'lib/shop/box.rb',
    'ruby',
    `require 'json'
require_relative "../store"

module Shop
  # Holds one.
  class Box < Base::Thing
    include Comparable
    extend Registry
    attr_accessor :name, :size
    LIMIT = 3

    def initialize(name, size: 2, *rest, &block)
      @name = name
      @items = Items.new(1)
      super(name)
    end

    def self.create(*args) = build(*args)

    class << self
      def build; helper; end
    end

    def put(x)
      @items.each { |item| item.go(x).then { |y| y.run } }
      self.name.upcase
      made = Shop::Box.new
      made.put 3
      LIMIT
      Other::KIND
    end

    alias add put

    private

    def secret?; end
    def shared; end
    public :shared
    protected def near; end
  end

  Point = Struct.new(:x, :y) do
    def length; end
  end

  module Mixed
    def mix(a = default); end
  end
end

def top(a) a end
`,
  );
  expect(definitions).toEqual([
    '4:8 namespace Shop',
    '6:9 class Shop.Box, extends Base.Thing, embeds Comparable, embeds Registry',
    '9:20 field Shop.Box.name',
    '9:27 field Shop.Box.size',
    '10:5 constant Shop.Box.LIMIT',
    '12:9 method Shop.Box.initialize, constructor, special',
    '13:7 field Shop.Box.@name, private',
    '14:7 field Shop.Box.@items, private',
    '18:14 method Shop.Box.create, static',
    '21:11 method Shop.Box.build, static',
    '24:9 method Shop.Box.put',
    '33:11 method Shop.Box.add',
    '37:9 method Shop.Box.secret?, private',
    '38:9 method Shop.Box.shared',
    '40:19 method Shop.Box.near, private',
    '43:3 class Shop.Point',
    '43:23 field Shop.Point.x',
    '43:27 field Shop.Point.y',
    '44:9 method Shop.Point.length',
    '47:10 trait Shop.Mixed',
    '48:9 method Shop.Mixed.mix',
    '52:5 function top',
  ]);
  expect(imports).toEqual(['1:1 * of json', '2:1 * of ../store']);
  expect(calls).toEqual([
    '14:16 new Items/1 in Shop.Box.initialize',
    '15:7 call super.initialize/1 in Shop.Box.initialize',
    '18:30 call build in Shop.Box.create',
    '21:18 call helper/0 in Shop.Box.build',
    '25:14 call this.@items.each/0 in Shop.Box.put',
    '25:33 call item.go/1 in Shop.Box.put',
    '25:39 call item.go().then/0 in Shop.Box.put',
    '25:52 call y.run/0 in Shop.Box.put',
    '26:12 call this.name/0 in Shop.Box.put',
    '26:17 call this.name().upcase/0 in Shop.Box.put',
    '27:20 new Shop.Box/0 in Shop.Box.put',
    '28:12 call made.put/1 in Shop.Box.put',
    '43:11 new Struct/2 in Shop.Point',
    '48:17 call default/0 in Shop.Mixed.mix',
  ]);
  expect(others).toEqual(['29:7 reference LIMIT in Shop.Box.put', '30:14 reference Other.KIND in Shop.Box.put']);
  expect(facts.definitions[1]).toMatchObject({ doc: 'Holds one.', signature: 'class Box < Base::Thing' });
  expect(facts.definitions[7]?.values.map(show)).toEqual(['new Items()']);
  expect(facts.bindings.find(({ name }) => name === 'made')?.value).toMatchObject({ is: 'new' });
});

test('a bare word is a call unless it is a variable', async () => {
  const { calls } = await shownFacts(
    'a.rb',
    'ruby',
    `def go(a, (b, c), d: fallback)
  e = a
  f, g = b, c
  begin; rescue Oops => h; end
  [a, b, c, d, e, f, g, h, unknown]
  list.each do |i, j = 1| i + j + other end
  case a
  in [k, *] then k
  end
end
`,
  );
  expect(calls.map((call) => call.split(' ').slice(2, 3).join())).toEqual([
    'fallback/0',
    'unknown/0',
    'list/0',
    'list.each/0',
    'other/0',
  ]);
});

test('damaged code keeps what is before and after', async () => {
  const { definitions, facts } = await shownFacts(
    'a.rb',
    'ruby',
    'def before; end\ndef broken(\nend\ndef after; go; end\n',
  );
  expect(facts.flags).toContain('damaged');
  expect(definitions).toContain('1:5 function before');
});
