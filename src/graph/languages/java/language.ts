import type { LanguageDescriptor } from '../descriptor.ts';

export const java: LanguageDescriptor = {
  name: 'java',
  code: 6,
  endings: '.java',
  tests: /(?:^|\/)(?:src\/(?:\w*[tT]est|it)\/|tests?\/|Test[A-Z]\w*\.java$|\w*(?:Tests?|TestCase|IT)\.java$)/,
  testText: /^import\s+(?:static\s+)?org\.(?:junit|testng)\b[^]*@Test\b/m,
};
