import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../patience.ts';
import { writeAdopted } from '../../src/adopted/store.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { isAlive } from '../../src/platform/processes.ts';
import {
  bash,
  decisionOf,
  describeClients,
  describeUsual,
  ensureDaemon,
  fairlead,
  newHome,
  NO_TOUCH,
  put,
  reasonOf,
  send,
} from './daemon-home.ts';
import type { Client, Home, Payload, Ran, Send } from './daemon-home.ts';

/** Longer than anything here takes. */
const WITHIN_MS = 120_000;
const SET = 'kept';

/** A home that has adopted these commands, each before every call of the shell. */
function adopting(...commands: readonly (string | { readonly command: string; readonly timeout?: number })[]): Home {
  const home = newHome();
  const hooks = commands.map((each, at) => {
    const entry = { type: 'command', ...(typeof each === 'string' ? { command: each } : each) };
    return { name: `h${at}`, event: 'PreToolUse', matcher: 'Bash', entry };
  });
  const set = { id: SET, hooks, agent: 'claude-code', file: '/settings.json', takenAt: 1, sha256: '', undo: [] };
  writeAdopted(nodeFiles, home.state, { sets: [set], rules: [] });
  return home;
}

const ask = (home: Home, payload: Payload, client: Client, more: Partial<Send> & { set?: string } = {}): Promise<Ran> =>
  send(home, payload, { client, withinMs: WITHIN_MS, after: ['--adopted', more.set ?? SET], ...more });

const said = ({ out }: Ran): unknown => JSON.parse(out);
const CONTEXT = (text: string) =>
  `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"%s"}}' ${text}`;

describeClients('adopted hooks, by the %s client', (client) => {
  it('get the very bytes, directory and environment that the agent gave, without a daemon and with one', async () => {
    const home = adopting('cat > seen; env > env; pwd > dir');
    for (const engine of ['none', 'a daemon']) {
      if (engine === 'a daemon') await ensureDaemon(home);
      const input = `${JSON.stringify(bash(home, `echo "ä" ${engine}`), null, 1)} \n`;
      const ran = await ask(home, bash(home, ''), client, {
        input,
        env: { OF_AGENT: `${engine}\nb`, CLAUDE_PROJECT_DIR: home.project },
      });
      expect(ran, engine).toMatchObject({ code: 0, out: '', err: '' });
      expect(readFileSync(join(home.project, 'seen'), 'utf8')).toBe(input);
      expect(readFileSync(join(home.project, 'env'), 'utf8')).toMatch(new RegExp(`^OF_AGENT=${engine}\nb$`, 'm'));
      expect(readFileSync(join(home.project, 'dir'), 'utf8').trim()).toBe(home.project);
      rmSync(join(home.project, 'dir'));
    }
  });

  it('end with the client that waited for them', async () => {
    const home = adopting('echo $$ > pid; exec sleep 1000');
    await ensureDaemon(home);
    let kill = (): void => {};
    const ran = ask(home, bash(home, 'true'), client, { onSpawn: (child) => (kill = () => child.kill('SIGKILL')) });
    const pid = await until(
      'the hook has begun',
      () => existsSync(join(home.project, 'pid')) && Number(readFileSync(join(home.project, 'pid'), 'utf8')),
    );
    kill();
    await ran;
    expect(await until('the hook is gone', () => !isAlive(pid))).toBe(true);
  });

  it('that are not kept are a failure, which the entry takes for a denial', async () => {
    const home = adopting('true');
    for (const engine of ['none', 'a daemon']) {
      expect(await ask(home, bash(home, 'true'), client, { set: 'lost' }), engine).toMatchObject({ code: 1, out: '' });
      await ensureDaemon(home);
    }
  });

  it('run also where everything of ours is switched off', async () => {
    const home = adopting('echo no >&2; exit 2');
    const ran = await ask(home, bash(home, 'true'), client, { env: { FAIRLEAD_DISABLED: '1' } });
    expect(decisionOf(ran)).toBe('deny');
  });
});

