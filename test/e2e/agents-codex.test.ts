import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphPaths } from '../../src/graph/index.ts';
import { launchDir } from '../../src/transport/launch-place.ts';
import { bash, codexProgram, patch, plantSettings, runCodex, say, spawnAgent } from './codex-session.ts';
import type { Session, Turn } from './codex-session.ts';
import { gate } from './gate.ts';
import { CHECKOUT, makeHome } from './home.ts';
import type { Home } from './home.ts';
import { until } from './until.ts';

interface Place {
  readonly home: Home;
  /** What the files of the client held before anything of ours. */
  readonly before: readonly (string | undefined)[];
  files(): readonly (string | undefined)[];
  run(script: readonly Turn[], sub?: readonly Turn[]): Promise<Session>;
}

const HOOKS =
  '{\n  "description": "mine",\n  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] }\n}\n';
const INIT = ['init', '--agent', 'codex', '--scope', 'user', '--yes'];

/** Installs into a new home with settings of a person, lets `work` run sessions there, and takes it all away again. */
async function inHome(
  { rules = {}, init = ['--trust'] }: { rules?: Readonly<Record<string, string>>; init?: readonly string[] },
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const home = makeHome();
  try {
    const files = () =>
      ['hooks.json', 'config.toml'].map((name) => {
        const path = join(home.dir, '.codex', name);
        return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      });
    plantSettings(home);
    writeFileSync(join(home.dir, '.codex', 'hooks.json'), HOOKS);
    const before = files();
    for (const [name, text] of Object.entries(rules)) home.rule(name, text);
    const { code, screen } = await home.byPerson(...INIT, ...init);
    expect(code, screen).toBe(0);
    await work({
      home,
      before,
      files,
      run: async (script, sub) => {
        const session = await runCodex(home, script, sub);
        expect([session.code, session.stderr.match(/hook: .*(?:Failed|Error).*/gi)], session.stderr).toEqual([0, null]);
        return session;
      },
    });
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
}

const RULES = {
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n',
  'ask-copy': '---\nevent: bash\nwords: [cp]\naction: ask\n---\nA copy needs a person: `{command}`.\n',
  greeting: '---\nevent: bash\nwords: [echo]\nthrottle: {once: session}\n---\nSaid once.\n',
  'prove-it': '---\nevent: stop\nwords: [all is well]\naction: deny\n---\nShow what makes you say so.\n',
};

describe('the client codex', () => {
  it('a denial prevents the effect and gives the reason, an ask is a denial with the way out, a note comes once', () =>
    inHome({ rules: RULES }, async ({ home, run }) => {
      const session = await run([
        bash('touch denied.txt'),
        bash('cp src/app.ts asked.txt'),
        bash('echo one > one.txt'),
        bash('echo two > two.txt'),
        patch('*** Add File: package-lock.json', '+{}'),
        say('So all is well.'),
        say('Done.'),
      ]);
      const [denied, asked, one, , lock] = session.results;
      expect(denied).toContain('[user/no-touch] Files are not made by `touch denied.txt` here.');
      expect(denied).toMatch(/A person can let it through: `fairlead allow-once \w{6}`/);
      expect(asked).toContain('[user/ask-copy] A copy needs a person: `cp src/app.ts asked.txt`.');
      expect(asked).toMatch(/Nobody can be asked here\. A person can run it in a terminal, or let it through/);
      expect(one).toContain('exited with code 0');
      expect(lock).toContain('package-lock.json is written by `npm install`');
      const made = ['denied.txt', 'asked.txt', 'package-lock.json', 'one.txt', 'two.txt'];
      expect(made.filter((name) => existsSync(join(home.project, name)))).toEqual(['one.txt', 'two.txt']);
      expect(session.told.filter((text) => text.includes('[user/greeting] Said once.'))).toHaveLength(1);
      expect(session.requests.at(-1)).toContain('Show what makes you say so.');
      await home.stopDaemon();
      const ledger = home.ledger();
      expect(
        ledger.filter(({ action }) => action !== 'pass').map(({ event, action, rules }) => [event, action, rules]),
      ).toEqual([
        ['tool.before', 'deny', 'user/no-touch'],
        ['tool.before', 'deny', 'user/ask-copy'],
        ['tool.before', 'deny', 'basics/generated-file'],
        ['turn.stop', 'deny', 'user/prove-it'],
      ]);
      for (const event of ['session.start', 'prompt.submit', 'tool.after', 'session.end'])
        expect(ledger.map((row) => row.event)).toContain(event);
    }));

  it('what is saved first can be undone, by a command and by a patch, and uninstall leaves the settings byte for byte', () =>
    inHome({}, async ({ home, before, files, run }) => {
      expect(files()).not.toEqual(before);
      home.config('undo:\n  budgetMs: 5000\n');
      const at = (name: string) => join(home.project, name);
      mkdirSync(at('src/old'));
      writeFileSync(at('src/old/plan.txt'), 'plan\n');
      writeFileSync(at('draft.txt'), 'draft\n');
      const session = await run([
        // The client itself refuses to force it.
        bash('rm -r src/old'),
        patch('*** Delete File: draft.txt'),
        say('Done.'),
      ]);
      expect([at('src/old'), at('draft.txt')].filter(existsSync), session.results.join('\n')).toEqual([]);
      expect(session.told.join('\n')).toContain('`src/old` was kept as undo 1.');
      expect(await home.byPerson('undo', '1', '--yes')).toMatchObject({ code: 0 });
      expect(readFileSync(at('src/old/plan.txt'), 'utf8')).toBe('plan\n');
      // One file is kept and nobody told.
      expect(await home.byPerson('undo', '2', '--yes')).toMatchObject({ code: 0 });
      expect(readFileSync(at('draft.txt'), 'utf8')).toBe('draft\n');
      expect(await home.byPerson('uninstall', '--scope', 'user', '--yes')).toMatchObject({ code: 0 });
      expect(files()).toEqual(before);
    }));

  it('a search is answered from the graph', () =>
    inHome({ init: ['--trust', '--pack', 'autocontext', '--pack', 'codegraph', '--user'] }, async ({ home, run }) => {
      const put = (path: string, text: string) => {
        mkdirSync(dirname(join(home.project, path)), { recursive: true });
        writeFileSync(join(home.project, path), text);
      };
      put('src/price.ts', 'export function priceOf(item: string): number {\n  return item.length;\n}\n');
      put('src/cart.ts', `import { priceOf } from './price.ts';\n\nexport const total = (a: string) => priceOf(a);\n`);
      const { init, artifacts } = graphPaths(home.state, home.project);
      const isIndexed = () =>
        existsSync(init) &&
        readFileSync(init, 'utf8').includes('"stable"') &&
        existsSync(join(artifacts, 'architecture.png'));
      const indexed = async () => expect(await until(isIndexed), 'the index').toBe(true);
      const session = await run([{ ...bash('grep -rn priceOf .'), first: indexed }, say('Found.')]);
      const notes = session.told.filter((text) => text.includes('[codegraph/search-nudge]'));
      expect(notes).toEqual([expect.stringContaining('src/price.ts:1')]);
    }));

  it('sub-agents are told apart, and their calls are held like any other', () =>
    inHome({ rules: RULES }, async ({ home, run }) => {
      const subIsOver = gate(1);
      await run(
        [spawnAgent, { ...bash('sleep 1'), first: () => subIsOver.opened }, say('Done.')],
        [bash('touch sub.txt'), { ...say('Could not.'), first: () => subIsOver.pass() }],
      );
      expect(existsSync(join(home.project, 'sub.txt'))).toBe(false);
      await home.stopDaemon();
      const held = home.ledger().filter(({ action }) => action === 'deny');
      expect(held).toMatchObject([{ event: 'tool.before', rules: 'user/no-touch', subagent: expect.any(String) }]);
    }));

  it('calls nothing that no person has agreed to, and init, doctor and the way out say so', () =>
    inHome({ rules: RULES, init: [] }, async ({ home, run }) => {
      const attention = () =>
        home
          .findings()
          .filter(({ level }) => level === 'attention')
          .map(({ what }) => what)
          .join('\n');
      await run([bash('touch unseen.txt'), say('Done.')]);
      expect(existsSync(join(home.project, 'unseen.txt'))).toBe(true);
      expect(attention()).toMatch(/codex leaves out hooks of .*hooks\.json: \d+ entries are not agreed to by a person/);
      const { screen } = await home.byPerson(...INIT);
      expect(screen).toContain('fairlead init --agent codex --scope user --trust');
      expect(await home.byPerson(...INIT, '--trust')).toMatchObject({ code: 0 });
      expect(attention()).not.toContain('codex leaves out');
      await run([bash('touch seen.txt'), say('Done.')]);
      expect(existsSync(join(home.project, 'seen.txt'))).toBe(false);
    }));

  it('a call is stopped where the program is gone', () =>
    inHome({ rules: RULES }, async ({ home }) => {
      await home.stopDaemon();
      renameSync(launchDir(home.state), `${launchDir(home.state)}-gone`);
      const session = await runCodex(home, [bash('echo x > made.txt'), say('Done.')]);
      expect(session.results[0]).toContain('Fairlead cannot start');
      expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
    }));
});

it('the plugin calls once, brings tools and skills, and leaves nothing', async () => {
  const home = makeHome();
  const codex = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(codexProgram(), args, { cwd: home.project, env: home.env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`codex ${args.join(' ')} exited with ${status}: ${stderr}`);
  };
  try {
    home.rule('no-touch', '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n');
    const before = plantSettings(home);
    // Puts what hooks start into the state; no agent is wired by it.
    home.fairlead('init', '--agent', 'claude-code', '--yes', '--scope', 'user');
    codex('plugin', 'marketplace', 'add', CHECKOUT);
    codex('plugin', 'add', 'fairlead@fairlead');
    // Its hooks wait for a person's yes, which no script can give; a run may do without.
    const script = [bash('touch made.txt'), ...Array.from({ length: 5 }, () => bash('sleep 2')), say('Done.')];
    const { results, requests } = await runCodex(home, script, [], ['--dangerously-bypass-hook-trust']);
    expect(results[0]).toEqual(expect.stringContaining('[user/no-touch] Not by `touch made.txt`.'));
    expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
    for (const name of ['fairlead:why', 'fairlead:undo']) expect(requests[0]).toContain(name);
    // The client tells its model of a server as soon as it answers, by the tool that finds tools.
    expect(requests.at(-1)).toMatch(/access to tools from the following sources:[^"]*- fairlead\\n/);
    await home.stopDaemon();
    const calls = home.ledger().filter(({ event, action }) => event === 'tool.before' && action === 'deny');
    expect(calls.map(({ copy }) => copy)).toEqual([false]);
    codex('plugin', 'remove', 'fairlead@fairlead');
    codex('plugin', 'marketplace', 'remove', 'fairlead');
    expect(readFileSync(join(home.dir, '.codex', 'config.toml'), 'utf8')).toBe(before);
    expect(
      readdirSync(join(home.dir, '.codex', 'plugins'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.includes('fairlead/'),
      ),
    ).toEqual([]);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
});
