// One process of several that count the same thing in the same file: it says when it is ready, and goes on a line from
// its parent. Every count is written at once, so that the processes meet as often as they can.
import { createInterface } from 'node:readline';
import { createTelemetry } from './telemetry.ts';
import { openMemory } from '../ledger/open.ts';

const [path = '', resident = '', times = '0'] = process.argv.slice(2);
const memory = openMemory({
  path,
  busyMs: 4_000,
  resident: resident === 'resident',
  now: Date.now,
  random: Math.random,
  onFailure(what, error) {
    throw new Error(what, { cause: error });
  },
});
const telemetry = createTelemetry({
  store: memory.store,
  clock: { now: () => 1_800_000_000_000 },
  observers: [],
  relay() {},
  isOff: () => false,
  onFailure(what, error) {
    throw new Error(what, { cause: error });
  },
});

createInterface({ input: process.stdin }).once('line', () => {
  const numbers = telemetry.of('test', '/project');
  for (let at = 0; at < Number(times); at += 1) {
    numbers.count('calls');
    numbers.time('span', at);
    telemetry.flush();
  }
  telemetry.close();
  memory.close();
  process.exit(0);
});
process.stdout.write('ready\n');
