// `npm run ratchet`: how large the product is, room by room, and how large it may be. `npm run check` asks with `--check`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Mistake, runCommandLine } from './command-line.mjs';
import { root } from './prepare.mjs';
import { findFallen, findRisen, lower, raise } from './ratchet/limits.mjs';
import { ONE_IMPORTER, ONE_USER, findLoners, measureRooms } from './ratchet/measure.mjs';
import { ROOMS } from './ratchet/rooms.mjs';
import { isProduct, listFiles, readModules } from './source-graph.mjs';
import { TEST_FIGURE, readLastTests } from './test-cost.mjs';

const HELP = `npm run ratchet [-- --raise FIGURE=NUMBER --why TEXT]

Prints how large each room of the product is and how large it may be, and writes what fell into bench/ratchet.json.
What rose stays over its limit, and npm run check fails, until somebody says why.

  --raise FIGURE=NUMBER   lets a figure be so large; =+NUMBER adds. May stand several times. Figures are a room
                          (its lines), ROOM.bytes, "${ONE_IMPORTER}", "${ONE_USER}" and "${TEST_FIGURE}"
  --why TEXT              the reason, which bench/ratchet.json keeps
  --list                  the files with one importer and the names with one user
  --set-tests             takes what the last npm test cost as its limit, where that is lower or nothing is set
  --check                 writes nothing, and fails where a figure is over its limit
  --checkout DIR          of another checkout`;

const options = {
  raise: { type: 'string', multiple: true, default: [] },
  why: { type: 'string' },
  list: { type: 'boolean', default: false },
  'set-tests': { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  checkout: { type: 'string', default: root },
};

const code = await runCommandLine({ name: 'ratchet', help: HELP, options }, (given, values) => {
  if (given.length > 0) return false;
  const checkout = resolve(values.checkout);
  const file = join(checkout, 'bench', 'ratchet.json');
  const kept = readKept(file);
  const { figures, loners, files } = measure(checkout);
  if (values.list) return console.log([...loners.files, ...loners.names].join('\n'));
  if (values.check) return check(kept, figures, files);
  let next = existsSync(file) ? lower(kept, figures) : { limits: figures, raised: [] };
  try {
    if (values.raise.length > 0 || values.why) next = raise(next, values.raise.map(asFigure), values.why);
  } catch (error) {
    throw new Mistake(error.message);
  }
  if (values['set-tests']) next = setTests(next, checkout);
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
  printTable(figures, next.limits);
  for (const { name, limit, figure } of findFallen(kept.limits, figures))
    console.log(`lowered ${name} from ${limit} to ${figure}`);
  for (const risen of findRisen(next.limits, figures)) console.log(tellRisen(risen));
});
process.exitCode = code;

/** `core.lines` is `core`. */
function asFigure(asked) {
  return asked.replace(/^(\w+)\.lines=/, '$1=');
}

function readKept(file) {
  if (!existsSync(file)) return { limits: {}, raised: [] };
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Mistake(`bench/ratchet.json cannot be read: ${error.message}`);
  }
}

function measure(checkout) {
  const paths = listFiles(checkout, 'src');
  const files = paths.filter(isProduct);
  const sources = paths.filter((path) => isProduct(path) || path.endsWith('.generated.ts'));
  const loners = findLoners(readModules(checkout, sources), readEntries(checkout));
  const texts = files.map((path) => [path, readFileSync(join(checkout, path))]);
  try {
    const figures = { ...measureRooms(texts), [ONE_IMPORTER]: loners.files.length, [ONE_USER]: loners.names.length };
    return { figures, loners, files: files.length };
  } catch (error) {
    throw new Mistake(error.message);
  }
}

/** What processes, pages and agents start with stands in `knip.json`. */
function readEntries(checkout) {
  const { entry } = JSON.parse(readFileSync(join(checkout, 'knip.json'), 'utf8'));
  const patterns = entry.filter((glob) => glob.startsWith('src/')).map(patternOf);
  return (path) => patterns.some((pattern) => pattern.test(path));
}

function patternOf(glob) {
  const text = glob
    .replaceAll('.', '\\.')
    .replace(/\{(.*)\}/, (_, words) => `(${words.replaceAll(',', '|')})`)
    .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(.*/)?'));
  return new RegExp(`^${text}$`);
}

function check(kept, figures, files) {
  const risen = findRisen(kept.limits, figures);
  const fallen = findFallen(kept.limits, figures).length;
  console.log(`${files} files measured`);
  if (fallen > 0) console.log(`${fallen} figures fell: npm run ratchet writes them down`);
  if (risen.length === 0) return undefined;
  throw new Mistake(
    `${risen.map(tellRisen).join('\n')}\nmake it smaller, or say why: npm run ratchet -- --raise ${argumentOf(risen[0])} --why "…"`,
  );
}

function argumentOf({ name, figure }) {
  return name.includes(' ') ? `"${name}=${figure}"` : `${name}=${figure}`;
}

function tellRisen({ name, figure, limit }) {
  return `${name} rose by ${figure - limit}: ${figure}, and may be ${limit}`;
}

function setTests(kept, checkout) {
  const last = readLastTests(checkout);
  if (!last) throw new Mistake('no npm test has run to its end here');
  if (last.unfit) throw new Mistake(`the last npm test is no measure: ${last.unfit}`);
  const limit = kept.limits[TEST_FIGURE];
  if (limit !== undefined && last.figure > limit) {
    throw new Mistake(
      `it rose to ${last.figure}, and may be ${limit}: --raise "${TEST_FIGURE}=${last.figure}" --why "…"`,
    );
  }
  return { ...kept, limits: { ...kept.limits, [TEST_FIGURE]: last.figure } };
}

function printTable(figures, limits) {
  const number = (value) => (value ?? '').toLocaleString('en');
  const row = (cells) => console.log(cells.map((cell, at) => (at ? cell.padStart(11) : cell.padEnd(24))).join(''));
  row(['room', 'lines', 'may be', 'bytes', 'may be']);
  const columns = (room) => [figures[room], limits[room], figures[`${room}.bytes`], limits[`${room}.bytes`]];
  for (const room of ROOMS) row([room, ...columns(room).map(number)]);
  row(['all', ...[0, 1, 2, 3].map((at) => number(ROOMS.reduce((sum, room) => sum + (columns(room)[at] ?? 0), 0)))]);
  for (const name of [ONE_IMPORTER, ONE_USER]) row([name, number(figures[name]), number(limits[name])]);
  row([TEST_FIGURE, '', number(limits[TEST_FIGURE])]);
}
