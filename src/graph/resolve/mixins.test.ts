import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from './world.fixture.ts';

const MAKER = 'type Maker<T> = new (...args: any[]) => T;\n';
const BASE = 'class Base { save() {}\n static open() {} }\n';

describe('classes that functions make', () => {
  it.each<[string, string, string]>([
    [
      'a member of the base that is given',
      `${MAKER}${BASE}interface Named { label(): string }
       function Naming<T extends Maker<object>>(Over: T): Maker<Named> & T { return class extends Over { label() {} }; }
       class Item extends Naming<Maker<Base>>(Base) { go() { this.save(); } }`,
      'Item.go -> a.ts#Base.save class',
    ],
    [
      'a member that the declared result has',
      `${MAKER}${BASE}interface Named { label(): string }
       function Naming<T extends Maker<object>>(Over: T): Maker<Named> & T { return class extends Over { label() {} }; }
       class Item extends Naming(Base) { go() { this.label(); } }`,
      'Item.go -> a.ts#Named.label class',
    ],
    [
      'without a declared result',
      `${MAKER}${BASE}function Naming<T extends Maker<object>>(Over: T) { return class extends Over { label() {} }; }
       class Item extends Naming(Base) {}
       new Item().label();`,
      '. -> a.ts#Naming.class.label receiver',
    ],
    [
      'the base behind a result that is not declared',
      `${MAKER}${BASE}function Naming<T extends Maker<object>>(Over: T) { return class extends Over { label() {} }; }
       class Item extends Naming(Base) {}
       new Item().save();`,
      '. -> a.ts#Base.save receiver',
    ],
    [
      'one around another',
      `${MAKER}${BASE}function Naming<T extends Maker<object>>(Over: T) { return class extends Over { label() {} }; }
       function Keeping<T extends Maker<object>>(Over: T) { return class extends Over { keep() {} }; }
       class Item extends Keeping(Naming(Base)) { go() { this.label(); this.save(); } }`,
      'Item.go -> a.ts#Base.save class',
    ],
    [
      'what is static',
      `${MAKER}${BASE}function Naming<T extends Maker<object>>(Over: T) { return class extends Over {}; }
       class Item extends Naming(Base) {}
       Item.open();`,
      '. -> a.ts#Base.open receiver',
    ],
    [
      'super',
      `${MAKER}${BASE}function Naming<T extends Maker<Base>>(Over: T): Maker<{ label(): string }> & T { return class extends Over {}; }
       class Item extends Naming(Base) { save() { super.save(); } }`,
      'Item.save -> a.ts#Base.save class',
    ],
    [
      'type parameters of what one part has, where another part leaves them open',
      `${MAKER}class Box<T> { get one(): T { return this.inner; }\n inner: T }
       class Thing { use() {} }
       interface Open extends Box<any> {}
       class Full extends Box<Thing> {}
       function Naming<T extends Maker<object>>(Over: T): Maker<Open> & T { return class extends Over {}; }
       class Item extends Naming(Full) { go() { this.one.use(); } }`,
      'Item.go -> a.ts#Thing.use receiver',
    ],
  ])('%s', async (_, text, edge) => {
    expect(callsOf(await worldOf({ 'a.ts': text }), 'a.ts')).toContain(edge);
  });
});
