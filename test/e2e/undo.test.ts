import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';

/** A commit, a change of it, and a directory that git does not know. */
function plantWork({ project }: Home): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(project, 'kept.txt'), 'first\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(join(project, 'kept.txt'), 'second\n');
  mkdirSync(join(project, 'src', 'old'), { recursive: true });
  writeFileSync(join(project, 'src', 'old', 'plan.txt'), 'plan\n');
}

describe.each(TRANSPORTS)('undo over %s', (transport) => {
  it('lets it happen, tells the model, and brings it back', () =>
    inHome({ transport }, async (home, run) => {
      // However busy this machine is.
      home.config('undo:\n  budgetMs: 5000\n');
      plantWork(home);
      const removed = bash('rm -rf src/old');
      const reset = bash('git reset --hard');
      const session = await run({ script: { main: [turn(removed), turn(reset), say('Done.')] } });

      expect(session.results.get(removed.id)).toMatchObject({ failed: false });
      expect(session.results.get(reset.id)).toMatchObject({ failed: false });
      expect(existsSync(join(home.project, 'src', 'old'))).toBe(false);
      expect(readFileSync(join(home.project, 'kept.txt'), 'utf8')).toBe('first\n');
      const read = session.requests.map(({ raw }) => raw).join('\n');
      expect(read).toContain('`src/old` was kept as undo 1.');
      expect(read).toContain('`kept.txt` was kept as undo 2.');

      expect(await home.byPerson('undo', '2', '--yes')).toMatchObject({ code: 0 });
      expect(readFileSync(join(home.project, 'kept.txt'), 'utf8')).toBe('second\n');
      expect(await home.byPerson('undo', '1', '--yes')).toMatchObject({ code: 0 });
      expect(readFileSync(join(home.project, 'src', 'old', 'plan.txt'), 'utf8')).toBe('plan\n');

      await home.stopDaemon();
      expect(
        home
          .ledger()
          .filter(({ action }) => action !== 'pass')
          .map(({ action, toolUse }) => [action, toolUse]),
      ).toEqual([
        ['save', removed.id],
        ['save', reset.id],
      ]);
    }));
});
