import type { LanguageDescriptor } from '../descriptor.ts';

export const rust: LanguageDescriptor = {
  name: 'rust',
  code: 5,
  endings: '.rs',
  manifests: 'Cargo.toml',
  variants: { in: 'file', methods: /^pub\b/ },
  tests: /(?:^|\/)(?:tests\/|benches\/|tests?\.rs$|[^/]*_tests?\.rs$)/,
  testScope: /(?:^|\.)tests?\./,
};
