// `npm test`: everything that must hold, in one command, on a clone that nobody has installed yet.
// HELP has what else it does.
// Each check says how much it saw; one that saw nothing has failed.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';
import { judgeTests, keepLastTests, startCount, testLimit } from './test-cost.mjs';

const HELP = `npm test                      everything that must hold: the checks, then all tests
npm test -- PATH…             the tests whose path has one of these in it
npm test -- --changed [BASE]  the checks, and the test files that a change can reach
npm run check                 the checks alone; builds nothing

--changed takes what differs from the commit BASE, and files that git does not know yet. Without BASE that is where HEAD
left main; on main itself, what is not committed. A test file is reached when
  - it, or what it imports, or what that imports, was changed;
  - it or its fixtures name what was changed: a path from the root, a folder of data, or the id of a rule;
  - it lies in the folder of the pack, agent or language that was changed, and opens what the generated lists name;
  - it starts the product, and the table in scripts/reach.mjs says that it is about the part that was changed.
It leaves out
  - other tests that start the product: every change of src reaches them;
  - tests that meet a rule, an agent, a language or a verb through a generated list alone, and are about none;
  - types: the type checker reads them all;
  - test/e2e, bench, and the long runs (npm run test:long).
So it is for the time between two edits. \`npm test\` says whether a change may be merged.
`;

const tool = (path) => [process.execPath, join(root, 'node_modules', path)];
const colours = process.stdout.isTTY && !process.env['NO_COLOR'];

const STATIC_CHECKS = [
  {
    name: 'types',
    command: [...tool('typescript/bin/tsc'), '-p', '.', '--listFiles'],
    seen: (output) => countLines(output, (line) => line.startsWith(root) && !line.includes('node_modules')),
    unit: 'files',
    hide: (line) => line.startsWith('/') || /^[A-Z]:[/\\]/.test(line),
  },
  {
    name: 'page types',
    command: [...tool('typescript/bin/tsc'), '-p', 'src/page', '--listFiles'],
    seen: (output) => countLines(output, (line) => line.startsWith(join(root, 'src', 'page'))),
    unit: 'files',
    hide: (line) => line.startsWith('/') || /^[A-Z]:[/\\]/.test(line),
  },
  { name: 'lint', command: tool('oxlint/bin/oxlint'), seen: numberIn(/on (\d+) files? with/), unit: 'files' },
  {
    name: 'format',
    command: [...tool('oxfmt/bin/oxfmt'), '--check'],
    seen: numberIn(/on (\d+) files?/),
    unit: 'files',
  },
  {
    name: 'unused',
    command: [...tool('knip/bin/knip.js'), '--no-progress', '--performance'],
    // Knip counts files in its table of timings only.
    seen: numberIn(/^parseFile\s+(\d+)/m),
    unit: 'files',
    hide: (line) => /^(Name +size|-{9}|Total running)|%$/.test(line.trim()),
  },
  {
    name: 'indexes',
    command: [process.execPath, 'scripts/generate-indexes.mjs', '--check'],
    seen: numberIn(/(\d+) rules?/),
    unit: 'rules',
  },
  {
    name: 'ratchet',
    command: [process.execPath, 'scripts/ratchet.mjs', '--check'],
    seen: numberIn(/(\d+) files/),
    unit: 'files',
    tell: (line) => line.includes('fell'),
  },
];
/** Vitest's projects: pure tests have a process per core, then those that start programs have more of them. */
const TESTS = [
  { name: 'pure', command: vitest('--project', 'pure') },
  { name: 'process', command: vitest('--project', 'process', '--project', 'alone') },
].map((each) => ({
  ...each,
  seen: numberIn(/Tests\s.*?(\d+) passed/),
  unit: 'tests',
  tell: (line) => line.startsWith('skipped ') || line.startsWith('tried again: '),
}));

function vitest(...args) {
  return [...tool('vitest/vitest.mjs'), 'run', '--reporter=dot', '--reporter=./test/skip-reporter.ts', ...args];
}

function numberIn(pattern) {
  return (output) => {
    const match = pattern.exec(output);
    return Number(match?.slice(1).find((group) => group !== undefined) ?? 0);
  };
}

function countLines(output, test) {
  return output.split('\n').filter(test).length;
}

