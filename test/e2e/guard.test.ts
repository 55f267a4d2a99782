import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, read, say, turn } from './model.ts';

/** A repository with something to lose in it: a commit, a change, a secret. */
function plantWork({ project }: Home): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q', '-b', 'main');
  mkdirSync(join(project, 'node_modules', 'left-pad'), { recursive: true });
  writeFileSync(join(project, 'node_modules', 'left-pad', 'index.js'), '');
  writeFileSync(join(project, 'kept.txt'), 'first\n');
  writeFileSync(join(project, '.gitignore'), 'node_modules\n.env\n');
  writeFileSync(join(project, '.env'), 'TOKEN=of-great-value\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(project, 'kept.txt'), 'second\n');
}

describe.each(TRANSPORTS)('the guard over %s', (transport) => {
  it('keeps what would be lost, tells the model why, and lets look-alikes run', () =>
    inHome({ transport }, async (home, run) => {
      plantWork(home);
      const gone = bash('cd "$PWD" && bash -c "rm -rf ./.git"');
      const everything = bash('git reset --hard && git clean -fdx');
      const secret = read(join(home.project, '.env'));
      const made = bash('rm -rf node_modules');
      const message = bash(
        `git add -A && git -c user.name=a -c user.email=a@b commit -qm 'never rm -rf .git, nor git push --force'`,
      );
      const session = await run({
        script: { main: [turn(gone), turn(everything), turn(secret), turn(made), turn(message), say('Done.')] },
      });

      expect(session.results.get(gone.id)).toMatchObject({ failed: true, text: expect.stringContaining('.git') });
      expect(session.results.get(everything.id)).toMatchObject({ failed: true });
      expect(session.results.get(secret.id)).toMatchObject({ failed: true, text: expect.stringContaining('.env') });
      expect(existsSync(join(home.project, '.git'))).toBe(true);
      expect(readFileSync(join(home.project, 'kept.txt'), 'utf8')).toBe('second\n');
      expect(session.requests.some(({ raw }) => raw.includes('of-great-value'))).toBe(false);

      expect(session.results.get(made.id)).toMatchObject({ failed: false });
      expect(existsSync(join(home.project, 'node_modules'))).toBe(false);
      expect(session.results.get(message.id)).toMatchObject({ failed: false });
      expect(execFileSync('git', ['-C', home.project, 'log', '-1', '--format=%s'], { encoding: 'utf8' })).toContain(
        'git push --force',
      );

      await home.stopDaemon();
      expect(
        home
          .ledger()
          .filter(({ action }) => action !== 'pass')
          .map(({ action, toolUse }) => [action, toolUse]),
      ).toEqual([
        ['deny', gone.id],
        ['deny', everything.id],
        ['ask', secret.id],
      ]);
    }));
});
