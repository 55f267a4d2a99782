import { readFileSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

export default defineConfig({
  define: {
    __FAIRLEAD_VERSION__: JSON.stringify(version),
    __FAIRLEAD_BUILD__: JSON.stringify('source'),
    __FAIRLEAD_STAMP__: JSON.stringify('0.0.0+0.source'),
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/e2e/**'],
    globalSetup: ['scripts/vitest-setup.mjs'],
    environment: 'node',
    testTimeout: 30_000,
  },
});
