export const SAMPLES = {
  java: 'package a.b;\nimport c.D;\n/** ü */\n@X class E<T> extends F implements G { int x = 1; E(int y) { this.h(y).i(); } }\nclass {\n',
} as const;
