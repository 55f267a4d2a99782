import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adapterNamed, ADAPTERS } from '../../src/adapters/registry.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { openReplayEngine } from '../../src/replay/replay-engine.ts';
import type { Outcome } from '../../src/replay/replay-engine.ts';
import { partsOf, replay, replayStored } from '../../src/replay/replay.ts';
import type { Replayed } from '../../src/replay/replay.ts';
import { ledgerEvents } from '../../src/replay/ledger-events.ts';
import { TRANSPORTS } from './home.ts';
import type { Home, LedgerEvent } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn, write } from './model.ts';

const rules = {
  echo: '---\nevent: bash\nwords: [echo]\nthrottle: once per turn\n---\nNoted before {command}.\n',
  once: '---\nevent: tool.after\ntool: bash\nthrottle: once per session\n---\nNoted after.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

/** What the ledger and a replay both tell of an event. */
type Told = Pick<LedgerEvent, 'event' | 'tool' | 'action' | 'rules' | 'toolUse' | 'subagent'>;

interface ToldAgain {
  readonly told: Told;
  readonly unknown: Outcome['unknown'];
}

const engineIn = ({ dir, state }: Home) =>
  openReplayEngine({
    paths: { config: join(dir, '.config', 'fairlead'), state, run: join(state, 'run') },
    userHome: dir,
    files: nodeFiles,
  });

async function tellAgain(run: AsyncIterable<Replayed>): Promise<ToldAgain[]> {
  const found: ToldAgain[] = [];
  for await (const { outcomes } of run)
    for (const { row, event, unknown } of outcomes) {
      const { tool, action, rules: spoke } = row;
      const [toolUse, subagent] = [event.tool?.id ?? null, event.subagent?.id ?? null];
      found.push({ told: { event: row.event, tool, action, rules: spoke, toolUse, subagent }, unknown });
    }
  return found;
}

async function replayOf(home: Home): Promise<ToldAgain[]> {
  const found: ToldAgain[] = [];
  for (const adapter of ADAPTERS) {
    const { transcripts } = adapter;
    if (!transcripts) continue;
    const recorder = { adapter, transcripts };
    const mains = transcripts.all({ home: home.dir, variable: () => undefined }, (path) => nodeFiles.list(path));
    const parts = partsOf(mains, recorder, nodeFiles, 0);
    found.push(...(await tellAgain(replay({ recorder, parts, engines: [engineIn(home)], files: nodeFiles }))));
  }
  return found;
}

async function replayOfLedger(home: Home): Promise<ToldAgain[]> {
  const db = new DatabaseSync(join(home.state, 'state.db'), { readOnly: true });
  try {
    return await tellAgain(replayStored(ledgerEvents(db), [engineIn(home)], adapterNamed));
  } finally {
    db.close();
  }
}

/** The ledger has rows in the order in which they were written; of events of one name each is told by its number. */
function named(events: readonly Told[]): ReadonlyMap<string, Told> {
  const counts = new Map<string, number>();
  return new Map(
    events.map((told) => {
      const name = `${told.event} ${told.toolUse} ${told.subagent}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [`${name} ${count}`, told];
    }),
  );
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
