import type { LanguageDescriptor } from '../descriptor.ts';

export const python: LanguageDescriptor = {
  name: 'python',
  code: 2,
  endings: '.py .pyi .pyw',
  programs: 'python pypy',
  manifests: 'pyproject.toml setup.cfg',
  overloadsAreOne: true,
  stubs: /\.pyi$/,
  methodSets: { contract: /^class \w+(?:\[[^\]]*\])?\(.*\bProtocol\b/ },
  tests: /(?:^|\/)(?:tests?\/|test_[^/]*$|[^/]*_test\.\w+$|conftest\.py$|tests\.py$)/,
  testText: /^(?:import|from)\s+(?:pytest|unittest)\b[^]*^\s*(?:async )?def test_/m,
};
