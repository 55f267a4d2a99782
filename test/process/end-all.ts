import { afterAll, afterEach } from 'vitest';
import { afterEachFile, afterEachTest } from './endings.ts';

afterEach(async () => {
  for (const end of afterEachTest) await end();
});

afterAll(async () => {
  for (const end of afterEachFile) await end();
});
