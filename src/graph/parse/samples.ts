/** A little of each language, with a mistake at the end: what is read from memory must be the same as what the parser says of it. */
export const SAMPLES = {
  c: '#include <a.h>\n/* ü */ static int f(struct s *p, int n) { return p->x + g(n, "é"); }\nint (*h)(void) = f;\nint broken( {\n',
  cpp: 'namespace a { template <class T> struct B : C<T> { int f() const override { return this->g<int>(1); } }; }\n// ü\nclass {\n',
  go: 'package a\n\nimport b "c/d"\n\n// ü\ntype T struct{ *b.U; n int }\n\nfunc (t *T) F(x, y int) (z int, err error) { go t.G(x); return }\nfunc {\n',
  java: 'package a.b;\nimport c.D;\n/** ü */\n@X class E<T> extends F implements G { int x = 1; E(int y) { this.h(y).i(); } }\nclass {\n',
  python:
    'import a.b as c\n@d(1)\nasync def e(f: "g" = 1, *h, **i) -> j[k]:\n    # ü\n    return [m.n(o) for o in p if not q]\nclass r(s, t=u):\n  v = f"{w!r} é"\ndef (:\n',
  ruby: "require 'a'\n# ü\nmodule B\n  class C < D\n    def e(f = 1, *g, &h) = i.j(f) { |k| k&.l }\n    attr_reader :m\n  end\nend\ndef (\n",
  rust: 'use a::{b, c::*};\n/// ü\nimpl<T: D> E for F<T> { pub async fn g(&self, h: &str) -> Option<I> { self.j(h)?.k::<L>(); m!(n) } }\nfn {\n',
} as const;
