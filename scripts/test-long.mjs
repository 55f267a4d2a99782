// `npm run test:long [-- --minutes N] [--seed N] [PATH…]`: the property tests with all their cases, and the tests that
// count their own. With `--minutes` every property gets an equal share of the time and stops at its end. The seed is
// printed first: the same seed tries the same cases.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';

const HELP = `npm run test:long [-- --minutes N] [--seed N] [PATH…]

  --minutes N  stop each property at its share of this time; all cases are tried when absent
  --seed N     try the cases of an earlier run; a new seed when absent
  PATH…        only the tests whose path has one of these in it
`;

const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.help) process.stdout.write(HELP);
else process.exitCode = await main();

async function main() {
  const minutes = numberOf('minutes');
  const seed = numberOf('seed') ?? Math.floor(Math.random() * 2 ** 31);
  if (Number.isNaN(minutes) || Number.isNaN(seed)) {
    process.stderr.write(`--minutes and --seed take a number\n\n${HELP}`);
    return 2;
  }
  const found = findTests();
  if (found.length === 0) {
    process.stderr.write(`no test with cases to count has one of these in its path: ${positionals.join(' ')}\n`);
    return 2;
  }
  const properties = found.reduce((sum, { count }) => sum + count, 0);
  const limitMs = minutes === undefined ? undefined : (minutes * 60_000 * availableParallelism()) / properties;
  const files = found.map(({ path }) => path);
  console.log(
    `seed ${seed}: ${properties} properties in ${files.length} files${limitMs ? `, each for at most ${(limitMs / 1_000).toFixed(1)} s` : ''}`,
  );
  await prepare();
  const env = {
    ...process.env,
    FAIRLEAD_PREPARED: '1',
    FAIRLEAD_TEST_LONG: String(seed),
    ...(limitMs && { FAIRLEAD_TEST_LIMIT_MS: String(Math.ceil(limitMs)) }),
  };
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=dot', ...files];
  const status = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
  if (status !== 0) console.error(`\nagain with the same cases: npm run test:long -- --seed ${seed}`);
  return status;
}

function numberOf(name) {
  return values[name] === undefined ? undefined : Number(values[name]);
}

/** The test files that count their cases, with how many properties each has. */
function findTests() {
  return ['src', 'test']
    .flatMap((dir) => readdirSync(join(root, dir), { recursive: true }).map((name) => join(dir, name)))
    .filter((path) => path.endsWith('.test.ts') && !path.includes('e2e'))
    .filter((path) => positionals.length === 0 || positionals.some((part) => path.includes(part)))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const count =
        text.match(
          /\bfc\.assert\(|\bcountOf\(|(?<![^.]\.)\bsome\(|\bisLong\b(?! *\}|,)|\btestAdapter\(|\bdamagedTexts\(/g,
        )?.length ?? 0;
      return { path, count };
    })
    .filter(({ count }) => count > 0);
}
