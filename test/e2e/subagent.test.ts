import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, call, say, turn } from './model.ts';
import { denialOf, heard } from './session.ts';

const rules = {
  welcome: '---\nevent: subagent.start\n---\nNoted as it began.\n',
  before: '---\nevent: bash\nwords: [echo]\n---\nNoted before {command}.\n',
  'no-touch': '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n',
};

describe.each(TRANSPORTS)('a sub-agent over %s', (transport) => {
  it('is advised and stopped by the same rules, and its events carry its id', () =>
    inHome({ transport, rules }, async (home, run) => {
      const echo = bash('echo one');
      const touch = bash('touch made.txt');
      const start = call('Agent', {
        description: 'look around',
        prompt: '[lane:scout] Look around.',
        subagent_type: 'general-purpose',
        run_in_background: false,
      });
      const session = await run({
        script: { main: [turn(start), say('Done.')], scout: [turn(echo), turn(touch), say('Nothing to report.')] },
      });
      const began = 'SubagentStart hook additional context: [user/welcome] Noted as it began.';
      expect(heard(session, 1, 'scout')).toEqual([began]);
      expect(heard(session, 2, 'scout')).toEqual([
        began,
        'PreToolUse:Bash hook additional context: [user/before] Noted before "echo one".',
      ]);
      expect(heard(session, 2)).toEqual([]);
      expect(session.results.get(touch.id)).toEqual({
        failed: true,
        text: expect.stringMatching(denialOf('[user/no-touch] Not by `touch made.txt`.')),
      });
      expect(existsSync(join(home.project, 'made.txt'))).toBe(false);
      await home.stopDaemon();
      const ledger = home.ledger();
      const own = ledger.filter(({ toolUse }) => toolUse === echo.id || toolUse === touch.id);
      expect(own.map(({ event, action }) => [event, action])).toEqual([
        ['tool.before', 'pass'],
        ['tool.after', 'pass'],
        ['tool.before', 'deny'],
      ]);
      const [agent] = own.map(({ subagent }) => subagent);
      expect(agent).toMatch(/\w/);
      expect(ledger.filter(({ subagent }) => subagent === agent).map(({ event }) => event)).toEqual([
        'subagent.start',
        'tool.before',
        'tool.after',
        'tool.batch',
        'tool.before',
        'tool.batch',
        'subagent.stop',
      ]);
      expect(ledger.filter(({ toolUse }) => toolUse === start.id).every(({ subagent }) => subagent === null)).toBe(
        true,
      );
    }));
});
