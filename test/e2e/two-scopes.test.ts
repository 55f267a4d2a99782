import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Home, Transport } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { denialOf, heardInAll } from './session.ts';

const rules = {
  start: '---\nevent: session.start\n---\nNoted at the start.\n',
  prompt: '---\nevent: prompt\n---\nNoted at the prompt.\n',
  before: '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

/** What was decided of a call, in the order of the ledger. */
function decided(home: Home, id: string): string[] {
  return home
    .ledger()
    .flatMap(({ toolUse, event, action, copy }) =>
      toolUse === id && event === 'tool.before' ? [`${action}${copy ? ', a copy' : ''}`] : [],
    );
}

/** The client runs entries that are the same word for word once, whatever files they are in. */
describe.each<[Transport, Transport, boolean]>([
  ['command', 'command', false],
  ['http', 'http', false],
  ['command', 'http', true],
  ['http', 'command', true],
])('installed for the user over %s and for the project over %s', (forUser, forProject, isTwice) => {
  it('says things once, denies, and marks a second delivery as a copy', () =>
    inHome({ transport: forUser, rules, init: ['--scope', 'user'] }, async (home, run) => {
      await home.init(forProject, '--scope', 'local');
      expect(home.findings().map(({ what }) => what)).toContainEqual(expect.stringMatching(/twice|both/));
      const echo = bash('echo one');
      const touch = bash('touch made.txt');
      const session = await run({ script: { main: [turn(echo), turn(touch), say('Done.')] } });
      expect(heardInAll(session)).toEqual([
        'SessionStart hook additional context: [user/start] Noted at the start.',
        'UserPromptSubmit hook additional context: [user/prompt] Noted at the prompt.',
        'PreToolUse:Bash hook additional context: [user/before] Noted before "echo one".',
      ]);
      expect(session.results.get(touch.id)).toEqual({
        failed: true,
        text: expect.stringMatching(denialOf('[user/no-touch] Not by `touch made.txt`.')),
      });
      expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
      await home.stopDaemon();
      expect(decided(home, echo.id)).toEqual(isTwice ? ['pass', 'pass, a copy'] : ['pass']);
      expect(decided(home, touch.id)).toEqual(isTwice ? ['deny', 'deny, a copy'] : ['deny']);
    }));
});
