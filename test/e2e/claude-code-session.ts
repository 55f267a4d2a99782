import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentDriver, AgentTurn } from './agent-suite.ts';
import { call, say } from './model.ts';
import type { Turn } from './model.ts';
import { runSession } from './session.ts';

const use = (name: string, args: object): AgentTurn => ({ call: { name, args } });

export const CLAUDE_CODE: AgentDriver = {
  agent: 'claude-code',
  files: ['.claude/settings.json'],
  plant({ dir }) {
    mkdirSync(join(dir, '.claude'), { recursive: true });
    writeFileSync(join(dir, '.claude', 'settings.json'), '{}\n');
  },
  shell: (command) => use('Bash', { command, description: 'run a command' }),
  write: (path, content) => use('Write', { file_path: path, content }),
  search: (pattern) => use('Bash', { command: `grep -rn ${pattern} .`, description: 'search' }),
  more: ({ project }) => [
    use('Read', { file_path: join(project, 'src', 'app.ts') }),
    use('Edit', { file_path: join(project, 'src', 'app.ts'), old_string: '42', new_string: '43' }),
    use('Read', { file_path: join(project, 'missing.ts') }),
  ],
  async run(home, script) {
    const turns = script.map(({ call: made, text = '', first }): Turn => {
      const turn = made ? { content: [call(made.name, { ...made.args })] } : say(text);
      return first ? { ...turn, first } : turn;
    });
    const { code, requests, results, stderr } = await runSession(home, { script: { main: turns } });
    return {
      code,
      requests: requests.map(({ raw }) => raw),
      results: [...results.values()].map(({ text }) => text),
      told: requests.at(-1)?.raw ?? '',
      stderr,
    };
  },
};
