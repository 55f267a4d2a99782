import type { LanguageDescriptor } from '../descriptor.ts';

const tests =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|cypress)\/|[.-](?:test|spec|e2e|cy|test-d|stories)\.[cm]?[jt]sx?$/;

export const typescript: LanguageDescriptor = {
  name: 'typescript',
  code: 0,
  endings: '.ts .tsx .mts .cts',
  programs: 'bun deno',
  manifests: 'package.json jsconfig.json pnpm-workspace.yaml',
  // Also `tsconfig.base.json`, which others extend.
  manifestPattern: /^tsconfig([.-][\w.-]+)?\.json$/,
  tests,
  overloadsAreOne: true,
};

export const javascript: LanguageDescriptor = {
  name: 'javascript',
  code: 1,
  endings: '.js .jsx .mjs .cjs',
  programs: 'node',
  tests,
  overloadsAreOne: true,
};
