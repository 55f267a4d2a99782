import type { LanguageDescriptor } from '../descriptor.ts';

const tests =
  /(?:^|\/)(?:__tests__|__mocks__|tests?|specs?|e2e|cypress)\/|[.-](?:test|spec|e2e|cy|test-d|stories)\.[cm]?[jt]sx?$/;

const testText =
  /\b(?:from|require\()\s*['"](?:node:test|test|vitest|@jest\/globals|bun:test|ava|tap|tape|uvu|mocha|chai|@playwright\/test)['"][^]*^\s*(?:await )?(?:test|it|describe|suite|t\.test)(?:\.\w+)*\(/m;

export const typescript: LanguageDescriptor = {
  name: 'typescript',
  code: 0,
  endings: '.ts .tsx .mts .cts',
  programs: 'bun deno',
  manifests: 'package.json jsconfig.json pnpm-workspace.yaml',
  // Also `tsconfig.base.json`, which others extend.
  manifestPattern: /^tsconfig([.-][\w.-]+)?\.json$/,
  tests,
  stubs: /\.d\.[cm]?ts$/,
  testText,
  overloadsAreOne: true,
  getter: /\bget\s+[\w$#]+\(/,
};

export const javascript: LanguageDescriptor = {
  name: 'javascript',
  code: 1,
  family: 'typescript',
  endings: '.js .jsx .mjs .cjs',
  programs: 'node',
  tests,
  testText,
  overloadsAreOne: true,
  getter: /\bget\s+[\w$#]+\(/,
};
