import type { LanguageDescriptor } from '../descriptor.ts';
import { haveSameTypes } from './method-types.ts';
import { embeddedTypes, standardMethods } from './standard-methods.ts';

export const go: LanguageDescriptor = {
  name: 'go',
  code: 4,
  endings: '.go',
  manifests: 'go.mod go.work',
  tests: /_test\.go$/,
  // What tests of several packages share, and what only a fuzzer builds.
  testText:
    /^\/\/(?:go:build|\s*\+build)[^\n]*(?<!!)\bgofuzz\b|^func (?:\([^)\n]*\) )?\w+\((?:[^()\n]*, )?\w+ (?:\*testing\.[TBFM]|testing\.TB)\b/m,
  packageIsDirectory: true,
  variants: { in: 'directory', repeated: /^(?:init|main|_)$/ },
  receiver: /^func \(\s*(?:\w+\s+)?\*?\s*(\w+)/,
  methodSets: {
    hidden: /^[^\p{Lu}]/u,
    haveSameTypes,
    embedded: embeddedTypes,
    outside: standardMethods,
    alias: /^type \w+ =/,
    generic: /^type \w+\[\w+ /,
  },
};
