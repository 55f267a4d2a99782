import { expect, it } from 'vitest';
import { BUILT_IN } from './index.generated.ts';

const STOPPING = BUILT_IN.map(({ meta }) => meta)
  .filter(({ guard, mode }) => guard === true || mode === 'ask')
  .flatMap(({ id, messages }) =>
    Object.entries(messages).map(([variant, text]) => [`${id} ${variant}`, text] as const),
  );

it('there are texts that stop a call', () => {
  expect(STOPPING.length).toBeGreaterThan(20);
});

it.each(STOPPING)('says what first, in three lines at most: %s', (_, text) => {
  const [what = '', ...rest] = text.split('\n');
  expect(what).toMatch(/[.:]$/);
  expect(what).not.toMatch(/allow-once|^(?:Instead|Next|Say|Use)\b/);
  expect(rest.length).toBeLessThanOrEqual(2);
});
