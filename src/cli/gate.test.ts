import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../../test/lacking.ts';
import type { Thing } from '../../test/lacking.ts';
import { until } from '../../test/patience.ts';
import { inPersonTerminal } from '../../test/person-terminal.ts';
import type { ProcessFacts, ProcessTree } from '../platform/process-tree.ts';
import { GATED_VERBS } from '../event/gated-verbs.generated.ts';
import { VERBS } from './verbs.generated.ts';
import { mayAct } from './gate.ts';
import type { Permission } from './gate.ts';

const SIGNS = { agentNames: ['helmsman'], agentEnv: ['HELM_AGENT'] };

const noTerminals = lacks('linux', 'script');

describe('the gate with real processes', { retry: 2 }, () => {
  let dir: string;
  let agent: string;
  let attempts = 0;
  const open: (() => void)[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gate-'));
    const source = `
      import { writeFileSync, renameSync } from 'node:fs';
      import { mayAct } from ${JSON.stringify(join(import.meta.dirname, 'gate.ts'))};
      import { readProcessTree } from ${JSON.stringify(join(import.meta.dirname, '../platform/process-tree.ts'))};
      const file = process.argv[2];
      writeFileSync(file + '.part', JSON.stringify(mayAct('trust', readProcessTree(), ${JSON.stringify(SIGNS)})));
      renameSync(file + '.part', file);`;
    await build({
      stdin: { contents: source, resolveDir: import.meta.dirname },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(dir, 'try.mjs'),
      logLevel: 'error',
    });
    writeFileSync(
      join(dir, 'agent.mjs'),
      `
      import { spawn } from 'node:child_process';
      const child = spawn('sh', ['-c', process.argv[2]], { detached: true, stdio: 'ignore', env: { ...process.env, HELM_AGENT: '1' } });
      process.on('SIGTERM', () => { try { process.kill(-child.pid); } catch {} process.exit(); });
      setTimeout(() => {}, 600000);`,
    );
    agent = join(dir, 'helmsman');
    symlinkSync(process.execPath, agent);
    symlinkSync('/usr/bin/script', join(dir, 'renamed'));
  });

  afterAll(() => {
    for (const close of open) close();
    rmSync(dir, { recursive: true, force: true });
  });

  /** What `{try}`, `{clean}` and so on in a command stand for; the answer appears in the returned file. */
  function prepare(command: string): { command: string; answer: string } {
    const answer = join(dir, `answer-${attempts++}`);
    const clean = `env -i PATH=${process.env['PATH']} HOME=${dir} TERM=xterm`;
    const words = { try: `${process.execPath} ${dir}/try.mjs ${answer}`, clean, dir, answer, sock: `${answer}.sock` };
    return {
      command: command.replace(/\{(try|clean|dir|answer|sock)\}/g, (_, word: keyof typeof words) => words[word]),
      answer,
    };
  }

  /** `through`, or the reason why it was held. */
  async function answerIn(file: string): Promise<string> {
    await until('it has answered', () => existsSync(file));
    const answer = JSON.parse(readFileSync(file, 'utf8')) as Permission;
    return answer.ok ? 'through' : answer.why;
  }

  function asAgent(command: string): void {
    const child = spawn(agent, [join(dir, 'agent.mjs'), command], { stdio: 'ignore' });
    open.push(() => child.kill());
  }

  const closeTmux = (socket: string) => spawnSync('tmux', ['-S', socket, 'kill-server']);

  const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
  const spawnInPython = `import os, pty, sys; pty.spawn(sys.argv[1:])`;
  const detachInPython = `import os, pty, sys
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
pty.spawn(sys.argv[1:])`;

  const AGENT = /helmsman|HELM_AGENT/;
  const NOWHERE = /which itself runs in no terminal/;
  const byAgent: [name: string, command: string, outcome: RegExp | 'through', ...needs: Thing[]][] = [
    ['plain', '{try}', AGENT],
    ['env -i', '{clean} {try}', AGENT],
    ['sh -c', `sh -c 'cd / && {clean} {try}'`, AGENT],
    ['setsid nohup in the background', '{clean} setsid nohup {try} &', /has no terminal|helmsman/],
    ['an orphan with a clean environment', '{clean} setsid -f {try}', /has no terminal/],
    ['script', `script -qc '{try}' /dev/null`, AGENT],
    ['script with a clean environment', `{clean} script -qc '{try}' /dev/null`, AGENT],
    ['script, detached', `setsid -f script -qc '{try}' /dev/null`, AGENT],
    ['script, detached, clean environment', `{clean} setsid -f script -qc '{try}' /dev/null`, NOWHERE],
    [
      'script, detached twice, clean environment',
      `{clean} setsid -f sh -c "setsid -f script -qc '{try}' /dev/null"`,
      NOWHERE,
    ],
    [
      'a session of its own inside script',
      `{clean} setsid -f script -qc 'setsid -fc {try}; sleep 5' /dev/null`,
      /runs in no terminal|has no terminal/,
    ],
    [
      'an orphan inside script',
      `{clean} setsid -f script -qc '({try} < /dev/tty &) ; sleep 2' /dev/null`,
      /detached from the shell/,
    ],
    [
      'script inside script, detached',
      `{clean} setsid -f script -qc "script -qc '{try}' /dev/null" /dev/null`,
      NOWHERE,
    ],
    ['python pty', `{clean} ${PYTHON} -c '${spawnInPython}' {try}`, AGENT, 'python3'],
    ['python pty, double fork', `{clean} ${PYTHON} -c '${detachInPython}' {try}`, NOWHERE, 'python3'],
    ['a tmux server of its own', `tmux -S {sock} new -d '{try}; sleep 1'`, AGENT, 'tmux'],
    ['a renamed script, detached', `setsid -f {dir}/renamed -qc '{try}' /dev/null`, AGENT],
    [
      'a renamed script, detached, clean environment',
      `{clean} setsid -f {dir}/renamed -qc '{try}' /dev/null`,
      'through',
    ],
  ];

  describe.skipIf(noTerminals)('from an agent', () => {
    for (const [name, command, outcome, ...needs] of byAgent) {
      it.skipIf(lacks(...needs))(`${name}: ${outcome === 'through' ? outcome : 'held'}`, async () => {
        const attempt = prepare(command);
        asAgent(attempt.command);
        expect(await answerIn(attempt.answer)).toMatch(outcome);
      });
    }
  });

  const byPerson: [name: string, command: string, ...needs: Thing[]][] = [
    ['plain', '{try}'],
    ['through a shell and a package runner', `sh -c 'sh -c "{try}; true"; true'`],
    ['script in a terminal', `script -qc '{try}' /dev/null`],
    ['python pty in a terminal', `${PYTHON} -c '${spawnInPython}' {try}`, 'python3'],
    ['tmux in a terminal', `tmux -S {sock} new '{try}'`, 'tmux'],
  ];

  describe.skipIf(noTerminals)('from a person, while an agent runs elsewhere', () => {
    beforeAll(() => asAgent('sleep 15'));
    for (const [name, command, ...needs] of byPerson) {
      it.skipIf(lacks(...needs))(name, async () => {
        const attempt = prepare(command);
        await inPersonTerminal(attempt.command);
        expect(await answerIn(attempt.answer)).toBe('through');
      });
    }
  });

  describe.skipIf(noTerminals || lacks('tmux'))('tmux of a person', () => {
    // Keys sent before the shell has started may be lost, so a shell that got only the last ones must stay: none of them is `exit`.
    const type = (keys: string) => `until [ -e {answer} ]; do tmux -S {sock} send-keys '${keys}' Enter; sleep 1; done`;

    it('holds an agent that types into it while nobody is attached', async () => {
      const attempt = prepare(type('{try}'));
      const socket = `${attempt.answer}.sock`;
      open.push(() => closeTmux(socket));
      await inPersonTerminal(`tmux -S ${socket} new -d sh`);
      asAgent(attempt.command);
      expect(await answerIn(attempt.answer)).toMatch(/nobody is attached to its tmux/);
    });

    it('lets an agent through that types into it while the person is attached', async () => {
      const attempt = prepare(`until tmux -S {sock} list-clients | grep -q .; do sleep 0.1; done; ${type('{try}')}`);
      const socket = `${attempt.answer}.sock`;
      open.push(() => closeTmux(socket));
      const person = inPersonTerminal(`tmux -S ${socket} new sh`);
      asAgent(attempt.command);
      const ended = person.then(({ screen }) => {
        throw new Error(`the person's terminal has ended before: ${screen}`);
      });
      expect(await Promise.race([answerIn(attempt.answer), ended])).toBe('through');
      closeTmux(socket);
      await person;
    });

    it.each([
      ['nobody is attached', ''],
      ['the agent itself is attached', `setsid -f script -qc "tmux -S {sock} attach" /dev/null;`],
      ['the agent itself is attached and hides', `{clean} setsid -f script -qc "tmux -S {sock} attach" /dev/null;`],
    ])('holds a clean server of an agent when %s', async (_, attach) => {
      // A person's own server beside it, with someone attached, must not vouch for it.
      const beside = join(dir, `beside-${attempts}.sock`);
      open.push(() => closeTmux(beside));
      const person = inPersonTerminal(`tmux -S ${beside} new sh`);
      await until('the other server is there', () => existsSync(beside));
      const attempt = prepare(`{clean} tmux -S {sock} new -d 'sleep 0.5; {try}; sleep 1'; ${attach}`);
      asAgent(attempt.command);
      expect(await answerIn(attempt.answer)).toMatch(/nobody is attached to its tmux/);
      closeTmux(beside);
      await person;
    });
  });
});

