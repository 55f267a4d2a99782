import { describe, expect, it } from 'vitest';
import { languageOf } from '../walk/known-languages.ts';
import { createParser } from '../parse/parse-file.ts';
import { keysOf } from '../model/facts.ts';
import { callsOf, worldOfFacts } from '../resolve/world.fixture.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'a.go':
    'package a\n\nfunc before() {\n\thelper()\n}\n\nfunc helper() {}\n\nfunc broken(a int) {\n\t@\n}\n\nfunc after() {\n\thelper()\n}\n\ntype T struct {\n\ta int\n}\n\nfunc (t *T) m() {\n\thelper()\n}\n',
  'a.rs':
    'fn before() {\n    helper();\n}\n\nfn helper() {}\n\nfn broken(a: u32) {\n    @\n}\n\nfn after() {\n    helper();\n}\n\nstruct T {\n    a: u32,\n}\n\nimpl T {\n    fn m(&self) {\n        helper();\n    }\n}\n',
  'A.java':
    'class A {\n  void before() {\n    helper();\n  }\n\n  void helper() {}\n\n  void broken(int a) {\n    @\n  }\n\n  void after() {\n    helper();\n  }\n\n  class T {\n    int a;\n    void m() {\n      helper();\n    }\n  }\n}\n',
  'a.c':
    'void helper(void) {}\n\nvoid before(void) {\n  helper();\n}\n\nvoid broken(int a) {\n  @\n}\n\nvoid after(void) {\n  helper();\n}\n\nstruct T {\n  int a;\n};\n\nvoid m(struct T *t) {\n  helper();\n}\n',
  'a.cpp':
    'void helper() {}\n\nvoid before() {\n  helper();\n}\n\nvoid broken(int a) {\n  @\n}\n\nvoid after() {\n  helper();\n}\n\nclass T {\n public:\n  int a;\n  void m() {\n    helper();\n  }\n};\n',
  'a.rb':
    'def helper\nend\n\ndef before\n  helper\nend\n\ndef broken(a)\n  @\nend\n\ndef after\n  helper\nend\n\nclass T\n  def m\n    helper\n  end\nend\n',
};

/** What a text looks like while it is being written. */
const DAMAGES = ['helper(', 'helper(a, ', 'return helper(foo(', 'x = [1, 2'];
const BRACES = ['a.', 'if (a) {', 'x = "open', 'helper(); }', '/* open'];

async function read(
  path: string,
  text: string,
): Promise<{ readonly keys: readonly string[]; readonly calls: string[] }> {
  const language = languageOf(path);
  if (language === undefined || language === 'unclear') throw new Error(path);
  const facts = await createParser({ budgetMs: 60_000 }).parse(path, language, new TextEncoder().encode(text));
  const calls = callsOf(worldOfFacts([facts]), path).filter((call) => !/^(A\.)?broken /.test(call));
  return { keys: keysOf(facts).toSorted(), calls: calls.toSorted() };
}

describe('definitions and calls before and after damage', () => {
  for (const [path, source] of Object.entries(SOURCES)) {
    const damages = path === 'a.rb' ? DAMAGES : [...DAMAGES, ...BRACES];
    it.each(damages)(`stay in ${path} at %s`, async (damage) => {
      const whole = await read(path, source.replace('@', ''));
      const damaged = await read(path, source.replace('@', damage));
      expect(damaged).toEqual(whole);
    });
  }

  it('stay where a function is never closed', async () => {
    for (const [path, source] of Object.entries(SOURCES)) {
      if (path === 'a.rb') continue;
      const whole = await read(path, source.replace('@', ''));
      const damaged = await read(path, source.replace(/@\n *\}/, 'helper(a);'));
      expect([path, damaged]).toEqual([path, whole]);
    }
  });
});
