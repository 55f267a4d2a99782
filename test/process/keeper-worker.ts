import { openKeeper } from '../../src/undo/open-keeper.ts';

/** Keeps a tree as the daemon does, and tells for how long its own thread was held up meanwhile. */
const [state = '', root = '', ms = ''] = process.argv.slice(2);
const keeper = openKeeper({ state, userHome: root, env: process.env });
const keep = () =>
  keeper.keep({
    effects: [
      { kind: 'delete', target: 'tree', path: `${root}/tree`, scope: 'inside', recursive: true, seen: '', road: [] },
    ],
    about: { at: Date.now(), session: 's', root, agent: 'test', command: 'rm -r tree' },
    budget: { ms: Number(ms), bytes: 1 << 30 },
    excluded: [],
  });
const first = await keep();
let last = performance.now();
let longest = 0;
const timer = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 1);
const started = performance.now();
const second = await keep();
const took = performance.now() - started;
clearInterval(timer);
process.stdout.write(`${JSON.stringify({ first, second, longest, took })}\n`);
// Nothing keeps the process: the thread is idle, and an idle one does not count.
