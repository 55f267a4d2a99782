import { describe, expect, it } from 'vitest';
import { callsOf, worldOf } from './world.fixture.ts';

const BASE = `package app;
import java.io.File;
import java.io.Reader;
class Base {
  void put(Base one) {}
  void put(String text) {}
  void put(char c) {}
  void put(long n) {}
  void put(String[] all) {}
  void far(String text, int n) {}
  void far(String text) {}
  void sum(double[] all) {}
  void sum(float[] all) {}
  <T> void sum(T[] all) {}
  void read(File file) {}
  void read(Reader reader) {}
  void count(int n) {}
  void count(CharSequence text) {}
}
`;

/** What `use` calls in a class below, whose own overloads stand beside the inherited ones. */
async function called(statement: string): Promise<string[]> {
  const world = await worldOf({
    'app/Base.java': BASE,
    'app/Own.java': `package app;
import java.io.StringReader;
class Own extends Base {
  int far;
  void far() {}
  void use(Own own, String text, java.io.File file, Object some) { ${statement} }
}
`,
  });
  return callsOf(world, 'app/Own.java');
}

describe('overloads of Java', () => {
  it.each([
    ['own.put("a" + 1 + "b");', 'Base.put~2 receiver'],
    ['own.put(text);', 'Base.put~2 receiver'],
    ["own.put('c');", 'Base.put~3 receiver'],
    ['own.put(3);', 'Base.put~4 receiver'],
    ['own.put(3L);', 'Base.put~4 receiver'],
    ['own.put(own);', 'Base.put receiver'],
    ['own.put(this);', 'Base.put receiver'],
    ['own.put(text.split(","));', undefined],
    ['own.sum(new float[] { 1 });', 'Base.sum~2 receiver'],
    ['own.sum(new Float[] { 1f });', 'Base.sum~3 receiver'],
    ['own.read(new StringReader(text));', 'Base.read~2 receiver'],
    ['own.count(null);', 'Base.count~2 receiver'],
    // What a class has of that name does not hide what it inherits.
    ['far("x");', 'Base.far~2 import'],
    ['own.far(text, 1);', 'Base.far receiver'],
    ['own.far("x");', 'Base.far~2 receiver'],
  ])('%s', async (statement, target) => {
    const found = await called(statement);
    if (target === undefined) expect(found).toEqual([]);
    else expect(found).toEqual([`Own.use -> app/Base.java#${target}`]);
  });

  it('a class that adds an overload does not hide those of its base, and a field hides no method', async () => {
    expect(await called('own.far();')).toEqual(['Own.use -> app/Own.java#Own.far~2 receiver']);
  });

  it("a class of a package that nothing here belongs to is a library's, whoever owns both", async () => {
    const world = await worldOf({
      'org/acme/app/Own.java': `package org.acme.app;
import org.acme.core.Reply;
import org.acme.app.Made;
class Own {
  int status() { return 1; }
  void use(Reply reply, Made made) { reply.status(); made.status(); }
}
`,
    });
    // What lies beside the files of a package may be made by the build: its members may be any.
    expect(callsOf(world, 'org/acme/app/Own.java')).toEqual(['Own.use -> org/acme/app/Own.java#Own.status only']);
  });
});
