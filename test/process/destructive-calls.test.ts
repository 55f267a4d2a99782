import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, restore } from '../../src/undo/restore.ts';
import { storeIn, worldOf } from '../../src/undo/serve-copies.ts';
import { countOf, isLimited, isLong, SEED } from '../cases.ts';
import { bash, decisionOf, fairlead, isLinux, newHome, query, reasonOf, send, signal } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { until } from '../patience.ts';
import { commandAt, dice, gitEnv, heldIn, lostBetween, plantProject } from './destructive-calls.ts';

/** As many as a person says; a tenth where other tests share the time. */
const COUNT = Number(process.env['FAIRLEAD_CALLS'] ?? (isLimited ? 150 : countOf(1_500)));
/** So many calls meet no engine, or one that has just been started. */
const COLD_EACH = 10;
const EXPLAIN_EACH = 10;
/** Ends with whoever started it. */
const BURN = 'for (const { ppid } = process; process.ppid === ppid; );';

interface Tally {
  silent: string[];
  unrestored: string[];
  untrue: string[];
  kept: number;
  nothing: number;
  questions: string[];
  asked: number;
  cold: number;
}

let burners: ChildProcess[] = [];
let home: Home;
let template: string;
beforeAll(() => {
  home = newHome();
  template = join(home.dir, 'template');
  plantProject(template);
  // In a long run four busy processes for each core: the load of a test suite. One with a budget has that of its other tests.
  const load = isLong && !isLimited ? 4 * availableParallelism() : 0;
  burners = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BURN], { stdio: 'ignore' }));
});
afterAll(() => burners.forEach((each) => each.kill('SIGKILL')));

async function tryCall(number: number, roll: () => number, tally: Tally): Promise<void> {
  const dir = join(home.dir, 'work', String(number));
  mkdirSync(join(home.dir, 'work'), { recursive: true });
  cpSync(template, dir, { recursive: true, verbatimSymlinks: true });
  spawnSync('ln', ['-f', 'hard/one', 'hard/two'], { cwd: dir });
  const command = commandAt(number, roll);
  const world = worldOf({ state: home.state, userHome: join(home.dir, 'person'), env: {} });
  const store = storeIn(home.state, world);
  const newest = store.list()[0]?.number ?? 0;
  if (number % COLD_EACH === 0) {
    for (const pid of home.daemons()) signal(pid, 'SIGKILL');
    tally.cold += 1;
  }
  const before = heldIn(dir);
  const ran = await send(home, bash(home, command, { cwd: dir, session_id: `s${number % 7}` }));
  expect({ command, files: [...heldIn(dir).files] }).toEqual({ command, files: [...before.files] });
  const decision = decisionOf(ran);
  const copies = store.list().filter(({ number: one }) => one > newest);
  const run = spawnSync('bash', ['-c', command], {
    cwd: dir,
    env: gitEnv(home.dir),
    encoding: 'utf8',
    timeout: 60_000,
  });
  const lost = lostBetween(before, heldIn(dir));
  const isLost = lost.files.length + lost.objects.length > 0;
  const told = `${number} ${command}: ${JSON.stringify(lost.files)} ${lost.objects.length} ${String(run.status)}`;
  const reason = ran.out === '' ? '' : reasonOf(ran);
  if (decision === 'ask' || decision === 'deny') {
    // What another rule asks about has its copy all the same.
    if (reason.includes('could not keep a copy')) tally.questions.push(`${told} ${reason.replaceAll('\n', ' | ')}`);
    else tally.asked += 1;
  } else if (copies.length === 0) {
    if (isLost) tally.silent.push(told);
    else tally.nothing += 1;
  } else {
    tally.kept += 1;
    for (const copy of copies) await restore(copy, store, world, await compare(copy, world));
    const still = lostBetween(before, heldIn(dir));
    const back = heldIn(dir).files;
    // Another name of a file that was moved away is not known to anybody; its content is back under the name that was.
    const moved = lost.files.filter((path) => back.get(path) !== before.files.get(path) && !path.startsWith('hard/'));
    if (still.files.length + still.objects.length + moved.length > 0)
      tally.unrestored.push(`${told} still ${JSON.stringify([still, moved])}`);
  }
  if (number % EXPLAIN_EACH === 0)
    await checkWords(
      command,
      dir,
      copies.map(({ number: one }) => one),
      tally,
    );
  rmSync(dir, { recursive: true, force: true });
}

/** What `explain` says of a call is what became of it. */
async function checkWords(command: string, dir: string, copies: readonly number[], tally: Tally): Promise<void> {
  const [row] = await until('the row is written', () => {
    const found = query(home.state, `SELECT id FROM events WHERE root = '${dir}' ORDER BY n DESC LIMIT 1`) as {
      id: string;
    }[];
    return found.length > 0 && found;
  });
  const { out } = await fairlead(home, 'explain', row?.id ?? '');
  const named = [...out.matchAll(/kept as undo\s+(\d+)/g)].map(([, one]) => Number(one));
  const isTrue =
    copies.every((one) => named.includes(one)) && named.every((one) => copies.includes(one)) && !out.includes('(kept)');
  if (!isTrue) tally.untrue.push(`${command}: copies ${copies.join()}, ${out}`);
}

describe.runIf(isLinux)('destructive calls, judged by the disk after they ran', () => {
  it(
    `${COUNT} calls: none loses anything in silence`,
    async () => {
      const roll = dice(SEED);
      const tally: Tally = {
        ...{ silent: [], unrestored: [], untrue: [], questions: [] },
        ...{ kept: 0, nothing: 0, asked: 0, cold: 0 },
      };
      const first = isLong ? 0 : Math.floor(roll() * 1_000);
      for (let at = 0; at < COUNT; at += 1) await tryCall(first + at, roll, tally);
      const { kept, nothing, cold, asked, questions, ...wrong } = tally;
      process.stderr.write(
        `destructive calls: ${JSON.stringify({ kept, nothing, cold, asked, questions: questions.length })}\n` +
          questions.map((each) => `  asked: ${each}\n`).join(''),
      );
      expect(wrong).toEqual({ silent: [], unrestored: [], untrue: [] });
      if (isLong) expect(questions.length / COUNT).toBeLessThan(0.02);
    },
    120_000 + COUNT * 4_000,
  );
});
