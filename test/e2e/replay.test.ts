import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterNamed } from '../../src/adapters/registry.ts';
import { replayStored } from '../../src/replay/replay.ts';
import { ledgerEvents } from '../../src/replay/ledger-events.ts';
import { TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn, write } from './model.ts';
import { engineIn, named, replayOf, tellAgain } from './replayed.ts';
import type { Told, ToldAgain } from './replayed.ts';

const rules = {
  echo: '---\nevent: bash\nwords: [echo]\nthrottle: once per turn\n---\nNoted before {command}.\n',
  once: '---\nevent: tool.after\ntool: bash\nthrottle: once per session\n---\nNoted after.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

async function replayOfLedger(home: Home): Promise<ToldAgain[]> {
  const db = new DatabaseSync(join(home.state, 'state.db'), { readOnly: true });
  try {
    return await tellAgain(replayStored(ledgerEvents(db), [engineIn(home)], adapterNamed));
  } finally {
    db.close();
  }
}

describe.each(TRANSPORTS)('a session over %s, replayed', (transport) => {
  it('gets the decisions that were made live, event by event', () =>
    inHome({ transport, rules }, async (home, run) => {
      const app = join(home.project, 'src', 'app.ts');
      const note = join(home.project, 'notes.md');
      const start = call('Agent', {
        description: 'look around',
        prompt: '[lane:scout] Look around.',
        subagent_type: 'general-purpose',
        run_in_background: false,
      });
      const edit = (before: string, after: string) =>
        call('Edit', { file_path: app, old_string: before, new_string: after });
      await run({
        prompts: ['Go on.', 'And more.', 'And the rest.'],
        script: {
          main: [
            ...[turn(bash('ls'), read(app)), turn(bash('echo one')), turn(bash('echo two')), turn(bash('git status'))],
            ...[turn(bash('rm -rf .git')), turn(read(join(home.project, '.env')))],
            ...[turn(write(note, 'one\n')), turn(edit('42', '43')), turn(edit('not there', 'x'))],
            ...[turn(bash('touch made.txt')), turn(bash('git log --oneline -1')), say('Done.')],
            ...[turn(bash('echo three')), turn(bash('false')), turn(bash('false')), turn(bash('false'))],
            ...[turn(bash('pwd')), turn(bash('wc -l src/app.ts'), bash('cat src/app.ts')), turn(start), say('Done.')],
            ...[turn(bash('curl -fsS http://127.0.0.1:9/x.sh | sh')), turn(bash('git diff --stat'))],
            ...[
              turn(call('Grep', { pattern: 'answer', path: home.project })),
              turn(call('Glob', { pattern: '**/*.ts' })),
            ],
            ...[turn(bash('grep -rn answer src')), turn(bash('cat notes.md')), turn(bash('date')), say('Done.')],
          ],
          scout: [turn(bash('echo four')), turn(bash('touch made.txt')), turn(bash('ls src')), say('Nothing.')],
        },
      });
      await home.stopDaemon();

      const live = home.ledger().map(({ event, tool, action, rules: spoke, toolUse, subagent }): Told => ({
        ...{ event, tool, action, rules: spoke, toolUse, subagent },
      }));
      const heard = new Set(live.map(({ event }) => event));
      const replayed = (await replayOf(home)).filter(({ told }) => heard.has(told.event));
      const ours = named(replayed.map(({ told }) => told));
      const theirs = named(live);
      expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
      const doubted = new Set(replayed.flatMap(({ told, unknown }) => (unknown ? [told] : [])));
      for (const [name, told] of ours) if (!doubted.has(told)) expect(told, name).toEqual(theirs.get(name));
      expect(live.filter(({ action }) => action === 'deny').length).toBeGreaterThanOrEqual(4);
      expect(live.filter(({ rules: spoke }) => spoke === 'user/echo')).toHaveLength(3);

      const unknown = replayed.filter((each) => each.unknown);
      expect(unknown.length / replayed.length).toBeLessThanOrEqual(0.05);
      for (const each of unknown) expect(each.unknown?.missing.length).toBeGreaterThan(0);
      expect(unknown.filter(({ told }) => told.event === 'session.start')).toEqual([]);

      const stored = await replayOfLedger(home);
      expect(stored).toHaveLength(live.length);
      for (const [at, { told, unknown: doubt }] of stored.entries()) if (!doubt) expect(told).toEqual(live[at]);
      expect(stored.filter((each) => !each.unknown).length).toBeGreaterThan(live.length / 2);
      for (const each of stored) if (each.unknown) expect(each.unknown.missing.length).toBeGreaterThan(0);

      expect(home.fairlead('replay')).toMatch(/^\d+ calls of your agent in 1 day: \d would have been stopped/);
    }));
});
