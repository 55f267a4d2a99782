import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testAgent } from './agent-suite.ts';
import { makeHome } from './home.ts';
import { KIMI } from './kimi-session.ts';

testAgent(KIMI);

const { plant, run, shell } = KIMI;
const say = (text: string) => ({ text });

it('the client kimi: calls of a sub-agent are held; one wrong entry, of anybody, takes all hooks away, and doctor tells', async () => {
  const home = makeHome();
  const isMade = (name: string) => existsSync(join(home.project, name));
  try {
    plant(home);
    home.rule('no-touch', '---\nevent: bash\nwords: [touch]\naction: deny\n---\nNot by `{command}`.\n');
    home.fairlead('init', '--agent', 'kimi', '--scope', 'user', '--yes');
    const agent = { call: { name: 'Agent', args: { description: 'make it', prompt: 'Make a file.' } } };
    const session = await run(home, [agent, shell('touch sub.txt'), say('Could not.'), say('Done.')]);
    expect(session.results.join('\n')).toContain('Could not.');
    expect(session.requests.some((body) => body.includes('[user/no-touch] Not by `touch sub.txt`.'))).toBe(true);
    expect(isMade('sub.txt')).toBe(false);

    appendFileSync(
      join(home.dir, '.kimi-code', 'config.toml'),
      '\n[[hooks]]\nevent = "Stop"\ncommand = "x"\nasync = true\n',
    );
    const found = home.findings().find(({ level, what }) => level === 'attention' && what.includes('.async'));
    expect(found?.why).toBe('The agent leaves out every hook in this file.');
    await run(home, [shell('touch open.txt'), say('Done.')]);
    expect(isMade('open.txt')).toBe(true);
  } finally {
    expect(await home.remove(), 'processes left').toEqual([]);
  }
});
