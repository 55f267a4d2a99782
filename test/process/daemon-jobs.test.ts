import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../patience.ts';
import { decisionOf, eventIn, isLinux, newHome, send } from './daemon-home.ts';
import type { Home } from './daemon-home.ts';

const INCREMENT = '.specweave/increments/0001-user-login';

function homeWithIncrements(config = ''): Home {
  const home = newHome({ config });
  cpSync('test/fixtures/specweave/project', home.project, { recursive: true });
  return home;
}

const statusFile = (home: Home): string => join(home.project, '.specweave/state/status-line.json');

/** The agent has ticked everything in the task list. */
async function tickAll(home: Home): Promise<void> {
  const path = join(home.project, INCREMENT, 'tasks.md');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('[ ]', '[x]'));
  const payload = eventIn(home, 'PostToolUse/edit.json', {
    tool_input: { file_path: path, old_string: '[ ]', new_string: '[x]', replace_all: true },
    tool_response: { filePath: path },
  });
  expect(decisionOf(await send(home, payload))).toBe('none');
}

interface Shown {
  readonly activeIncrements: readonly { readonly id: string; readonly completed: number; readonly total: number }[];
}

async function shown(home: Home): Promise<Shown['activeIncrements'][number] | undefined> {
  await until('the status line is written', () => existsSync(statusFile(home)));
  const { activeIncrements } = JSON.parse(readFileSync(statusFile(home), 'utf8')) as Shown;
  return activeIncrements.find(({ id }) => id === '0001-user-login');
}

describe.runIf(isLinux)('jobs in real processes', () => {
  it('what an event without a daemon leaves is done by the daemon it starts', async () => {
    const home = homeWithIncrements();
    await tickAll(home);
    const found = await shown(home);
    expect(found?.total).toBeGreaterThan(0);
    expect(found?.completed).toBe(found?.total);
    // The daemon keeps its own files to itself; those of the project are as open as the project.
    const others = statSync(join(home.project, '.specweave')).mode & 0o044;
    expect(statSync(statusFile(home)).mode & 0o044).toBe(others);
  });

  it('what a killed daemon leaves is done by the next one', async () => {
    const home = homeWithIncrements('packs: { increments: { jobs: { quiet_ms: 3000, max_wait_ms: 3000 } } }\n');
    await send(home, eventIn(home, 'PostToolUse/read.json'));
    const { pid } = await home.daemon();
    await tickAll(home);
    // Before marks have been quiet for long enough.
    process.kill(pid, 'SIGKILL');
    expect(existsSync(statusFile(home))).toBe(false);
    await send(home, eventIn(home, 'PostToolUse/read.json'));
    const found = await shown(home);
    expect(found?.completed).toBe(found?.total);
  });
});
