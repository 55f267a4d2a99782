import type { LanguageDescriptor } from '../descriptor.ts';

const tests = /(?:^|\/)(?:(?:unit)?tests?\/|test[_-][^/]*$|[^/]*[_-](?:unit)?tests?\.\w+$)/i;

/** These only C++ has. */
const CPP =
  /^[ \t]*(?:template[ \t]*<|(?:inline[ \t]+)?namespace(?:[ \t]+[\w:]+)?\s*\{|class[ \t]+[^\n;{}()]*\s*[{;]|(?:public|private|protected)[ \t]*:|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[=;]|#[ \t]*include[ \t]*<(?:string|vector|map|memory|iostream|functional|utility|algorithm|c(?:std)?(?:io|lib|int|ddef|def|string))>)/m;

export const c: LanguageDescriptor = {
  name: 'c',
  code: 7,
  endings: '.c .h',
  byText: { ending: '.h', text: CPP, language: 'cpp' },
  tests,
  declaresApart: true,
  variants: { in: 'file' },
};

/** `.C` and `.H` are C++ by custom. */
export const cpp: LanguageDescriptor = {
  name: 'cpp',
  code: 8,
  family: 'c',
  endings: '.cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ipp .tpp .inl .C .H',
  tests,
  declaresApart: true,
  variants: { in: 'file', bySignature: true },
};
