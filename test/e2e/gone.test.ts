import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inHome } from './in-home.ts';
import { bash, say, turn } from './model.ts';
import { runSession } from './session.ts';

it.each([
  ['the client', (text: string) => text.replaceAll(/"command": "[^"]*"/g, '"command": "/gone/fairlead-client"')],
  [
    'what Node starts',
    (text: string) =>
      text.replaceAll(
        /"command": "[^"]*", "args": \["hook"/g,
        `"command": ${JSON.stringify(process.execPath)}, "args": ["/gone/bin/fairlead", "hook"`,
      ),
  ],
])('when %s is gone, tool calls stop, the agent shows the way out, and prompts go on', (_, lose) =>
  inHome({ transport: 'command', rules: {} }, async (home) => {
    const path = join(home.project, '.claude', 'settings.local.json');
    const before = readFileSync(path, 'utf8');
    const after = lose(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
    const call = bash('touch made-1');
    const session = await runSession(home, { script: { main: [turn(call), say('Done.')] } });
    const result = session.results.get(call.id);
    expect(result).toMatchObject({ failed: true });
    expect(result?.text).toContain('blocking because onFailure is "block"');
    expect(result?.text).toContain('take its hooks out of .claude/settings.local.json');
    expect(session.code).toBe(0);
  }),
);
