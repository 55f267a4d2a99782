// Measures bars and writes the pages that tell of them; scripts/bars.mjs has its help.
import { execFileSync, spawnSync } from 'node:child_process';
import { arch, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Figures } from '../lib/figures.ts';
import { printTable } from '../lib/measure.ts';
import { BENCHES } from './bars.ts';
import type { Bench } from './bars.ts';
import { cellsOf, HEAD, rowsOf, writePages } from './page.ts';
import { watchOthers } from './quiet.ts';
import { readResults, writeResult } from './results.ts';

const root = process.cwd();
const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean' }, json: { type: 'boolean' } },
  allowPositionals: true,
});

const isOf = (name: string, bench: Bench) =>
  bench.name === name || bench.bars.some((bar) => `${bench.name}/${bar.name}` === name);

function commitNow(): string {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', 'src', 'native', 'bin', 'bench', ':!bench/results') !== '';
  return `${git('rev-parse', '--short=8', 'HEAD')}${isChanged ? ' with changes' : ''}`;
}

/** Figures of one benchmark; undefined when it failed, and then what was measured before stays. */
function measure({ name, command }: Bench): boolean {
  console.error(`\n${name}: node ${command.join(' ')}`);
  const othersSince = watchOthers();
  const { stdout } = spawnSync(process.execPath, [...command, '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const others = othersSince();
  const figures = figuresIn(stdout);
  if (!figures) return false;
  const machine = `${cpus().length}-core ${arch()}, Node ${process.versions.node}`;
  writeResult(
    root,
    name,
    { day: new Date().toISOString().slice(0, 10), commit: commitNow(), machine, others },
    figures,
  );
  return true;
}

function figuresIn(stdout: string): Figures | undefined {
  try {
    return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly figures: Figures }).figures;
  } catch {
    return undefined;
  }
}

function show(chosen: readonly Bench[]): void {
  const rows = rowsOf(readResults(root)).filter(({ name }) =>
    chosen.some((bench) => name.startsWith(`${bench.name}/`)),
  );
  if (values.json) console.log(JSON.stringify(rows, null, 2));
  else printTable(HEAD, rows.map(cellsOf));
}

const unknown = positionals.filter((name) => !BENCHES.some((bench) => isOf(name, bench)));
if (unknown.length > 0) {
  console.error(`there is no bar and no benchmark ${unknown.join(', ')}; npm run bars -- --list has them`);
  process.exitCode = 2;
} else {
  const chosen = BENCHES.filter((bench) => positionals.length === 0 || positionals.some((name) => isOf(name, bench)));
  const failed = values.list ? [] : chosen.filter((bench) => !measure(bench)).map(({ name }) => name);
  writePages(root, readResults(root));
  show(chosen);
  if (failed.length > 0) {
    console.error(`could not be measured, and keep what they had: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
}
