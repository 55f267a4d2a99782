import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countOf, SEED } from '../../../test/cases.ts';
import { judge } from '../../packs/guard.fixture.ts';
import { mayMatch } from './own-process.ts';

const ASKED = 'ask guard/self-protection';
const DENIED = 'deny guard/self-protection';

/** Patterns of command lines, and whether the engine's is among what they find. */
const OURS = [
  'daemon.js',
  'node',
  '^node',
  'no[d]e',
  '(node|vite)',
  'vite|node',
  'node.*daemon',
  '[[:alpha:]]ode',
  '.',
];
const THEIRS = ['vite', 'vite.*3000', 'node server.js', 'node .*server\\.js', 'npm run dev', 'esbuild|vite', '^vite'];
const ENDS: readonly ((pattern: string) => string)[] = [
  (pattern) => `pkill -f '${pattern}'`,
  (pattern) => `pkill -9 -f '${pattern}'`,
  (pattern) => `kill $(pgrep -f '${pattern}')`,
  (pattern) => `P=$(pgrep -f '${pattern}'); kill -9 $P`,
  (pattern) => `pgrep -f '${pattern}' | xargs -r kill`,
  (pattern) => `ps aux | grep -E '${pattern}' | grep -v grep | awk '{print $2}' | xargs kill`,
  (pattern) => `kill $(ps -ef | egrep '${pattern}' | awk '{print $2}')`,
  (pattern) => `for p in $(pgrep -f '${pattern}'); do kill $p; done`,
  (pattern) => `grep zzz x; pgrep -f '${pattern}' | xargs kill`,
];

it('who ends processes by a pattern is asked where the engine is among them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ENDS),
      fc.constantFrom(...OURS),
      fc.constantFrom(...THEIRS),
      async (ends, ours, theirs) => {
        expect(await judge(ends(ours)), ends(ours)).toBe(ASKED);
        expect([ASKED, DENIED], ends(theirs)).not.toContain(await judge(ends(theirs)));
        expect(await judge(ends('fairlead'))).toBe(DENIED);
      },
    ),
    { numRuns: countOf(500), seed: SEED },
  );
});

it.each([
  ...['killall node', 'sudo killall -9 node', 'pkill node', 'pkill -x node', 'pkill -STOP node', 'kill $(pidof node)'],
  ...["killall -r 'no.*'", 'taskkill /IM node.exe /F', "ps -ef | awk '/daemon/ {print $2}' | xargs kill"],
])('by name: %s', async (command) => {
  expect(await judge(command)).toBe(ASKED);
});

it.each([
  ...['pkill -0 node', 'kill -0 $(pgrep node)', 'pgrep node', 'ps aux | grep node', 'kill $(lsof -t -i :3000)'],
  ...["lsof -i :3000 | grep node | awk '{print $2}' | xargs kill", 'kill $(cat server.pid)'],
  ...["ps aux | grep node | grep vite | awk '{print $2}' | xargs kill"],
])('others, or none: %s', async (command) => {
  expect(await judge(command)).toBe('pass');
});

it('a pattern takes no longer than a text of that length may', () => {
  const pattern = fc.array(fc.constantFrom('(a+)+', '.*', 'a*', '[^b]+', '(a|a)*', '$', '\\1', 'b'), { maxLength: 40 });
  fc.assert(
    fc.property(pattern, (parts) => {
      const startedAt = performance.now();
      mayMatch(parts.join(''), 'a'.repeat(1_000), false);
      expect(performance.now() - startedAt).toBeLessThan(500);
    }),
    { numRuns: countOf(2_000), seed: SEED },
  );
});
