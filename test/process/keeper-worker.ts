import { openKeeper } from '../../src/undo/open-keeper.ts';

/** Keeps a tree as the daemon does, and tells how often its own thread had a turn meanwhile. */
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
let turns = 0;
const timer = setInterval(() => (turns += 1), 1);
const second = await keep();
clearInterval(timer);
process.stdout.write(`${JSON.stringify({ first, second, turns })}\n`);
// Nothing keeps the process: the thread is idle, and an idle one does not count.
