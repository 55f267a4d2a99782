import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { graphPaths } from '../../src/graph/index.ts';
import { launchDir } from '../../src/transport/launch-place.ts';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { until } from './until.ts';

/** One reply of the model: a call, or what it says. `first` runs before it. */
export interface AgentTurn {
  readonly call?: { readonly name: string; readonly args: object };
  readonly text?: string;
  readonly first?: () => unknown;
}

export interface AgentSession {
  readonly code: number | null;
  /** What the model was sent, request by request. */
  readonly requests: readonly string[];
  /** The results of its calls, in order. */
  readonly results: readonly string[];
  /** All that it had been told in the end. */
  readonly told: string;
  readonly stderr: string;
}

/** What there is to know to drive the real client of an agent. */
export interface AgentDriver {
  readonly agent: string;
  /** Its files that are changed by `init --scope user`, below the home. */
  readonly files: readonly string[];
  /** Settings of a person, with a comment that has to stay where the agent takes comments. */
  plant(home: Home): void;
  readonly init?: readonly string[];
  /** What the model is told of an ask, where the client itself makes a denial of it because nobody sits at it. */
  readonly unasked?: RegExp;
  /** It does not tell at the end of a turn what its model said. */
  readonly endsSilently?: true;
  shell(command: string): AgentTurn;
  write(path: string, content: string): AgentTurn;
  search(pattern: string): AgentTurn;
  /** Other calls that show how the client tells of its tools; for who records it. */
  more?(home: Home): readonly AgentTurn[];
  /** `isHeard`: to the moment at which the model has heard all that it is to hear of the script. */
  run(home: Home, script: readonly AgentTurn[], isHeard?: boolean): Promise<AgentSession>;
}

const say = (text: string): AgentTurn => ({ text });

const RULES = {
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nFiles are not made by `{command}` here.\n',
  'ask-copy': '---\nevent: bash\nwords: [cp]\naction: ask\n---\nA copy needs a person: `{command}`.\n',
  greeting: '---\nevent: bash\nwords: [echo]\nthrottle: {once: session}\n---\nSaid once.\n',
  'prove-it': '---\nevent: stop\nwords: [all is well]\naction: deny\n---\nShow what makes you say so.\n',
};

const PROVE_ONCE = '---\nevent: stop\nthrottle: {once: session}\naction: deny\n---\nShow what makes you say so.\n';

interface Place {
  readonly home: Home;
  /** What the files of the client held before anything of ours. */
  readonly before: readonly (string | undefined)[];
  files(): readonly (string | undefined)[];
  run(...script: readonly AgentTurn[]): Promise<AgentSession>;
}

