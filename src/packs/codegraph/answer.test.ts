import { afterEach, describe, expect, it } from 'vitest';
import { openCards } from '../autocontext/autocontext.fixture.ts';
import type { CardWorld } from '../autocontext/autocontext.fixture.ts';
import { grep } from '../nudge.fixture.ts';

let world: CardWorld;
afterEach(() => world.close());

const open = async (files: Readonly<Record<string, string>>, rules = '{}') => {
  world = await openCards(files, { config: `packs: { autocontext: on, codegraph: on }\nrules: ${rules}\n` });
  await world.prompt('go');
  await world.graphs.idle();
};

const DEFINED = { 'src/config.ts': 'export function parseConfig() {\n  return 1;\n}\n' };

describe('a caller that knows the symbol by another name is counted and named', () => {
  it.each<[how: string, name: string, files: Readonly<Record<string, string>>, caller: string]>([
    [
      're-exported',
      'parseConfig',
      {
        ...DEFINED,
        'src/index.ts': `export { parseConfig as readSettings } from './config.ts';\n`,
        'src/run.ts': `import { readSettings } from './index.ts';\nexport function start() {\n  readSettings();\n}\n`,
      },
      '"start" (src/run.ts:3)',
    ],
    [
      'imported',
      'parseConfig',
      {
        ...DEFINED,
        'src/run.ts': `import { parseConfig as read } from './config.ts';\nexport function start() {\n  read();\n}\n`,
      },
      '"start" (src/run.ts:3)',
    ],
    [
      'exported by default',
      'parseConfig',
      {
        'src/config.ts': 'export default function parseConfig() {\n  return 1;\n}\n',
        'src/run.ts': `import settings from './config.ts';\nexport function start() {\n  settings();\n}\n`,
      },
      '"start" (src/run.ts:3)',
    ],
    [
      'imported in Python',
      'parse_config',
      {
        'src/config.py': 'def parse_config():\n    return 1\n',
        'src/__init__.py': '',
        'src/run.py': 'from src.config import parse_config as read\n\n\ndef start():\n    read()\n',
      },
      '"start" (src/run.py:5)',
    ],
  ])('%s', async (_, name, files, caller) => {
    await open(files);
    expect((await grep(world, { pattern: name })).note).toContain(`1 caller: ${caller}`);
  });
});

it('a file that has changed is believed only where the line still has the name', async () => {
  await open({
    ...DEFINED,
    'src/run.ts': `import { parseConfig } from './config.ts';\nexport function start() {\n  parseConfig();\n}\n`,
    'src/late.ts': `import { parseConfig as read } from './config.ts';\nexport function late() {\n  read();\n}\n`,
  });
  for (const file of ['src/run.ts', 'src/late.ts']) world.put(file, `${world.read(file)}// more\n`);
  expect((await grep(world, { pattern: 'parseConfig' })).note).toContain(
    '2 callers, among them "start" (src/run.ts:3).',
  );
});

it('counts as a search answered at the end of the turn', async () => {
  await open(DEFINED, '{ basics/turn-line: on }');
  expect((await grep(world, { pattern: 'parseConfig' })).note).toContain('defines "parseConfig"');
  const { warn } = await world.event('Stop', { stop_hook_active: false });
  expect(warn).toBe('[basics/turn-line] This turn: 1 search answered. More: `fairlead log`');
});
