import { describe, expect, test } from 'vitest';
import { readShell } from '../shell/read.ts';
import { effectsOfReading } from './effects.ts';
import { SURROUNDINGS } from './scene.fixture.ts';

const effectsOf = (text: string) => effectsOfReading(readShell(text, SURROUNDINGS), SURROUNDINGS);

describe('the effects of one text', () => {
  test.each([
    ['fd -t f -x rm', { scope: 'workspace', recursive: true }],
    ['fd . ~ | xargs rm', { scope: 'home', recursive: true }],
    ['fd -e pyc -x rm', { scope: 'made' }],
    ['fd old src -X rm', { scope: 'inside', target: 'src/*old*' }],
    ['find ~ -type f -exec shred {} \\;', { scope: 'home', recursive: true }],
    ['pwsh -c "Get-ChildItem ~ | Remove-Item -Recurse"', { scope: 'home', recursive: true }],
    ['find ~ | parallel rm', { scope: 'home', recursive: true }],
    ['docker run -v /:/h alpine chroot /h rm -rf /', { scope: 'root', recursive: true }],
    ['docker run -v ~:/h alpine rm -rf /h', { scope: 'home', recursive: true }],
  ])('%s deletes what was looked for', (text, about) => {
    expect(effectsOf(text).filter(({ kind }) => kind !== 'system')).toMatchObject([{ kind: 'delete', ...about }]);
  });

  test.each([
    ['docker exec c git push -f origin main', 'docker exec'],
    ["docker exec -it c sh -c 'rm -rf / && git push -f origin main'", 'docker exec'],
    ['docker compose exec web git push -f origin main', 'docker exec'],
    ['kubectl exec pod -- git push -f origin main', 'kubectl exec'],
    ['ssh host git push -f origin main', 'ssh'],
  ])('%s forces a branch that is not only there', (text, road) => {
    expect(effectsOf(text)).toMatchObject([{ kind: 'force-push', branch: 'main', road: [road] }]);
  });

  test.each(['docker exec c git reset --hard', 'docker exec c git branch -D x', 'kubectl exec pod -- rm -rf /'])(
    '%s changes nothing here',
    (text) => {
      expect(effectsOf(text)).toEqual([]);
    },
  );

  test('say when code is too deep', () => {
    expect(effectsOf(`perl -e 'unlink ${'('.repeat(2_900)}'`)).toContainEqual(
      expect.objectContaining({ kind: 'unknown', how: 'too-long' }),
    );
  });

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
