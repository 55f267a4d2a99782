import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeHome } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, flagged, say, turn, write } from './model.ts';
import type { Script } from './model.ts';
import { openTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { until } from './until.ts';

let home: Home | undefined;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.close();
  const left = (await home?.remove()) ?? [];
  [home, terminal] = [undefined, undefined];
  if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
});

/** In this mode the client warns its person once, and does not start as root outside of a sandbox. */
const IN_SANDBOX = { args: ['--settings', '{"skipDangerousModePermissionPrompt":true}'], env: { IS_SANDBOX: '1' } };

async function inTerminal(mode: string, script: Script): Promise<{ home: Home; terminal: Terminal }> {
  home = makeHome();
  await home.init('command');
  writeFileSync(join(home.project, 'src', 'plan.txt'), 'nobody has this elsewhere\n');
  const { args, ...more } = mode === 'bypassPermissions' ? IN_SANDBOX : { args: [] };
  const all = mode === '' ? args : ['--permission-mode', mode, ...args];
  terminal = await openTerminal(home, { script, args: all, ...more });
  return { home, terminal };
}

const settingsOf = ({ project }: Home): string => join(project, '.claude', 'settings.local.json');

it.each(['default', 'acceptEdits', 'plan', 'auto', 'bypassPermissions', 'dontAsk'])(
  'in mode %s what would take the hooks away is denied, and they go on answering',
  async (mode) => {
    const clean = bash('git clean -fdx');
    const script = { main: [turn(clean), turn(bash('rm -rf ~')), say('Done with it.')] };
    const here = await inTerminal(mode, script);
    await here.terminal.shows(/Done with it/);
    const told = here.terminal.requests.map(({ raw }) => raw).join('\n');
    expect(told).toMatch(/\[guard\/self-protection\] `git clean -fdx` takes \.claude\/settings\.local\.json away/);
    expect(told).toMatch(/git clean -e \.claude -fdx/);
    expect(told).toMatch(/\[guard\/catastrophe\] `rm -rf ~`/);
    expect(existsSync(settingsOf(here.home))).toBe(true);
  },
);

it.each([
  ['not flagged', turn(bash('rm -rf src'))],
  ['flagged', flagged(bash('rm -rf src'))],
])('in auto mode a removal that was %s runs without a prompt, and the copy is there', async (_, removal) => {
  // Nothing set: that is the mode a terminal starts in.
  const here = await inTerminal('', { main: [removal, say('Done with it.')] });
  here.home.config('undo:\n  budgetMs: 5000\n');
  const screen = await here.terminal.shows(/Done with it/);
  expect(screen).not.toMatch(/Do you want to proceed/);
  expect(existsSync(join(here.home.project, 'src'))).toBe(false);
  expect(await here.home.byPerson('undo', '1', '--yes')).toMatchObject({ code: 0 });
  expect(readFileSync(join(here.home.project, 'src', 'plan.txt'), 'utf8')).toBe('nobody has this elsewhere\n');
});

it('a third flagged call in a row is asked', async () => {
  const call = (n: number) => flagged(bash(`node -e ${n}`));
  const here = await inTerminal('auto', { main: [call(1), call(2), call(3), say('Done with it.')] });
  expect(await here.terminal.shows(/Do you want to proceed|consecutive/)).toMatch(/node -e 3/);
  here.terminal.press('Escape');
});

describe('with -p, where nobody is there to be asked', () => {
  it.each(['default', 'auto', 'plan', 'dontAsk', 'bypassPermissions'])('in mode %s a question is a denial', (mode) =>
    inHome({ transport: 'command', config: 'rules:\n  guard/files: ask\n' }, async (here, run) => {
      const plan = join(here.project, 'src', 'plan.txt');
      writeFileSync(plan, 'nobody has this elsewhere\n');
      const removal = bash('rm -rf src');
      const env = mode === 'bypassPermissions' ? { IS_SANDBOX: '1' } : {};
      const script = { main: [turn(removal), say('Done.')] };
      const session = await run({ script, env, args: ['--permission-mode', mode] });
      expect(session.results.get(removal.id)).toMatchObject({
        failed: true,
        text: expect.stringContaining('[guard/files] `rm -rf src`'),
      });
      expect(existsSync(plan)).toBe(true);
    }),
  );
});

it('what is gone all the same is put back, and the person is told', () =>
  inHome({ transport: 'command' }, async (here, run) => {
    const settings = settingsOf(here);
    const before = readFileSync(settings, 'utf8');
    const start = write(join(here.project, 'a.txt'), 'a\n');
    const denied = bash('rm -rf ~');
    const goes = {
      ...turn(denied),
      async first() {
        // As a program does that nobody looked into.
        rmSync(join(here.project, '.claude'), { recursive: true });
        await until(() => existsSync(settings), 30_000);
      },
    };
    const session = await run({ script: { main: [turn(start), goes, say('Done.')] } });
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(session.results.get(denied.id)).toMatchObject({
      failed: true,
      text: expect.stringContaining('[guard/catastrophe]'),
    });
    const told = session.stream.map((line) => JSON.stringify(line)).join('\n');
    expect(told).toMatch(/settings\.local\.json did not call Fairlead at \d\d:\d\d, and does again/);
    const next = await run({ script: { main: [say('Done.')] } });
    expect(next.stream.some((line) => JSON.stringify(line).includes('did not call Fairlead at'))).toBe(true);
  }));
