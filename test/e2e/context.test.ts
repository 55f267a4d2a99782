import { describe, expect, it } from 'vitest';
import { TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { heard } from './session.ts';

const note = (event: string, more: string, text: string): string => `---\nevent: ${event}\n${more}---\n${text}\n`;

const rules = {
  start: note('session.start', '', 'Noted at the start.'),
  prompt: note('prompt', 'words: [deploy]\n', 'Noted at the prompt.'),
  before: note('bash', 'words: [echo]\n', 'Noted before {command}.'),
  after: note('tool.after', 'tool: shell\n', 'Noted after the call.'),
};

describe.each(TRANSPORTS)('context over %s', (transport) => {
  it('reaches the model with its next request, each note once', () =>
    inHome({ transport, rules }, async (_home, run) => {
      const session = await run({
        prompts: ['Please deploy it.', 'And once more.'],
        script: { main: [turn(bash('echo one')), say('Done.'), say('Done again.')] },
      });
      const start = [
        'SessionStart hook additional context: [user/start] Noted at the start.',
        'UserPromptSubmit hook additional context: [user/prompt] Noted at the prompt.',
      ];
      const call = [
        'PreToolUse:Bash hook additional context: [user/before] Noted before "echo one".',
        'PostToolUse:Bash hook additional context: [user/after] Noted after the call.',
      ];
      expect(heard(session, 1)).toEqual(start);
      expect(heard(session, 2)).toEqual([...start, ...call]);
      expect(heard(session, 3)).toEqual([...start, ...call]);
    }));
});
