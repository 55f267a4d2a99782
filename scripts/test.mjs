// `npm test`: everything that must hold, in one command, on a clone that nobody has installed yet.
// `npm test -- PATH…` runs the tests of those paths alone. `--static` runs the checks without tests and builds nothing.
// Each check says how much it saw; one that saw nothing has failed.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

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
];
/** Vitest's projects, one after the other: pure tests share a process per core, the others have processes of their own. */
const TESTS = [
  { name: 'pure', command: vitest('--project', 'pure') },
  { name: 'process', command: vitest('--project', 'process') },
].map((each) => ({
  ...each,
  seen: numberIn(/Tests\s.*?(\d+) passed/),
  unit: 'tests',
  tell: (line) => line.startsWith('skipped '),
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

function run({ name, command, seen, unit, hide, tell = () => false }) {
  const [program, ...args] = command;
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: checkEnvironment() });
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

function checkEnvironment() {
  return { ...process.env, FAIRLEAD_PREPARED: '1', NO_COLOR: '1', FORCE_COLOR: undefined };
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
  const paths = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const started = performance.now();
  try {
    await prepare({ builds: !isStatic });
  } catch (error) {
    console.error(`FAIL build: ${error.message}`);
    return 1;
  }
  if (paths.length > 0) return runPart(paths);
  const results = await Promise.all(STATIC_CHECKS.map(async (check) => report(await run(check))));
  if (!isStatic) for (const check of TESTS) results.push(report(await run(check)));
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    failed.length === 0
      ? `\nall ${results.length} checks passed in ${seconds} s`
      : `\n${failed.length} of ${results.length} checks failed: ${failed.join(', ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

/** Vitest's own words as they come: whoever runs a part is at work on it. */
function runPart(paths) {
  const [program, ...args] = vitest(...paths);
  const env = { ...process.env, FAIRLEAD_PREPARED: '1' };
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env }).status ?? 1;
}

process.exitCode = await main();
