import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { storeIn, worldOf } from '../../src/undo/serve-copies.ts';
import { countOf, isLong, startShare } from '../cases.ts';
import { bash, decisionOf, isLinux, newHome, reasonOf, send, signal } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

const REMOVAL = 'rm -rf old';
/** More than the time for them allows. */
const MANY = isLong ? 100_000 : 2_000;

function plant({ project }: Home, files: number): void {
  execFileSync('git', ['init', '-q', project]);
  mkdirSync(join(project, 'old'));
  for (let at = 0; at < files; at += 1) writeFileSync(join(project, 'old', `f${at}`), `${at}\n`);
}

function contents({ project }: Home): Map<string, string> {
  const old = join(project, 'old');
  return new Map(readdirSync(old).map((name) => [join(old, name), readFileSync(join(old, name), 'utf8')]));
}

function copiesOf(home: Home): Map<number, Map<string, string>> {
  const store = storeIn(home.state, worldOf({ state: home.state, userHome: home.dir, env: {} }));
  return new Map(
    store.list().map(({ number, entries }) => {
      const files = entries.filter((entry) => entry.kind === 'file');
      return [
        number,
        new Map(files.map(({ path, sha }) => [path, readFileSync(store.contentOf(number, sha), 'utf8')])),
      ];
    }),
  );
}

const numbers = ({ state }: Home): readonly string[] => {
  const copies = join(state, 'undo', 'copies');
  return existsSync(copies) ? readdirSync(copies) : [];
};

describe.runIf(isLinux)('an engine that copies before it answers', () => {
  it('and is killed lets nothing run that no whole copy has', async () => {
    // However busy this machine is.
    const home = newHome({ config: 'undo:\n  budgetMs: 60000\n' });
    plant(home, 60);
    const before = contents(home);
    const answers = { kept: 0, unsaid: 0, asked: 0, copies: 0 };
    const isOver = startShare();
    for (let time = 0; time < countOf(300) && !isOver(time); time += 1) {
      // One that was killed while it started is started again by an event that comes later.
      const { pid } = await until('a daemon answers', async () => {
        await send(home, bash(home, 'ls'));
        return home.status();
      });
      const first = numbers(home).length;
      const isBefore = () => numbers(home).length === first;
      const sent = send(home, bash(home, REMOVAL));
      // At any moment, and at the one between the copy and the reply.
      if (time % 2 === 0) await sleep(Math.random() * 40);
      else for (const end = Date.now() + 5_000; isBefore() && Date.now() < end;) await setImmediate();
      signal(pid, 'SIGKILL');
      const ran = await sent;
      const decision = decisionOf(ran);
      const copies = copiesOf(home);
      for (const files of copies.values()) expect(files).toEqual(before);
      if (decision === 'ask' || decision === 'deny') answers.asked += 1;
      else {
        // The reply of a killed engine is lost. The second engine finds its decision and says nothing twice.
        const named = /kept as undo (\d+)/.exec(ran.out)?.[1];
        answers[named === undefined ? 'unsaid' : 'kept'] += 1;
        const number = named === undefined ? Math.max(...numbers(home).map(Number)) : Number(named);
        expect([isBefore(), ran.out, copies.get(number)]).toEqual([false, ran.out, before]);
      }
      answers.copies = copies.size;
    }
    expect(contents(home)).toEqual(before);
    process.stderr.write(`killed while it kept: ${JSON.stringify(answers)}\n`);
  });

  it(`asks about ${MANY} files, and keeps nothing of them`, async () => {
    const home = isLong ? newHome() : newHome({ config: 'undo:\n  budgetMs: 1\n' });
    plant(home, MANY);
    const ran = await send(home, bash(home, REMOVAL));
    expect(decisionOf(ran)).toBe('ask');
    expect(reasonOf(ran)).toMatch(/longer/);
    expect(copiesOf(home).size).toBe(0);
  });
});
