// `npm run mutate`: breaks the product in small ways, one at a time, and says which of them a test notices.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Mistake, runCommandLine } from './command-line.mjs';
import { choosePlaces } from './mutate/places.mjs';
import { createReach } from './mutate/reach.mjs';
import { buildCopy, copyCheckout, makeScratch, runTests, whileBroken } from './mutate/try-out.mjs';
import { root, scratch } from './prepare.mjs';
import { ROOMS, roomOf } from './ratchet/rooms.mjs';
import { isCode, isProduct, listFiles, readModules } from './source-graph.mjs';

const HELP = `npm run mutate [-- --count N] [--seed S] [--limit SECONDS] [--changed BASE] [--checkout DIR] [--jobs N]
npm run mutate -- --apply FILE [--only unnoticed|noticed] [--checkout DIR]

Breaks N places of the product, one at a time, in copies of the checkout, and runs the tests that reach each by imports:
the nearest first, then more of them, then those of what is built. A break is noticed when a test fails, hangs or does not load.
Writes .build/mutate-S.json, which --apply takes.

  --count N        so many places, spread over all rooms (12)
  --seed S         the same seed, the same places in the same sources; printed when absent
  --limit SECONDS  for one run of some tests (180); what takes longer with the break alone hangs
  --changed BASE   only in files that changed since that commit
  --apply FILE     the places of an earlier run, wherever their lines are now
  --only OUTCOME   of those only the ones that were unnoticed, or noticed
  --checkout DIR   of another checkout of the project, installed
  --jobs N         so many at a time (2)
  --out FILE       writes the result there
  --json           prints it too`;

const NEAREST = 8;
const MORE = 32;
const OF_BUILD = 2;

const options = {
  ...Object.fromEntries(
    ['count', 'seed', 'limit', 'changed', 'apply', 'only', 'out'].map((name) => [name, { type: 'string' }]),
  ),
  checkout: { type: 'string', default: root },
  jobs: { type: 'string', default: '2' },
  json: { type: 'boolean', default: false },
};

process.exitCode = await runCommandLine({ name: 'mutate', help: HELP, options }, async (given, values) => {
  if (given.length > 0) return false;
  const checkout = resolve(values.checkout);
  if (!existsSync(join(checkout, 'node_modules'))) throw new Mistake(`nothing is installed in ${checkout}`);
  const plan = {
    count: number(values.count ?? '12', 'count'),
    seed: number(values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 'seed'),
    limitMs: number(values.limit ?? '180', 'limit') * 1000,
    jobs: Math.max(1, number(values.jobs, 'jobs')),
  };
  const places = values.apply ? readPlaces(values.apply, values.only) : choose(checkout, plan, values.changed);
  if (places.length === 0) throw new Mistake('there is no place to break');
  const say = values.json ? console.error : console.log;
  say(`seed ${plan.seed}: ${places.length} places, ${plan.jobs} at a time`);
  const results = await tryAll(checkout, places, plan, say);
  const written = { seed: plan.seed, commit: commitOf(checkout), places: results };
  const out = values.out ?? join(scratch, `mutate-${plan.seed}.json`);
  mkdirSync(dirname(resolve(out)), { recursive: true });
  writeFileSync(out, `${JSON.stringify(written, null, 2)}\n`);
  if (values.json) console.log(JSON.stringify(written, null, 2));
  printTable(results, say);
  say(`written to ${out}`);
});

function number(text, name) {
  if (!/^\d+$/.test(text)) throw new Mistake(`--${name} takes a number`);
  return Number(text);
}

function commitOf(checkout) {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
}

function choose(checkout, { count, seed }, base) {
  const changed =
    base && execFileSync('git', ['diff', '--name-only', base], { cwd: checkout, encoding: 'utf8' }).split('\n');
  const paths = listFiles(checkout, 'src').filter(
    (path) => isProduct(path) && isCode(path) && (!changed || changed.includes(path)),
  );
  return choosePlaces(
    new Map(paths.map((path) => [path, readFileSync(join(checkout, path), 'utf8')])),
    roomOf,
    count,
    seed,
  );
}

function readPlaces(file, only) {
  if (!existsSync(file)) throw new Mistake(`${file} is not there`);
  if (only && only !== 'unnoticed' && only !== 'noticed') throw new Mistake('--only takes unnoticed or noticed');
  const { places } = JSON.parse(readFileSync(file, 'utf8'));
  return places
    .filter(({ outcome }) => !only || (outcome === 'noticed') === (only === 'noticed'))
    .map(({ outcome, ...place }) => ({ ...place, before: outcome }));
}

