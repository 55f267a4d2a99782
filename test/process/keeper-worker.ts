import { openKeeper } from '../../src/undo/open-keeper.ts';

/** Keeps a tree twice, and tells how often this thread came round to other work during the second copy. */
const [state = '', root = '', ms = '', copier] = process.argv.slice(2);
const keeper = openKeeper({ state, userHome: root, env: process.env, ...(copier !== undefined && { copier }) });
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
let isOver = false;
let turns = 0;
const turn = (): void => {
  turns += 1;
  if (!isOver) setImmediate(turn);
};
setImmediate(turn);
const second = await keep();
isOver = true;
process.stdout.write(`${JSON.stringify({ first, second, turns })}\n`);
// Nothing keeps the process: the thread is idle, and an idle one does not count.
