import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from './world.fixture.ts';

const THING = 'class Thing { use() {} }\n';

describe('what a place expects', () => {
  it.each<[string, string, string]>([
    [
      'the type of the variable decides what a call is made for',
      `${THING}interface Maker<T> { make(): T }
       declare function maker<T>(name: string, fill: (one: T) => void): Maker<T>;
       const things: Maker<Thing> = maker('thing', (one) => { one.use(); });`,
      'things -> a.ts#Thing.use receiver',
    ],
    [
      'so does the type that a function returns',
      `${THING}interface Maker<T> { make(): T }
       declare function maker<T>(fill: (one: T) => void): Maker<T>;
       function things(): Maker<Thing> { return maker((one) => { one.use(); }); }`,
      'things -> a.ts#Thing.use receiver',
    ],
    [
      'what an argument says counts before it',
      `${THING}class Other { use() {} }
       interface Maker<T> { make(): T }
       declare function maker<T>(given: T, fill: (one: T) => void): Maker<T>;
       const things: Maker<Other> = maker(new Thing(), (one) => { one.use(); });`,
      'things -> a.ts#Thing.use receiver',
    ],
    [
      'a cast',
      `${THING}type Step = [name: string, run: (one: Thing) => void];
       const steps = new Map([['first', (one) => { one.use(); }]] as Step[]);`,
      'steps -> a.ts#Thing.use receiver',
    ],
    [
      'a list that is filled later',
      `${THING}function all() { const found = []; found.push(new Thing()); return found; }
       for (const one of all()) one.use();`,
      '. -> a.ts#Thing.use return',
    ],
    [
      'a chain of twelve calls',
      `class Chain { next(): Chain { return this; }\n end() {} }
       new Chain()${'.next()'.repeat(10)}.end();`,
      '. -> a.ts#Chain.end return',
    ],
    [
      'what this is declared to be in the methods of an object',
      `${THING}declare function fill<T>(type: new () => T, parts: Partial<Record<string, (n: number) => void>> & ThisType<T>): void;
       fill(Thing, { run(n) { this.use(); } });`,
      '. -> a.ts#Thing.use class',
    ],
    [
      'this in the method of an object is the object, not the class around it',
      `${THING}interface Handler { handle(n: number): void; stop(): void }
       declare function listen(handler: Handler): void;
       class Owner { stop() {}\n start() { listen({ handle(n) { this.stop(); }, stop() {} }); } }`,
      'Owner.start -> a.ts#Handler.stop class',
    ],
    [
      'a cast of what is called',
      `import * as checks from './b.ts';
       (checks.run as any)(1);`,
      '. -> b.ts#run import',
    ],
  ])('%s', async (_, text, edge) => {
    const world = await worldOf({ 'a.ts': text, 'b.ts': 'export function run(n: number) {}' });
    expect(callsOf(world, 'a.ts')).toContain(edge);
  });
});
