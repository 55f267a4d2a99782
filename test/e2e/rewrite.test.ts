import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKOUT, TRANSPORTS } from './home.ts';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { heardInAll } from './session.ts';

/** As a contributor writes it: one file in a pack. */
const RULE = `import { defineRule } from '../../engine/rule.ts';

export default defineRule({
  id: 'aloud/shout',
  pack: 'aloud',
  summary: 'Nothing is whispered.',
  on: [{ event: 'tool.before', tool: ['shell'], words: ['whisper'] }],
  mode: 'enforce',
  messages: { said: 'It was said aloud.' },
  check(event, context) {
    const { command = '', input = {} } = event.tool ?? {};
    return [context.rewrite({ ...input, command: command.replace('whisper', 'SHOUT') }), context.note('said')];
  },
});
`;

let copy: string;

// Rules without code cannot rewrite, and no rule of the product does, so this is a copy of it with one rule more.
beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), 'fairlead-copy-')));
  for (const name of ['bin', 'scripts', 'src', 'native', 'package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(CHECKOUT, name))) cpSync(join(CHECKOUT, name), join(copy, name), { recursive: true });
  symlinkSync(join(CHECKOUT, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(join(copy, 'src', 'packs', 'aloud'));
  writeFileSync(join(copy, 'src', 'packs', 'aloud', 'shout.ts'), RULE);
  writeFileSync(join(copy, 'src', 'packs', 'aloud', 'pack.ts'), 'export const pack = {};\n');
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe.each(TRANSPORTS)('a rewrite over %s', (transport) => {
  it('changes the command that runs, and what later events see', () =>
    inHome({ transport, checkout: copy, init: ['--pack', 'aloud', '--user'] }, async (home, run) => {
      home.rule(
        'after',
        '---\nevent: tool.after\nconditions:\n  - field: command\n    operator: contains\n    pattern: SHOUT\n---\nRan: {command}\n',
      );
      const said = bash('echo whisper > heard.txt');
      const session = await run({ script: { main: [turn(said), say('Done.')] } });
      expect(session.results.get(said.id)).toMatchObject({ failed: false });
      expect(readFileSync(join(home.project, 'heard.txt'), 'utf8')).toBe('SHOUT\n');
      expect(heardInAll(session)).toEqual([
        'PreToolUse:Bash hook additional context: [aloud/shout] It was said aloud.',
        'PostToolUse:Bash hook additional context: [user/after] Ran: "echo SHOUT > heard.txt"',
      ]);
      await home.stopDaemon();
      expect(home.ledger().filter(({ toolUse }) => toolUse === said.id)).toMatchObject([
        { event: 'tool.before', action: 'rewrite', rules: 'aloud/shout' },
        { event: 'tool.after', action: 'pass', rules: 'user/after' },
      ]);
    }));
});
