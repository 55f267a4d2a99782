export const SAMPLES = {
  c: '#include <a.h>\n/* ü */ static int f(struct s *p, int n) { return p->x + g(n, "é"); }\nint (*h)(void) = f;\nint broken( {\n',
  cpp: 'namespace a { template <class T> struct B : C<T> { int f() const override { return this->g<int>(1); } }; }\n// ü\nclass {\n',
} as const;
