import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { ensureDaemon, fairlead, newHome, product } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';
import { inPersonTerminal } from '../person-terminal.ts';

const HTTP = ['--transport', 'http', '--despite-other-users'];
const settingsOf = ({ project }: Home) => join(project, '.claude', 'settings.local.json');
const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** For a shell, from wherever. */
function commandLine({ dir, project }: Home, ...args: readonly string[]): string {
  const words = [process.execPath, product.launcher, ...args];
  return `cd ${project} && HOME=${join(dir, 'person')} FAIRLEAD_HOME=${dir} ${words.join(' ')}`;
}

async function post(url: string, token: string): Promise<number | string> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await fetch(url, { method: 'POST', headers, body: '{}' });
    await body?.cancel();
    return status;
  } catch (error) {
    return String(error);
  }
}

describe('init beside an engine that runs', () => {
  it('leads posts to a door that is open from the first moment', async () => {
    const home = newHome();
    await ensureDaemon(home);
    const wired = inPersonTerminal(commandLine(home, 'init', '--agent', 'claude-code', '--yes', ...HTTP));
    const [url = '', token = ''] = await until('the settings name the door', async () => {
      const text = read(settingsOf(home));
      const found = [
        /http:\/\/127\.0\.0\.1:\d+\/hook\/[\w-]+/.exec(text)?.[0],
        /Bearer ([0-9a-f]{64})/.exec(text)?.[1],
      ];
      return found.every((part) => part !== undefined) ? found : undefined;
    });
    expect(await post(url, token)).toBe(200);
    expect(await wired).toMatchObject({ code: 0, screen: expect.not.stringContaining('does not listen') });
  });
});

it('init over HTTP is for a person at a terminal', async () => {
  const home = newHome();
  const { code, err } = await fairlead(home, 'init', '--agent', 'claude-code', '--yes', ...HTTP);
  expect([code, err]).toEqual([3, expect.stringContaining('"init" is for a person at a terminal')]);
  expect(read(settingsOf(home))).toBe('');
});

describe('init beside another one', () => {
  it('waits for it, and finds what it has written', async () => {
    const home = newHome();
    const beside = await Promise.all([
      fairlead(home, 'init', '--agent', 'claude-code', '--yes'),
      fairlead(home, 'init', '--agent', 'claude-code', '--yes', '--pack', 'codegraph'),
      fairlead(home, 'init', '--agent', 'claude-code', '--yes', '--pack', 'diagrams'),
      fairlead(home, 'init', '--agent', 'claude-code', '--yes', '--statusline'),
    ]);
    expect(beside.map(({ code, err }) => [code, err.replaceAll(/^note: .*\n/gm, '')])).toEqual(
      beside.map(() => [0, expect.stringMatching(/^(Another `fairlead init` .* waits for it\.\n)?$/)]),
    );
    expect(read(join(home.project, '.fairlead', 'config.yaml'))).toMatch(/codegraph[^]*diagrams|diagrams[^]*codegraph/);
    expect(JSON.parse(read(settingsOf(home)))).toHaveProperty('hooks.PreToolUse');
    expect((await fairlead(home, 'init', '--agent', 'claude-code', '--yes')).code).toBe(0);
  });
});
