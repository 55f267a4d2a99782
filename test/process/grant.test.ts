import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isLong } from '../cases.ts';
import { until } from '../patience.ts';
import { BOOK, carefulIn, NOTHING_ON } from '../../src/engine/careful/book.ts';
import type { CarefulBook } from '../../src/engine/careful/book.ts';
import { pausedId } from '../../src/engine/session/pause.ts';
import { bash, fairlead, isLinux, newHome, product, query, send } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

const SESSION = 'session-of-the-grant';

/** Runs what it is told as the agent runs a shell command: in a shell of its own, quoted, marked with the session, without a terminal. */
const AGENT = `
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, command } = JSON.parse(line);
  const text = "true && eval '" + command.replaceAll("'", "'\\"'\\"'") + "' < /dev/null && true";
  const env = { ...process.env, CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: ${JSON.stringify(SESSION)} };
  const child = spawn('bash', ['-c', text], { detached: true, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let err = '';
  child.stderr.on('data', (data) => (err += data));
  child.on('close', (code) => process.stdout.write(JSON.stringify({ id, code, err }) + '\\n'));
}`;

interface Ended {
  readonly id: number;
  readonly code: number;
  readonly err: string;
}

class Agent {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (ended: Ended) => void>();
  #last = 0;

  constructor(home: Home) {
    const program = join(home.dir, 'claude');
    symlinkSync(process.execPath, program);
    writeFileSync(join(home.dir, 'agent.mjs'), AGENT);
    this.#process = spawn(program, [join(home.dir, 'agent.mjs')], {
      cwd: home.project,
      env: {
        PATH: `${dirname(product.launcher)}:${dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: join(home.dir, 'person'),
        FAIRLEAD_HOME: home.dir,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout } = this.#process;
    if (stdout)
      createInterface({ input: stdout }).on('line', (line) => {
        const ended = JSON.parse(line) as Ended;
        this.#waiting.get(ended.id)?.(ended);
      });
  }

  run(command: string): Promise<Ended> {
    const id = (this.#last += 1);
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#process.stdin?.write(`${JSON.stringify({ id, command })}\n`);
    });
  }

  stop(): void {
    this.#process.kill();
  }
}

/** A verb that an agent's call of is asked about: how it is made to have an effect, and whether it has had it. */
interface Verb {
  readonly verb: string;
  /** More of the same verb, which was not asked about. */
  readonly other: string;
  arm(home: Home): Promise<unknown>;
  isDone(home: Home): boolean;
}

/** What is stored for the verbs, looked up in the state: to ask a verb for it would take a process each time. */
function stored(home: Home, id: string): unknown {
  const cells = query(home.state, 'SELECT id, value FROM cells') as { id: string; value: string }[];
  const value = cells.find((cell) => cell.id === id)?.value;
  return value === undefined ? undefined : JSON.parse(value);
}

const VERBS: readonly Verb[] = [
  {
    verb: 'fairlead careful off',
    other: 'fairlead careful off --all',
    arm: (home) => fairlead(home, 'careful', 'on', '--until-off'),
    isDone: (home) =>
      carefulIn((stored(home, BOOK) ?? NOTHING_ON) as CarefulBook, home.project, Date.now()) === undefined,
  },
  {
    verb: 'fairlead pause',
    other: `fairlead pause --session ${SESSION}`,
    arm: (home) => fairlead(home, 'resume', '--session', SESSION),
    isDone: (home) => stored(home, pausedId(SESSION)) !== undefined,
  },
];

describe.skipIf(!isLinux).each(VERBS)('$verb, called by an agent', ({ verb, other, arm, isDone }) => {
  /** All verbs go through the same gate, so one of them tries every way around it. */
  const triesAll = isLong || verb === VERBS[0]?.verb;
  let home: Home;
  let agent: Agent;

  // One home and one agent for all tests: each begins with an ask of its own, and the one that has none is the first.
  beforeAll(async () => {
    home = newHome({ config: 'packs:\n  guard: on\n', lasts: 'file' });
    agent = new Agent(home);
    await arm(home);
  });
  beforeEach(async () => {
    if (isDone(home)) await arm(home);
  });
  afterAll(() => agent.stop());

  const event = (command: string) => send(home, bash(home, command, { session_id: SESSION }));

  async function ask(command: string): Promise<void> {
    expect((await event(command)).out).toContain('"ask"');
  }

  /** What comes of the command: whether the gate refused it, and whether the verb has had its effect. */
  async function outcomeOf(command: string): Promise<string> {
    const { code, err } = await agent.run(command);
    const said = code === 0 ? 'allowed' : code === 3 && err.includes('is for a person') ? 'refused' : `${code}: ${err}`;
    return `${said}, ${isDone(home) ? 'done' : 'not done'}`;
  }

  it('is refused without an ask', async () => {
    expect(await outcomeOf(verb)).toBe('refused, not done');
  });

  it.each(triesAll ? [verb, `env -u CLAUDECODE -u CLAUDE_CODE_SESSION_ID sh -c '${verb}'`] : [verb])(
    'is done once after an ask for that very command: %s',
    async (command) => {
      await ask(command);
      expect(await outcomeOf(command)).toBe('allowed, done');
      await arm(home);
      expect(await outcomeOf(command)).toBe('refused, not done');
    },
  );

  it('is refused after an ask for another command', async () => {
    await ask(other);
    expect(await outcomeOf(verb)).toBe('refused, not done');
  });

  if (!triesAll) return;
  it('is refused after an ask for another verb', async () => {
    const [another = ''] = VERBS.map((one) => one.verb).filter((one) => one !== verb);
    const command = `sh -c '${another}'; ./then`;
    // Longer than the guard reads: the ask does not know of it.
    const padding = '# nothing\n'.repeat(10_000);
    writeFileSync(join(home.project, 'then'), `#!/bin/sh\n${padding}${verb}\n`, { mode: 0o755 });
    await ask(command);
    expect(await outcomeOf(command)).toBe('refused, not done');
  });

  it('is refused once the session has gone on', async () => {
    await ask(verb);
    await event('ls');
    expect(await outcomeOf(verb)).toBe('refused, not done');
  });

  it('is refused to a process that was there before the ask', async () => {
    const go = join(home.dir, 'go');
    // A second try begins with what the first has left.
    for (const name of ['go', 'early-is-there', 'hidden-is-there', 'hidden'])
      rmSync(join(home.dir, name), { force: true });
    const there = ['early', 'hidden'].map((name) => join(home.dir, `${name}-is-there`));
    const early = agent.run(`touch ${there[0]}; until [ -e ${go} ]; do sleep 0.05; done; ${verb}`);
    const hidden = agent.run(
      `env -i PATH="$PATH" HOME="$HOME" FAIRLEAD_HOME="$FAIRLEAD_HOME" setsid -f sh -c 'touch ${there[1]}; until [ -e ${go} ]; do sleep 0.05; done; CLAUDE_CODE_SESSION_ID=${SESSION} bash -c "${verb}; true"' 2> ${home.dir}/hidden`,
    );
    expect((await hidden).code).toBe(0);
    await until('both are there', () => there.every(existsSync));
    await ask(verb);
    writeFileSync(go, '');
    expect(await early).toMatchObject({ code: 3 });
    await until('it is refused', () => readFileSync(join(home.dir, 'hidden'), 'utf8').includes('is for a person'));
    expect(isDone(home)).toBe(false);
  });
});
