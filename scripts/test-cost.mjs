// What `npm test` costs in processor time, in a unit that another machine shares: rounds of a fixed piece of work.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export const TEST_FIGURE = 'npm test';
/** What two runs of the same tests differ by. */
const TOLERANCE = 0.15;
/** Others make caches cold and the clock slow, and then nobody can say whose the time was. */
const OTHERS_SHARE = 0.1;
/** For so long it looks whether others are at work, before the tests and after them. */
const LOOK_MS = 1_000;
const TICKS_PER_SECOND = 100;
const lastFile = (checkout) => join(checkout, '.build', 'test-cost.json');

/** Seconds in which any processor of this machine was busy. */
export function machineSeconds(readText = readProc) {
  const text = readText('/proc/stat');
  if (text === undefined) return undefined;
  const [user, nice, system, , , irq, softirq, steal] = text.split('\n')[0].split(/\s+/).slice(1);
  return sum([user, nice, system, irq, softirq, steal]) / TICKS_PER_SECOND;
}

const sum = (numbers) => numbers.reduce((total, each) => total + Number(each), 0);

function readProc(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Processor seconds of one round; the least of some, since whatever disturbs one makes it longer. */
export function calibrate(rounds = 20) {
  return Math.min(...Array.from({ length: rounds }, round));
}

function round() {
  const before = process.cpuUsage();
  const words = new Map();
  let state = 1;
  for (let index = 0; index < 120_000; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const word = `w${state % 5_003}`;
    words.set(word, (words.get(word) ?? 0) + word.length);
  }
  const rows = JSON.parse(JSON.stringify([...words].map(([word, count]) => ({ word, count, tags: word.split('') }))));
  rows.sort((one, other) => one.count - other.count || one.word.localeCompare(other.word));
  if (rows.filter(({ word }) => /^w\d*[13579]$/.test(word)).length === 0) throw new Error('the work was not done');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/**
 * Begins to count; the function that it resolves to ends that, and says what it found: all that the machine did meanwhile, since
 * daemons of tests are nobody's children. So what others do is looked for before and after.
 */
export async function startCount({ machine = machineSeconds, calibration = calibrate, wait = sleep } = {}) {
  const shareOfOthers = async () => {
    const [before, began] = [machine(), performance.now()];
    await wait(LOOK_MS);
    return (machine() - before) / ((performance.now() - began) / 1_000);
  };
  if (machine() === undefined) return async () => ({ unfit: 'processor time is known on Linux alone' });
  const othersBefore = await shareOfOthers();
  const first = calibration();
  const before = machine();
  return async () => {
    const seconds = machine() - before;
    const unit = (first + calibration()) / 2;
    const others = Math.max(othersBefore, await shareOfOthers());
    const unfit = others > OTHERS_SHARE ? `others kept ${Math.round(others * 100)} % of a processor busy` : undefined;
    return { figure: Math.round(seconds / unit), seconds: Math.round(seconds), unit, unfit };
  };
}

/** What the end of `npm test` says of it, and whether it may be so. */
export function judgeTests({ figure, seconds, unfit }, limit) {
  const is = figure === undefined ? '' : `${seconds} s of processor time, ${figure} rounds`;
  if (unfit) return { ok: true, text: `${is}${is && '; '}not judged: ${unfit}` };
  if (limit === undefined) return { ok: true, text: `${is}; not set: npm run ratchet -- --set-tests sets it` };
  const most = Math.round(limit * (1 + TOLERANCE));
  if (figure <= most) return { ok: true, text: `${is}, and may be ${limit} (${most} with what runs differ by)` };
  const how = `make it cheaper, or say why: npm run ratchet -- --raise "${TEST_FIGURE}=${figure}" --why "…"`;
  return { ok: false, text: `${is}, and may be ${limit} (${most} with what runs differ by)\n${how}` };
}

export function keepLastTests(checkout, found) {
  mkdirSync(dirname(lastFile(checkout)), { recursive: true });
  writeFileSync(lastFile(checkout), JSON.stringify(found));
}

export function readLastTests(checkout) {
  return existsSync(lastFile(checkout)) ? JSON.parse(readFileSync(lastFile(checkout), 'utf8')) : undefined;
}

export function testLimit(checkout) {
  return JSON.parse(readFileSync(join(checkout, 'bench', 'ratchet.json'), 'utf8')).limits[TEST_FIGURE];
}
