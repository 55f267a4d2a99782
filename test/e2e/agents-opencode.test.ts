import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testAgent } from './agent-suite.ts';
import type { AgentTurn } from './agent-suite.ts';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { OPENCODE, PLUGIN, runOnce } from './opencode-session.ts';
import { until } from './until.ts';

testAgent(OPENCODE);

const RULES = {
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n',
  'no-secrets': '---\nevent: prompt\nwords: [password]\naction: deny\n---\nNo passwords, please.\n',
};
const INIT = ['init', '--agent', 'opencode', '--scope', 'user', '--yes'];

const call = (name: string, args: object): AgentTurn => ({ call: { name, args } });
const say = (text: string): AgentTurn => ({ text });

async function inHome(work: (home: Home) => Promise<void>): Promise<void> {
  const home = makeHome();
  try {
    OPENCODE.plant(home);
    for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
    home.fairlead(...INIT);
    await work(home);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
}

describe('the client opencode', () => {
  it('holds sub-agents and tools of servers to the rules, also when the engine was killed', () =>
    inHome(async (home) => {
      const kill = async (): Promise<void> => {
        const engine = await until(() => home.daemon());
        if (engine !== undefined) process.kill(engine, 'SIGKILL');
      };
      const { requests, results } = await OPENCODE.run(home, [
        call('task', { description: 'make', prompt: 'Make it.', subagent_type: 'general' }),
        OPENCODE.shell('touch sub.txt'),
        say('It cannot be made.'),
        call('notes_take_down', { path: 'a.ts' }),
        { ...OPENCODE.shell('touch killed.txt'), first: kill },
        say('Done.'),
      ]);
      expect(requests[2]).toContain('Files are not made by `touch sub.txt` here.');
      expect(results).toEqual([
        expect.stringContaining('It cannot be made.'),
        expect.stringContaining('noted a.ts'),
        expect.stringContaining('Files are not made by `touch killed.txt` here.'),
      ]);
      expect(['sub.txt', 'killed.txt'].filter((name) => existsSync(join(home.project, name)))).toEqual([]);
      await home.stopDaemon();
      const ledger = home.ledger();
      expect(ledger.filter(({ event }) => event === 'subagent.start')).toHaveLength(1);
      expect(new Set(ledger.map(({ session }) => session)).size, 'one session').toBe(1);
      const denied = ledger.filter(({ action }) => action === 'deny');
      expect(denied.map(({ subagent }) => subagent !== null)).toEqual([true, false]);
      expect(ledger.some(({ event, tool }) => event === 'tool.after' && tool === 'notes_take_down')).toBe(true);
    }));

  it('a prompt can be refused, a session goes on, and doctor says what became of the plugin', () =>
    inHome(async (home) => {
      const refused = await runOnce(home, [say('Never.')], ['My password is 1234']);
      expect(refused.requests, 'no model hears of it').toEqual([]);
      const session = await runOnce(home, [OPENCODE.shell('touch x.txt'), say('Done.')], ['--continue', 'Go on.']);
      expect(session.results[0]).toContain('Files are not made by `touch x.txt` here.');
      await home.stopDaemon();
      const told = home.ledger().map(({ event, session: id }) => ({ event, id }));
      expect(new Set(told.map(({ id }) => id)).size, 'one session').toBe(1);
      for (const name of ['session.start', 'session.end'])
        expect(
          told.filter(({ event }) => event === name),
          name,
        ).toHaveLength(2);
      const plugin = join(home.dir, PLUGIN);
      const found = (): string =>
        home
          .findings()
          .flatMap(({ what }) => what)
          .join('\n');
      expect(found()).not.toContain('fairlead.js');
      appendFileSync(plugin, '// more');
      expect(found()).toContain('fairlead.js was changed since Fairlead wrote it.');
      rmSync(plugin);
      expect(found()).toContain('fairlead.js does not call Fairlead any more');
      home.fairlead(...INIT);
      expect(found()).not.toContain('fairlead.js');
    }));
});
