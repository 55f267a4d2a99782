// One process of several that change the same context: it says when it is ready, and goes on a line from its parent.
import { createInterface } from 'node:readline';
import { add as addEntry } from './commands/context.ts';
import { add, dismiss } from './commands/remind.ts';
import { fakeWorld } from '../../../cli/world.fixture.ts';

const [home = '', cwd = '', name = '', times = '0'] = process.argv.slice(2);
const world = fakeWorld({ home, cwd });

createInterface({ input: process.stdin }).once('line', () => {
  void (async () => {
    for (let at = 0; at < Number(times); at += 1) {
      world.printed.out = '';
      await world.run(add, `${name} ${at}`, '--json');
      const { id } = JSON.parse(world.printed.out) as { id: number };
      process.stdout.write(`${id}\n`);
      // Every second one goes again, so that the highest id is often a dismissed one.
      if (at % 2 === 1) await world.run(dismiss, String(id));
      await world.run(addEntry, 'learning', `${name} ${at}`);
    }
    world.close();
    process.exit(0);
  })();
});
process.stdout.write('ready\n');
