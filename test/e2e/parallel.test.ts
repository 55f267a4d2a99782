import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hooksRun } from './flaws.ts';
import { gate } from './gate.ts';
import { TRANSPORTS } from './home.ts';
import type { Home, LedgerEvent } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, read, say, turn } from './model.ts';
import type { ToolUse } from './model.ts';
import { missingShown } from './gaps.ts';
import { heardInAll } from './session.ts';
import type { Session } from './session.ts';

const rules = {
  before: '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

function eventsOf(ledger: readonly LedgerEvent[], { id }: ToolUse): string[] {
  return ledger.flatMap(({ toolUse, event, action, rules: by }) =>
    toolUse === id ? [`${event} ${action} ${by}`.trim()] : [],
  );
}

describe.each(TRANSPORTS)('many at once over %s', (transport) => {
  it('calls of one message are each decided and recorded once', () =>
    inHome({ transport, rules }, async (home, run) => {
      const app = join(home.project, 'src', 'app.ts');
      const reads = Array.from({ length: 8 }, () => read(app));
      const echo = bash('echo one');
      const touch = bash('touch two');
      const session = await run({ script: { main: [turn(...reads, echo, touch), say('Done.')] } });
      expect(session.results.size).toBe(10);
      await home.stopDaemon();
      const ledger = home.ledger();
      for (const each of reads) expect(eventsOf(ledger, each)).toEqual(['tool.before pass', 'tool.after pass']);
      expect(eventsOf(ledger, echo)).toEqual(['tool.before pass user/before', 'tool.after pass']);
      expect(eventsOf(ledger, touch)).toEqual(['tool.before deny user/no-touch']);
      expect(ledger.filter(({ copy }) => copy)).toEqual([]);
      expect(countsOf(ledger)).toEqual({ ...hooksRun(session), 'session.end': 1 });
    }));

  it('three sessions of 100 calls each lose nothing that was decided, and hide no gap', () =>
    inHome({ transport, rules }, async (home, run) => {
      const plans = Array.from({ length: 3 }, () => planOf(home));
      const sessions = await Promise.all(
        plans.map((calls) => run({ script: { main: [...inTurns(calls, 5), say('Done.')] } })),
      );
      await home.stopDaemon();
      const ledger = home.ledger();
      for (const [at, session] of sessions.entries()) {
        const calls = plans[at] ?? [];
        expect(calls.filter(({ id }) => !session.results.has(id))).toEqual([]);
        const own = ledger.filter((row) => row.session === session.id);
        expect(decidedIn(own)).toEqual(decidedBy(calls));
        const missing = expectedRows(session) - own.length;
        expect(missing).toBeGreaterThanOrEqual(0);
        expect(missing).toBeLessThanOrEqual(missingShown(home.findings(), session.id));
      }
      expect(ledger.filter(({ copy }) => copy)).toEqual([]);
    }));
});

describe.each(TRANSPORTS)('sessions at the same time over %s', (transport) => {
  it('hear of what another has changed since they read it, in their directory and in another work tree', () =>
    inHome({ transport }, async (home, run) => {
      const topic = join(home.dir, 'topic');
      execFileSync('git', ['worktree', 'add', '-q', '-b', 'topic', topic], { cwd: home.project, env: home.env });
      const app = (dir: string) => join(dir, 'src', 'app.ts');
      const edit = (dir: string) =>
        call('Edit', { file_path: app(dir), old_string: 'answer = 42', new_string: 'answer = 43' });
      const hasRead = gate(2);
      const isChanged = gate(1);
      const isOver = gate(2);
      const first = run({
        script: {
          main: [
            turn(read(app(home.project))),
            { ...turn(edit(home.project)), first: () => hasRead.opened },
            {
              ...say('Done.'),
              first() {
                isChanged.pass();
                return isOver.opened;
              },
            },
          ],
        },
      });
      const other = (cwd: string, change: ToolUse) =>
        run({
          cwd,
          script: {
            main: [
              turn(read(app(cwd))),
              {
                ...turn(change),
                first() {
                  hasRead.pass();
                  return isChanged.opened;
                },
              },
              turn(bash(`sed -i s/43/44/ ${app(cwd)}`)),
              { ...say('Done.'), first: () => isOver.pass() },
            ],
          },
        });
      const [{ id }, beside, apart] = await Promise.all([
        first,
        other(home.project, bash('sed -i s/43/45/ src/app.ts')),
        other(topic, edit(topic)),
      ]);
      const who = `another session (claude-code "${id.slice(0, 8)}")`;
      const [near, ...moreNear] = heardInAll(beside);
      expect(near).toContain(`PreToolUse:Bash hook additional context: [peers/overlap] src/app.ts was changed`);
      expect(near).toContain(`by ${who}: edited near "answer = 42". You have not read it since.`);
      const [far, ...moreFar] = heardInAll(apart);
      expect(far).toContain('PreToolUse:Edit hook additional context: [peers/overlap] src/app.ts was changed');
      expect(far).toContain(`in another work tree of this repository by ${who}: edited near "answer = 42".`);
      expect(far).toContain(`Look at ${app(home.project)} before you go on`);
      expect([...moreNear, ...moreFar].filter((text) => text.includes(id.slice(0, 8)))).toEqual([]);
    }));
});

/** Every fifth call is stopped, every fifth is advised, the others pass in silence. */
function planOf({ project }: Home): ToolUse[] {
  return Array.from({ length: 100 }, (_, at) => {
    if (at % 5 === 1) return bash(`touch made-${at}`);
    return at % 5 === 3 ? bash(`echo ${at}`) : read(join(project, 'src', 'app.ts'));
  });
}

function inTurns(calls: readonly ToolUse[], size: number) {
  return Array.from({ length: Math.ceil(calls.length / size) }, (_, at) =>
    turn(...calls.slice(at * size, (at + 1) * size)),
  );
}

function decidedBy(calls: readonly ToolUse[]): string[] {
  return calls
    .flatMap(({ id, input }) => {
      const { command = '' } = input as { command?: string };
      if (command.startsWith('touch')) return [`${id} deny user/no-touch`];
      return command.startsWith('echo') ? [`${id} pass user/before`] : [];
    })
    .sort();
}

function decidedIn(rows: readonly LedgerEvent[]): string[] {
  return rows
    .flatMap(({ event, toolUse, action, rules: by }) =>
      event === 'tool.before' && by !== '' ? [`${toolUse} ${action} ${by}`] : [],
    )
    .sort();
}

/** One row for each hook that the client ran, and the end of the session, which it does not tell. */
function expectedRows(session: Session): number {
  return Object.values(hooksRun(session)).reduce((sum, count) => sum + count, 1);
}

function countsOf(rows: readonly LedgerEvent[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event } of rows) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}
