import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { failedHooks, hooksRun } from './flaws.ts';
import { missingShown } from './gaps.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, read, say, turn } from './model.ts';
import type { Turn } from './model.ts';
import { runSession } from './session.ts';
import type { Session } from './session.ts';
import { until } from './until.ts';

const rules = {
  before: '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};
const DENIED = /^PreToolUse:Bash hook error: \[user\/no-touch\] Not by `touch made-\d+`\.\n/;

/** Ends the engine, if one runs, with no chance to write anything; returns its process id. */
function killDaemon(home: Home): number | undefined {
  const pid = home.daemon();
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  return pid;
}

/** The engines that run, which are one, found without asking it. */
const enginesOf = (home: Home): string[] => home.processes().filter((line) => line.includes('daemon.js'));

function madeIn({ project }: Home): string[] {
  return readdirSync(project).filter((name) => name.startsWith('made-'));
}

function notDenied({ results }: Session, turns: readonly Turn[]): unknown[] {
  return turns
    .flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])))
    .filter(({ input }) => String(input['command']).startsWith('touch'))
    .map(({ id }) => results.get(id))
    .filter((result) => result === undefined || !result.failed || !DENIED.test(result.text));
}

function unanswered({ results }: Session, turns: readonly Turn[]): unknown[] {
  return turns.flatMap(({ content }) => content.filter((block) => block.type === 'tool_use' && !results.has(block.id)));
}

it('killed again and again, over command: each call is answered, each deny denies, one engine is left', () =>
  inHome({ transport: 'command', rules }, async (home, run) => {
    const killed = new Set<number>();
    const kill = (): void => {
      const pid = killDaemon(home);
      if (pid !== undefined) killed.add(pid);
    };
    /** However busy the machine is: only an engine that is there can be killed. */
    const isUp = (): Promise<number | undefined> => until(() => home.daemon());
    const app = join(home.project, 'src', 'app.ts');
    const turns = Array.from({ length: 16 }, (_, at): Turn => {
      const calls = turn(read(app), bash(`echo ${at}`), bash(`touch made-${at}`), read(app));
      // Between two turns, and while hooks of the next calls are on their way; not at the end, where none comes any more.
      if (at === 15 || at % 4 < 2) return calls;
      const strike = at % 4 === 2 ? kill : () => void setTimeout(kill, 30);
      return { ...calls, first: () => isUp().then(strike) };
    });
    const session = await run({ script: { main: [...turns, say('Done.')] } });
    expect(unanswered(session, turns)).toEqual([]);
    expect(notDenied(session, turns)).toEqual([]);
    expect(madeIn(home)).toEqual([]);
    expect(killed.size).toBe(7);
    expect(await until(() => home.daemon() !== undefined && enginesOf(home).length === 1)).toBe(true);

    await home.stopDaemon();
    const ledger = home.ledger();
    const denied = ledger.filter(({ action, copy }) => action === 'deny' && !copy);
    expect(denied).toHaveLength(turns.length);
    expect(new Set(denied.map(({ toolUse }) => toolUse)).size).toBe(turns.length);
    expect(ledger.filter(({ rules: by, copy }) => by === 'user/before' && !copy)).toHaveLength(turns.length);
    const ran = Object.values(hooksRun(session)).reduce((sum, count) => sum + count, 1);
    const missing = ran - ledger.filter(({ copy }) => !copy).length;
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThanOrEqual(missingShown(home.findings(), session.id));
  }));

it('killed over http where no rule fails closed: the session goes on, and the next prompt brings the engine back', () => {
  // A rule that denies would stop what nobody could look at, and so would the guard; see the next test for that.
  const open = { ...rules, 'no-touch': rules['no-touch'].replace('action: deny', 'action: deny\nonError: pass') };
  return inHome({ transport: 'http', rules: open, config: 'packs:\n  guard: off\n' }, async (home) => {
    const app = join(home.project, 'src', 'app.ts');
    const calls = (at: number): Turn => turn(read(app), bash(`touch made-${at}`));
    const [before, between, after] = [calls(1), { ...calls(2), first: () => killDaemon(home) }, calls(3)];
    const session = await runSession(home, {
      prompts: ['Go on.', 'Go on.'],
      script: { main: [before, between, say('Done.'), after, say('Done.')] },
    });
    expect(session).toMatchObject({ code: 0, stderr: '' });
    expect(unanswered(session, [before, between, after])).toEqual([]);
    expect(notDenied(session, [before]), 'before').toEqual([]);
    expect(notDenied(session, [after]), 'after the next prompt').toEqual([]);
    // Over HTTP nobody is there to decide, and the client lets the call through: this is what the transport costs.
    expect(madeIn(home)).toEqual(['made-2']);
    for (const flaw of failedHooks(session.stream))
      expect(flaw).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up|hook_no_verdict/);
    expect(await until(() => home.daemon() !== undefined && enginesOf(home).length === 1)).toBe(true);
  });
});

it('killed over http with a rule that denies: what no engine could look at does not run', () =>
  inHome(
    {
      transport: 'http',
      rules: { 'no-touch': rules['no-touch'] },
      config: 'packs:\n  guard: off\n',
    },
    async (home) => {
      const before = bash('touch made-1');
      const between = bash('touch made-2');
      const session = await runSession(home, {
        script: {
          main: [turn(before), { ...turn(between), first: () => killDaemon(home) }, say('Done.')],
        },
      });
      expect(session.results.get(before.id)).toMatchObject({ failed: true, text: expect.stringMatching(DENIED) });
      expect(session.results.get(between.id)).toMatchObject({ failed: true, text: expect.stringMatching(/onFailure/) });
      expect(madeIn(home)).toEqual([]);
      expect(session.requests.some(({ raw }) => raw.includes(home.token() ?? 'Bearer'))).toBe(false);
    },
  ));