async function tryAll(checkout, places, { jobs, limitMs }, say) {
  const dir = makeScratch();
  const remove = () => rmSync(dir, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const reach = readReach(checkout);
  const leftOut = new Set();
  const results = Array.from({ length: places.length });
  let done = 0;
  const tryOne = async (copy, index) => {
    const started = performance.now();
    const place = places[index];
    const byImport = reach.byImport(place.file).filter((path) => !leftOut.has(path));
    const byBuild = reach.byBuild(place.file).filter((path) => !leftOut.has(path));
    const outcome = await tryPlace(copy, place, { byImport, byBuild }, limitMs);
    const seconds = Math.round((performance.now() - started) / 100) / 10;
    results[index] = { ...place, ...outcome, seconds };
    done += 1;
    say(tell(results[index], done > places.length ? 'again' : `${done}/${places.length}`));
  };
  try {
    const waiting = [...places.keys()];
    const work = async (_, job) => {
      const copy = copyCheckout(checkout, join(dir, String(job)));
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await tryOne(copy, index);
      return copy;
    };
    const [copy] = await Promise.all(Array.from({ length: Math.min(jobs, places.length) }, work));
    const noticing = results.map(({ noticedIn }) => noticedIn).filter(Boolean);
    for (const file of await findFailing(copy, [...new Set(noticing)], reach, limitMs)) {
      say(`${file} fails without any break here and is left out`);
      leftOut.add(file);
    }
    for (const [index, { noticedIn }] of results.entries()) if (leftOut.has(noticedIn)) await tryOne(copy, index);
    return results;
  } finally {
    process.off('exit', remove);
    remove();
  }
}

function readReach(checkout) {
  const paths = listFiles(checkout, 'src', 'test').filter((path) => isCode(path) && !/\/fixtures\//.test(path));
  const others = paths.filter((path) => !isProduct(path));
  const texts = new Map(others.map((path) => [path, readFileSync(join(checkout, path), 'utf8')]));
  return createReach(readModules(checkout, paths), texts);
}

/** What few tests load is tried as it is built too: starting points, and what processes of their own do. */
async function tryPlace(copy, place, { byImport, byBuild }, limitMs) {
  const near = byImport.slice(0, NEAREST);
  const more = byImport.slice(NEAREST, NEAREST + MORE);
  const rounds = [near, more, near.length < NEAREST ? byBuild.slice(0, OF_BUILD) : []];
  const run = async (files) =>
    files !== rounds[2] || (await buildCopy(copy, limitMs))
      ? runTests(copy, files, limitMs)
      : { state: 'failed', by: 'it does not build' };
  let ran = 0;
  for (const files of rounds.filter((each) => each.length > 0)) {
    const result = await whileBroken(copy, place, () => run(files));
    if (!result) return { outcome: 'gone', by: 'no such line any more' };
    if (result.state === 'unrun') return { outcome: 'unrun', by: result.by };
    ran += files.length;
    if (result.state === 'passed') continue;
    // Where no test file is to blame, the same files must do better without the break.
    if (!result.file && (await run(files)).state !== 'passed') continue;
    return { outcome: 'noticed', by: result.by, noticedIn: result.file };
  }
  return { outcome: ran > 0 ? 'unnoticed' : 'unreached', by: `${ran} test files ran` };
}

/** The tests that fail as everything is. */
async function findFailing(copy, files, { usesBuild }, limitMs) {
  const failing = new Set();
  let left = files;
  if (left.some(usesBuild)) await buildCopy(copy, limitMs);
  while (left.length > 0) {
    const { state, file, by } = await runTests(copy, left, limitMs * Math.ceil(left.length / NEAREST));
    if (state === 'passed') break;
    if (!file) throw new Mistake(`without any break, ${left.join(', ')}: ${by}`);
    failing.add(file);
    left = left.filter((each) => each !== file);
  }
  return failing;
}

function tell({ file, line, kind, original, text, outcome, by, noticedIn, before, seconds }, count) {
  const short = (words) => words.replaceAll(/\s+/g, ' ').slice(0, 50);
  const was = before && before !== outcome ? ` (before: ${before})` : '';
  const change = `${short(original)} → ${short(text)}`;
  return `${count} ${outcome}${was} ${file}:${line} ${kind}: ${change}\n    ${noticedIn ? `${noticedIn}: ` : ''}${short(by)} (${seconds} s)`;
}

function printTable(results, say) {
  const outcomes = ['noticed', 'unnoticed', 'unreached', 'gone', 'unrun'].filter(
    (outcome) => outcome === 'noticed' || results.some((each) => each.outcome === outcome),
  );
  const row = (cells) => say(cells.map((cell, at) => (at ? String(cell).padStart(11) : cell.padEnd(12))).join(''));
  const count = (list) => [
    list.length,
    ...outcomes.map((outcome) => list.filter((each) => each.outcome === outcome).length),
  ];
  row(['room', 'places', ...outcomes]);
  for (const room of ROOMS) {
    const here = results.filter((each) => each.room === room);
    if (here.length > 0) row([room, ...count(here)]);
  }
  row(['all', ...count(results)]);
}