describeUsual('adopted hooks beside others, by the %s client', (client) => {
  it('run at once and once each, and their words come in the order of the file', async () => {
    const meet = (own: string, other: string) =>
      `touch ${own}; until [ -e ${other} ]; do sleep 0.05; done; ${CONTEXT(own)}`;
    const home = adopting(meet('one', 'two'), meet('two', 'one'), 'echo x >> count', 'echo x >> count');
    await ensureDaemon(home);
    expect(said(await ask(home, bash(home, 'true'), client))).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'one\ntwo' },
    });
    expect(readFileSync(join(home.project, 'count'), 'utf8')).toBe('x\n');
    const { out } = await fairlead(home, 'stats', '--json');
    expect((JSON.parse(out) as { hooks: unknown }).hooks).toHaveLength(3);
  });

  it('hold up no other event, not even without a daemon', async () => {
    const home = adopting('touch begun; until [ -e go ]; do sleep 0.05; done; echo no >&2; exit 2');
    home.rule('no-touch', NO_TOUCH);
    const waiting = Array.from({ length: 6 }, () => ask(home, bash(home, 'true'), client));
    await until('a hook has begun', () => existsSync(join(home.project, 'begun')));
    expect(decisionOf(await send(home, bash(home, 'touch a'), { client }))).toBe('deny');
    await home.daemon();
    const later = ask(home, bash(home, 'true'), client);
    expect(decisionOf(await send(home, bash(home, 'touch b'), { client }))).toBe('deny');
    put(join(home.project, 'go'), '');
    for (const ran of await Promise.all([...waiting, later])) expect(decisionOf(ran)).toBe('deny');
  });

  it('may take longer than an engine may, and end at their own limit', async () => {
    const home = adopting('sleep 4; echo late >&2; exit 2', { command: 'echo $$ > pid; exec sleep 1000', timeout: 1 });
    await ensureDaemon(home);
    const ran = await ask(home, bash(home, 'true'), client);
    expect(decisionOf(ran)).toBe('deny');
    expect(reasonOf(ran)).toMatch(/late/);
    const pid = join(home.project, 'pid');
    // On a loaded machine it may be ended before it said who it is.
    expect(existsSync(pid) && isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  it('that send themselves into the background hold up nothing, without a daemon and with one', async () => {
    const home = adopting(`echo '{"async":true}'; until [ -e go ]; do sleep 0.05; done; rm go; touch done`);
    for (const engine of ['none', 'a daemon']) {
      if (engine === 'a daemon') await ensureDaemon(home);
      expect(said(await ask(home, bash(home, 'true'), client)), engine).toEqual({
        systemMessage: expect.stringContaining('into the background') as string,
      });
      put(join(home.project, 'go'), '');
      expect(await until('the hook went on', () => existsSync(join(home.project, 'done')))).toBe(true);
      rmSync(join(home.project, 'done'));
    }
  });

  it('that put another input in place have it held against the rules', async () => {
    const input = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"touch c"}}}';
    const home = adopting(`printf '%s' '${input}'`);
    home.rule('no-touch', NO_TOUCH);
    await ensureDaemon(home);
    const ran = await ask(home, bash(home, 'true'), client);
    expect(decisionOf(ran)).toBe('deny');
    expect(reasonOf(ran)).toContain('touch c');
    expect(ran.out).not.toContain('updatedInput');
  });
});

it('a failing hook is for doctor', async () => {
  const home = adopting('echo "token=abcdefghijklmnop" >&2; exit 3');
  const ran = await send(home, bash(home, 'true'), { withinMs: WITHIN_MS, after: ['--adopted', SET] });
  expect(said(ran)).toEqual({ systemMessage: expect.stringContaining('it ended with 3') as string });
  const { out } = await fairlead(home, 'doctor', '--json');
  expect(out).toMatch(/The hook h0 on PreToolUse failed 1 of 1 time/);
  expect(out).not.toMatch(/abcdefghijklmnop/);
  expect(statSync(join(home.state, 'adopted-runs.jsonl')).mode & 0o077).toBe(0);
});
