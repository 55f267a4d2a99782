export const SAMPLES = {
  go: 'package a\n\nimport b "c/d"\n\n// ü\ntype T struct{ *b.U; n int }\n\nfunc (t *T) F(x, y int) (z int, err error) { go t.G(x); return }\nfunc {\n',
} as const;
