import type { LanguageDescriptor } from '../descriptor.ts';

export const go: LanguageDescriptor = {
  name: 'go',
  code: 4,
  endings: '.go',
  manifests: 'go.mod go.work',
  tests: /_test\.go$/,
  packageIsDirectory: true,
  receiver: /^func \(\s*(?:\w+\s+)?\*?\s*(\w+)/,
};