/** What holds with the real client of every agent. */
export function testAgent(driver: AgentDriver): void {
  const { shell, write, search } = driver;

  /** Installs into a new home with settings of a person, lets `work` run sessions there, and takes it all away again. */
  async function inHome(
    { rules = {}, init = [] }: { rules?: Readonly<Record<string, string>>; init?: readonly string[] },
    work: (place: Place) => Promise<void>,
  ): Promise<void> {
    const home = makeHome();
    try {
      const files = () =>
        driver.files.map((name) => {
          const path = join(home.dir, name);
          return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
        });
      driver.plant(home);
      const before = files();
      for (const [name, text] of Object.entries(rules)) home.rule(name, text);
      const words = ['init', '--agent', driver.agent, '--scope', 'user', '--yes', ...(driver.init ?? []), ...init];
      const { code, screen } = await home.byPerson(...words);
      expect(code, screen).toBe(0);
      const run = async (...script: readonly AgentTurn[]) => {
        const session = await driver.run(home, script, true);
        expect(session.code, session.stderr).toBe(0);
        return session;
      };
      await work({ home, before, files, run });
    } finally {
      expect(await home.remove(), 'processes left').toEqual([]);
    }
  }

  describe(`the client ${driver.agent}`, () => {
    it('a denial prevents the effect and gives the reason, an ask is a denial with the way out, a note comes once', () =>
      inHome({ rules: driver.endsSilently ? { ...RULES, 'prove-it': PROVE_ONCE } : RULES }, async ({ home, run }) => {
        const session = await run(
          shell('touch denied.txt'),
          shell('cp src/app.ts asked.txt'),
          shell('echo one > one.txt'),
          shell('echo two > two.txt'),
          write(join(home.project, 'package-lock.json'), '{}'),
          say('So all is well.'),
          say('Done.'),
        );
        const [denied, asked, , , lock] = session.results;
        expect(denied).toContain('[user/no-touch] Files are not made by `touch denied.txt` here.');
        expect(denied).toMatch(/A person can let it through: `fairlead allow-once \w{6}`/);
        expect(asked).toContain('[user/ask-copy] A copy needs a person: `cp src/app.ts asked.txt`.');
        expect(asked).toMatch(
          driver.unasked ?? /Nobody can be asked here\. A person can run it in a terminal, or let it through/,
        );
        expect(lock).toContain('package-lock.json is written by `npm install`');
        const made = ['denied.txt', 'asked.txt', 'package-lock.json', 'one.txt', 'two.txt'];
        expect(made.filter((name) => existsSync(join(home.project, name)))).toEqual(['one.txt', 'two.txt']);
        expect(session.told.split('[user/greeting] Said once.'), session.told).toHaveLength(2);
        expect(session.told).toContain('Show what makes you say so.');
        await home.stopDaemon();
        const ledger = home.ledger();
        const held = driver.unasked ? 'ask' : 'deny';
        expect(
          ledger.filter(({ action }) => action !== 'pass').map(({ event, action, rules }) => [event, action, rules]),
        ).toEqual([
          ['tool.before', 'deny', 'user/no-touch'],
          ['tool.before', held, 'user/ask-copy'],
          ['tool.before', held, 'basics/generated-file'],
          ['turn.stop', 'deny', 'user/prove-it'],
        ]);
        for (const event of ['session.start', 'prompt.submit', 'tool.after'])
          expect(ledger.map((row) => row.event)).toContain(event);
      }));

    it('what is saved first can be undone, and uninstall leaves the settings byte for byte', () =>
      inHome({}, async ({ home, before, files, run }) => {
        expect(files()).not.toEqual(before);
        home.config('undo:\n  budgetMs: 5000\n');
        const at = (name: string) => join(home.project, name);
        mkdirSync(at('src/old'));
        writeFileSync(at('src/old/plan.txt'), 'plan\n');
        const session = await run(shell('rm -r src/old'), say('Done.'));
        expect(existsSync(at('src/old')), session.results.join('\n')).toBe(false);
        expect(session.told).toContain('`src/old` was kept as undo 1.');
        expect(await home.byPerson('undo', '1', '--yes')).toMatchObject({ code: 0 });
        expect(readFileSync(at('src/old/plan.txt'), 'utf8')).toBe('plan\n');
        expect(await home.byPerson('uninstall', '--scope', 'user', '--yes')).toMatchObject({ code: 0 });
        expect(files()).toEqual(before);
      }));

    it('a search is answered from the graph', () =>
      inHome({ init: ['--pack', 'autocontext', '--pack', 'codegraph', '--user'] }, async ({ home, run }) => {
        const put = (path: string, text: string) => {
          mkdirSync(dirname(join(home.project, path)), { recursive: true });
          writeFileSync(join(home.project, path), text);
        };
        put('src/price.ts', 'export function priceOf(item: string): number {\n  return item.length;\n}\n');
        put(
          'src/cart.ts',
          `import { priceOf } from './price.ts';\n\nexport const total = (a: string) => priceOf(a);\n`,
        );
        const { init, artifacts } = graphPaths(home.state, home.project);
        const isIndexed = () =>
          existsSync(init) &&
          readFileSync(init, 'utf8').includes('"stable"') &&
          existsSync(join(artifacts, 'architecture.png'));
        const indexed = async () => expect(await until(isIndexed), 'the index').toBe(true);
        const { told } = await run({ ...search('priceOf'), first: indexed }, say('Found.'));
        expect(told.split('[codegraph/search-nudge]'), told).toHaveLength(2);
        expect(told).toContain('src/price.ts:1');
      }));

    it('a call is stopped where the engine is killed, and where the program is gone', () =>
      inHome({ rules: RULES }, async ({ home }) => {
        const kill = async () => {
          const engine = await until(() => home.daemon());
          if (engine === undefined) throw new Error('no engine came up');
          process.kill(engine, 'SIGKILL');
        };
        const killed = await driver.run(home, [{ ...shell('touch denied.txt'), first: kill }, say('Done.')]);
        expect(killed.results[0]).toContain('[user/no-touch] Files are not made by `touch denied.txt` here.');
        expect(existsSync(join(home.project, 'denied.txt'))).toBe(false);
        await home.stopDaemon();
        renameSync(launchDir(home.state), `${launchDir(home.state)}-gone`);
        const session = await driver.run(home, [shell('echo x > made.txt'), say('Done.')]);
        expect(session.results[0]).toContain('Fairlead cannot start');
        expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
      }));
  });
}
