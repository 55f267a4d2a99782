import { compare, restore } from '../../src/undo/restore.ts';
import { keep } from '../../src/undo/keep.ts';
import { prune } from '../../src/undo/prune.ts';
import { storeIn, worldOf } from '../../src/undo/serve-copies.ts';

/** Keeps, prunes or puts back, again and again, until it is killed. */
const [state = '', root = '', what = ''] = process.argv.slice(2);
const world = worldOf({ state, userHome: root, env: {} });
const store = storeIn(state, world);
process.stdout.write('ready\n');
for (;;) {
  if (what === 'undo') {
    const copy = store.read(1);
    if (copy) await restore(copy, store, world, await compare(copy, world));
  } else {
    const path = `${root}/tree`;
    await keep(store, world, {
      effects: [
        { kind: 'delete', target: 'tree', path, scope: 'inside', recursive: true, seen: 'rm -r tree', road: [] },
      ],
      about: { at: Date.now(), session: 's', root, agent: 'test', command: 'rm -r tree' },
      budget: { ms: 60_000, bytes: 1 << 30 },
      excluded: [],
    });
    if (what === 'prune') prune(store, { days: 1, megabytes: 1, copies: 2 }, Date.now());
  }
}