/** Colour codes would sit between the words that `seen` looks for. */
// oxlint-disable-next-line no-control-regex
const plain = (text) => text.replaceAll(/\u001b\[[0-9;]*m/g, '');

function run({ name, command, seen, unit, hide, tell = () => false, isBuilt = true }) {
  const [program, ...args] = command;
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: checkEnvironment(isBuilt),
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) =>
      resolve({ name, ok: false, output: error.message, told: [], count: 0, unit, seconds: 0 }),
    );
    child.on('close', (code) => {
      output = plain(output);
      const count = seen(output);
      const seconds = (performance.now() - started) / 1000;
      const shown = hide
        ? output
            .split('\n')
            .filter((line) => !hide(line))
            .join('\n')
        : output;
      const told = output.split('\n').filter(tell);
      resolve({ name, ok: code === 0 && count > 0, output: shown.trim(), told, count, unit, seconds });
    });
  });
}

function checkEnvironment(isBuilt) {
  return { ...process.env, ...(isBuilt && { FAIRLEAD_PREPARED: '1' }), NO_COLOR: '1', FORCE_COLOR: undefined };
}

function report(result) {
  const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
  const mark = result.ok ? paint(32, 'ok  ') : paint(31, 'FAIL');
  const amount = `${result.count} ${result.unit}`;
  if (!result.ok) console.log(`\n${result.output}\n`);
  console.log(`${mark} ${result.name.padEnd(11)} ${amount.padEnd(12)} ${result.seconds.toFixed(1)} s`);
  for (const line of result.told) console.log(`     ${line}`);
  return result;
}

async function main() {
  const isStatic = process.argv.includes('--static');
  const words = process.argv.slice(2);
  const paths = words.filter((word) => !word.startsWith('--'));
  const isChanged = words.includes('--changed');
  if (words.includes('--help')) {
    process.stdout.write(HELP);
    return 0;
  }
  const started = performance.now();
  let tests = TESTS;
  try {
    // The process tests build for themselves: most changes reach none of them.
    await prepare({ builds: !isStatic && !isChanged });
    if (isChanged) tests = await testsOfChange(paths[0]);
  } catch (error) {
    console.error(`FAIL ${isChanged ? 'before the tests' : 'build'}: ${error.message}`);
    return 1;
  }
  if (!isChanged && paths.length > 0) return runPart(paths);
  const countCost = isStatic || isChanged ? undefined : await startCount();
  // The few tests of a change run beside the checks, which alone leave processors idle; all tests wait until these are over.
  const [beside, then] = isStatic ? [[], []] : isChanged ? [tests, []] : [[], tests];
  const results = await Promise.all([...STATIC_CHECKS, ...beside].map(async (check) => report(await run(check))));
  for (const check of then) results.push(report(await run(check)));
  if (countCost) results.push(report(judgeCost(await countCost(), results)));
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    failed.length === 0
      ? `\nall ${results.length} checks passed in ${seconds} s`
      : `\n${failed.length} of ${results.length} checks failed: ${failed.join(', ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** What all of it cost; no measure of anything where tests failed or could not run. */
function judgeCost(found, results) {
  const failed = results.some(({ ok }) => !ok) && 'not all checks passed';
  const skipped = results.flatMap(({ told }) => told).find((line) => line.startsWith('skipped '));
  const unfit = failed || skipped || found.unfit;
  keepLastTests(root, { ...found, unfit });
  const { ok, text } = judgeTests({ ...found, unfit }, testLimit(root));
  const [line, ...output] = text.split('\n');
  return {
    name: 'cost',
    ok,
    output: ok ? '' : text,
    told: ok ? [line, ...output] : [],
    count: found.seconds ?? 0,
    unit: 's CPU',
    seconds: 0,
  };
}

/** One run of the test files that what differs from `base` can reach, if there are any. */
async function testsOfChange(base) {
  const { changedSince, readTexts, testsReached } = await import('./reach.mjs');
  const { changed, base: since } = changedSince(root, base);
  const files = testsReached(readTexts(root), changed);
  console.log(`${changed.length} files differ from ${since.slice(0, 12)}; they reach ${files.length} test files\n`);
  return files.length === 0 ? [] : [{ ...TESTS[0], name: 'tests', command: vitest(...files), isBuilt: false }];
}

/** Vitest's own words as they come: whoever runs a part is at work on it. */
function runPart(paths) {
  const [program, ...args] = vitest(...paths);
  const env = { ...process.env, FAIRLEAD_PREPARED: '1' };
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

process.exitCode = await main();
