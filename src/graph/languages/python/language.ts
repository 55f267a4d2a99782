import type { LanguageDescriptor } from '../descriptor.ts';

export const python: LanguageDescriptor = {
  name: 'python',
  code: 2,
  endings: '.py .pyi .pyw',
  programs: 'python pypy',
  manifests: 'pyproject.toml setup.cfg',
  tests: /(?:^|\/)(?:tests?\/|test_[^/]*$|[^/]*_test\.\w+$|conftest\.py$|tests\.py$)/,
};
