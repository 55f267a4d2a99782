import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lacks } from '../lacking.ts';
import { testAgent } from './agent-suite.ts';
import { askedInTerminal, call, COPILOT, runCopilot, spawnAgent } from './copilot-session.ts';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { until } from './until.ts';

testAgent(COPILOT);

const say = (text: string) => ({ text });
const { shell } = COPILOT;

async function inHome(rules: Readonly<Record<string, string>>, work: (home: Home) => Promise<void>): Promise<void> {
  const home = makeHome();
  try {
    COPILOT.plant(home);
    for (const [name, text] of Object.entries(rules)) home.rule(name, text);
    expect(await home.byPerson('init', '--agent', 'copilot', '--scope', 'user', '--yes')).toMatchObject({ code: 0 });
    await work(home);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
}

const NO_TOUCH = '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n';
const ASK_COPY = '---\nevent: bash\nwords: [cp]\naction: ask\n---\nA copy needs a person: `{command}`.\n';

describe('the client copilot, besides', () => {
  it('holds edits and the calls of sub-agents like any other, also where the engine was killed', () =>
    inHome({ 'no-touch': NO_TOUCH }, async (home) => {
      const lock = join(home.project, 'package-lock.json');
      const app = join(home.project, 'src', 'app.ts');
      writeFileSync(lock, '{}\n');
      const kill = async (): Promise<void> => {
        const engine = await until(() => home.daemon());
        if (engine !== undefined) process.kill(engine, 'SIGKILL');
      };
      const { results } = await runCopilot(
        home,
        [
          call('edit', { path: lock, old_str: '{}', new_str: '[]' }),
          call('view', { path: app }),
          call('edit', { path: app, old_str: '42', new_str: '43' }),
          spawnAgent,
          { ...shell('touch made.txt'), first: kill },
          say('Done.'),
        ],
        { sub: [shell('touch sub.txt'), say('Could not.')] },
      );
      expect(results[0]).toContain('package-lock.json is written by `npm install`');
      expect([readFileSync(lock, 'utf8'), readFileSync(app, 'utf8')]).toEqual(['{}\n', 'export const answer = 43;\n']);
      expect(results[3]).toBe('Could not.');
      expect(results[4]).toContain('Files are not made by `touch made.txt` here.');
      expect(['sub.txt', 'made.txt'].filter((name) => existsSync(join(home.project, name)))).toEqual([]);
      await home.stopDaemon();
      const ledger = home.ledger();
      expect(ledger.flatMap(({ event, tool }) => (event === 'tool.after' ? [tool] : []))).toContain('edit');
      expect(ledger.filter(({ action }) => action === 'deny')).toMatchObject([
        { rules: 'user/no-touch', subagent: expect.any(String) },
        { rules: 'user/no-touch', subagent: null },
      ]);
      expect(new Set(ledger.map(({ session }) => session)).size, 'one session').toBe(1);
    }));

  it.skipIf(lacks('tmux'))('an ask asks the person at the terminal, also where everything else is allowed', () =>
    inHome({ 'ask-copy': ASK_COPY }, async (home) => {
      const { screen } = await askedInTerminal(home, [shell('cp src/app.ts copied.ts'), say('Done.')], {
        seen: /Do you want to allow this tool call/,
        key: 'Enter',
        args: ['--yolo'],
      });
      expect(screen).toContain('[user/ask-copy] A copy needs a person: `cp src/app.ts copied.ts`.');
      expect(existsSync(join(home.project, 'copied.ts'))).toBe(true);
    }),
  );

  it('hooks of a project run where its folder is trusted, and nowhere else', () =>
    inHome({ 'no-touch': NO_TOUCH }, async (home) => {
      const hooks = join(home.project, '.github', 'hooks');
      mkdirSync(hooks, { recursive: true });
      renameSync(join(home.dir, '.copilot', 'hooks', 'fairlead.json'), join(hooks, 'fairlead.json'));
      await runCopilot(home, [shell('touch unseen.txt'), say('Done.')]);
      await runCopilot(home, [shell('touch seen.txt'), say('Done.')], { args: ['--trust-folder'] });
      expect(['unseen.txt', 'seen.txt'].filter((name) => existsSync(join(home.project, name)))).toEqual(['unseen.txt']);
    }));

  it.each(['command', 'http'] as const)('entries of the project for Claude Code start nothing there: %s', (transport) =>
    inHome({ 'no-touch': NO_TOUCH }, async (home) => {
      await home.init(transport, '--scope', 'local');
      const { results } = await runCopilot(
        home,
        [shell('echo passed > passed.txt'), shell('touch made.txt'), say('Done.')],
        { args: ['--trust-folder'] },
      );
      expect(results[1]).toContain('Files are not made by `touch made.txt` here.');
      expect(existsSync(join(home.project, 'passed.txt')), results[0]).toBe(true);
      expect(new Set(home.ledger().map(({ agent }) => agent))).toEqual(new Set(['copilot']));
    }),
  );
});