describe('the gate on described process trees', () => {
  const process = (pid: number, parent: number, name: string, more: Partial<ProcessFacts> = {}): ProcessFacts => ({
    pid,
    parent,
    name,
    names: [name],
    session: pid,
    env: ['HOME'],
    ...more,
  });
  const init = process(1, 0, 'systemd');
  const world = (processes: ProcessFacts[], makers: Record<string, number> = {}, terminal = {}): ProcessTree => {
    const find = (pid: number) => [...processes, init].find((one) => one.pid === pid);
    return {
      self: 99,
      terminal: { opens: true, input: true, output: true, ...terminal },
      find,
      all: () => [init, ...processes],
      maker: (tty) => find(makers[tty] ?? -1),
      opened: () => undefined,
      origin: () => undefined,
    };
  };
  const shell = (parent: number) => [
    process(50, parent, 'zsh', { tty: 'a' }),
    process(99, 50, 'node', { tty: 'a', session: 50 }),
  ];

  const cases: [name: string, world: ProcessTree, objection?: RegExp][] = [
    ['a terminal window', world([process(10, 1, 'gnome-terminal-'), ...shell(10)], { a: 10 })],
    ['an editor on a server, whose terminal maker is node', world([process(10, 1, 'node'), ...shell(10)], { a: 10 })],
    ['ssh, whose files cannot be read', world([process(10, 1, 'sshd'), process(11, 10, 'sshd'), ...shell(11)])],
    ['a console', world(shell(1))],
    ['a container, whose terminal maker is outside', world(shell(0))],
    [
      'sudo in a terminal',
      world(
        [
          process(10, 1, 'kitty'),
          process(20, 10, 'bash', { tty: 'b' }),
          process(30, 20, 'sudo', { tty: 'b', session: 20 }),
          ...shell(30),
        ],
        { a: 30, b: 10 },
      ),
    ],
    ['no terminal', world([process(99, 1, 'node')]), /no terminal/],
    ['a terminal that does not open', world(shell(1), {}, { opens: false }), /no terminal/],
    ['piped input', world(shell(1), {}, { input: false }), /input or output/],
    ['piped output', world(shell(1), {}, { output: false }), /input or output/],
    ['an unreadable process tree', world([]), /cannot be read/],
    ['an agent above', world([process(10, 1, 'helmsman'), ...shell(10)]), /process 10 \(helmsman\), an agent/],
    [
      'an agent above, under another name',
      world([process(10, 1, 'node', { names: ['node', 'helmsman'] }), ...shell(10)]),
      /process 10 \(helmsman\)/,
    ],
    [
      'a variable of an agent',
      world([
        process(50, 1, 'sh', { tty: 'a' }),
        process(99, 50, 'node', { tty: 'a', session: 50, env: ['HELM_AGENT'] }),
      ]),
      /carries HELM_AGENT/,
    ],
    [
      'a variable of an agent in a parent',
      world([
        process(50, 1, 'sh', { tty: 'a', env: ['HELM_AGENT'] }),
        process(99, 50, 'node', { tty: 'a', session: 50 }),
      ]),
      /process 50 \(sh\).*HELM_AGENT/,
    ],
    [
      'a service whose terminal an agent made',
      world([process(9, 1, 'helmsman'), process(10, 9, 'systemd-run'), ...shell(1)], { a: 10 }),
      /process 9 \(helmsman\)/,
    ],
    [
      'the other end held by a program that shows it to nobody',
      world([process(10, 1, 'socat'), ...shell(1)], { a: 10 }),
      /made by socat/,
    ],
    ['a namespace of its own, led by such a program', world([process(1, 0, 'script'), ...shell(1)]), /made by script/],
    [
      'terminals that make each other',
      world([process(10, 1, 'script', { tty: 'b' }), process(11, 1, 'script', { tty: 'a' }), ...shell(10)], {
        a: 10,
        b: 11,
      }),
      /lead nowhere/,
    ],
    [
      'an orphan in a terminal',
      world([process(50, 1, 'zsh', { tty: 'a' }), process(99, 1, 'node', { tty: 'a', session: 50 })]),
      /detached/,
    ],
  ];

  it.each(cases)('%s', (_, tree, objection) => {
    const answer = mayAct('trust', tree, SIGNS);
    if (!objection) return expect(answer).toEqual({ ok: true });
    expect(answer).toMatchObject({
      ok: false,
      why: expect.stringMatching(objection),
      next: expect.stringContaining('fairlead trust'),
    });
  });

  it('holds exactly these verbs', () => {
    const held =
      'accept, allow-once, careful off, daemon stop, exception add, lease release, message edit, message reset, off, packs off, pause, ' +
      'policy break-glass, policy follow, policy leave, rules disable, rules judge, rules mode, state clear, trust, undo, uninstall, untrust';
    const verbs = GATED_VERBS.map(({ verb }) => verb);
    expect(verbs.sort().join(', ')).toBe(held);
  });

  it('an old name is for a person alone exactly when the new one is', () => {
    const verbs = GATED_VERBS.map(({ verb }) => verb);
    const renamed = Object.entries(VERBS).flatMap(([verb, { now }]) =>
      now === undefined ? [] : [[verb, now] as const],
    );
    expect(renamed.length).toBeGreaterThan(0);
    for (const [verb, now] of renamed) {
      const next = Object.keys(VERBS).find((each) => now === each || now.startsWith(`${each} `));
      expect(next, `${verb}: ${now}`).toBeDefined();
      expect(VERBS[next ?? '']?.now).toBeUndefined();
      expect([verb, verbs.includes(verb)]).toEqual([verb, verbs.includes(next ?? '')]);
    }
  });

  it.each(GATED_VERBS.map(({ verb }) => verb))('%s is refused without a terminal', (verb) => {
    expect(mayAct(verb, world([process(99, 1, 'node')]), SIGNS).ok).toBe(false);
  });

  it('an option that weakens protection is for a person alone, and its verb without it is not', () => {
    const nobody = world([process(99, 1, 'node')]);
    const risky = ['--yes', '--transport', 'http', '--despite-other-users', 'dir'];
    expect(mayAct('init', nobody, SIGNS, risky)).toMatchObject({
      ok: false,
      why: expect.stringContaining('other users of this machine may answer the hooks'),
      next: expect.stringMatching(/fairlead init --yes --transport http --despite-other-users dir$/),
    });
    expect(mayAct('init', nobody, SIGNS, ['--yes', '--transport', 'http']).ok).toBe(true);
    expect(mayAct('init', nobody, SIGNS, ['--yes', '--', '--despite-other-users']).ok).toBe(true);
    expect(mayAct('doctor', nobody, SIGNS, risky).ok).toBe(true);
  });

  it('repeats what was typed', () => {
    const answer = mayAct('rules mode', world([]), SIGNS, ['user/a', 'off', '--x=it\'s "b"', '']);
    expect(answer).toMatchObject({
      next: expect.stringMatching(/: fairlead rules mode user\/a off '--x=it'\\''s "b"' ''$/),
    });
  });

  it.each(['on', 'resume', 'rules list', 'rules enable', 'daemon start', 'careful on', 'doctor'])(
    '%s needs no person',
    (verb) => {
      expect(mayAct(verb, world([]), SIGNS)).toEqual({ ok: true });
    },
  );
});
