import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lacks } from '../lacking.ts';
import { testAgent } from './agent-suite.ts';
import type { AgentTurn } from './agent-suite.ts';
import { isAlive, makeHome } from './home.ts';
import type { Home } from './home.ts';
import { MACHINE_SETTINGS, QWEN, qwenEnv, qwenWords, startQwenModel } from './qwen-session.ts';
import { until } from './until.ts';
import { openWindow } from './window.ts';

testAgent(QWEN);

const RULES = {
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n',
  'ask-copy': '---\nevent: bash\nwords: [cp]\naction: ask\n---\nA copy needs a person: `{command}`.\n',
};

async function inHome(work: (home: Home) => Promise<void>): Promise<void> {
  const home = makeHome();
  try {
    QWEN.plant(home);
    for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
    const { code, screen } = await home.byPerson('init', '--agent', 'qwen', '--scope', 'user', '--yes');
    expect(code, screen).toBe(0);
    await work(home);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
}

const made = (home: Home, ...names: readonly string[]) => names.filter((name) => existsSync(join(home.project, name)));

describe('the client qwen, besides', () => {
  it('holds what a rule stops also where another hook allows it, and where the engine hangs', () =>
    inHome(async (home) => {
      const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
      const hook = { type: 'command', command: `echo '${JSON.stringify(allow)}'` };
      const settings = { hooks: { PreToolUse: [{ hooks: [hook] }] }, $version: 4 };
      writeFileSync(join(home.dir, MACHINE_SETTINGS), JSON.stringify(settings));
      const [deny, ask, pass, last] = ['touch a.txt', 'cp src/app.ts b.txt', 'echo x > c.txt', 'touch d.txt'].map(
        QWEN.shell,
      );
      let engine: number | undefined;
      const hang = async () => {
        await until(() => (engine = home.daemon()) !== undefined);
        if (engine !== undefined) process.kill(engine, 'SIGSTOP');
      };
      const wake = () => engine !== undefined && isAlive(engine) && process.kill(engine, 'SIGCONT');
      const script = [deny, ask, pass, { ...last, first: hang }, { text: 'Done.' }] as readonly AgentTurn[];
      const { results } = await QWEN.run(home, script).finally(wake);
      expect(results[0]).toContain('[user/no-touch] Files are not made');
      expect(results[1]).toContain('[user/ask-copy] A copy needs a person');
      expect(results[3]).toContain('[user/no-touch] Files are not made');
      expect(made(home, 'a.txt', 'b.txt', 'c.txt', 'd.txt')).toEqual(['c.txt']);
    }));

  it.skipIf(lacks('tmux'))('asks in its own dialog, also where it runs all else without one', () =>
    inHome(async (home) => {
      const calls = ['yes', 'no'].map((name) => QWEN.shell(`cp src/app.ts ${name}.ts`));
      const model = await startQwenModel([...calls, { text: 'Done.' }], []);
      const env = { ...qwenEnv(home, model.url), TERM: 'xterm-256color' };
      const window = openWindow(home, qwenWords('--yolo'), { env });
      try {
        await window.shows(/Type your message/);
        await window.enter('Go on.');
        expect(await window.shows(/Yes, allow once/)).toContain('A copy needs a person: `cp src/app.ts yes.ts`');
        window.press('Enter');
        await window.shows(/`cp src\/app\.ts no\.ts`[\s\S]*Yes, allow once/);
        window.press('Escape');
        await window.shows(/Type your message/);
      } finally {
        await window.close();
        model.close();
      }
      expect(made(home, 'yes.ts', 'no.ts')).toEqual(['yes.ts']);
    }),
  );
});
