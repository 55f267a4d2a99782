import { describe, expect, it } from 'vitest';
import { plantRepository } from '../../git/repository.fixture.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, HOUR, NOW } from './context.fixture.ts';
import { edited, SCRIPTS } from './qa.fixture.ts';

const CHECKS = /lint|test/;

function open(only: readonly string[], options?: string) {
  const world = contextWorld({ only, files: SCRIPTS, ...(options === undefined ? {} : { options }) });
  const repository = plantRepository(world.root);
  repository.commit('Begin', NOW - HOUR, 'a.txt');
  return { world, repository };
}

let calls = 0;
/** What is said before and after a call that really commits. */
async function commit({ world, repository }: ReturnType<typeof open>, prompt = 'p1', command = 'git commit -qam x') {
  const more = { prompt_id: prompt, tool_use_id: `commit-${(calls += 1)}` };
  world.now += 1_000;
  const before = await world.before('Bash', { command }, more);
  repository.commit('Step', world.now, `${calls}.txt`);
  const after = await world.after('Bash', { command }, { stdout: '', stderr: '', interrupted: false }, more);
  return [before.note, after.note] as const;
}
const git = async (world: World, command: string, prompt = 'p1') =>
  (await world.before('Bash', { command }, { prompt_id: prompt })).note;

describe('the checks are spoken about once around a commit', () => {
  it('before it, by the reminder', async () => {
    const project = open(['qa-reminder', 'post-commit']);
    await edited(project.world, 'src/app.ts', { prompt_id: 'p1' });
    const [before, after] = await commit(project);
    expect(before).toMatch(CHECKS);
    expect(after).toContain('Committed: ');
    expect(after).not.toMatch(CHECKS);
  });

  it('not again by what comes behind it, until something is edited', async () => {
    const project = open(['qa-reminder', 'post-commit']);
    await edited(project.world, 'src/app.ts', { prompt_id: 'p1' });
    await commit(project);
    for (const command of ['git log -1', 'git status', 'git push']) expect(await git(project.world, command)).toBe('');
    await edited(project.world, 'src/app.ts', { prompt_id: 'p1' });
    expect(await git(project.world, 'git commit -am y')).toMatch(CHECKS);
  });

  it('anew in another prompt', async () => {
    const project = open(['qa-reminder', 'post-commit']);
    await edited(project.world, 'src/app.ts', { prompt_id: 'p1' });
    await commit(project, 'p1');
    const [before, after] = await commit(project, 'p2');
    expect(before).toMatch(CHECKS);
    expect(after).not.toMatch(CHECKS);
  });

  it('every time where that is asked for', async () => {
    const project = open(['qa-reminder', 'post-commit'], 'qa: { repeat: full }');
    await edited(project.world, 'src/app.ts', { prompt_id: 'p1' });
    await commit(project);
    expect(await git(project.world, 'git push')).toMatch(CHECKS);
  });
});
