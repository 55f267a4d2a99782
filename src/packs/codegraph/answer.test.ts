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
    expect((await grep(world, { pattern: name })).note).toContain(`1 caller in production: ${caller}`);
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
    '2 callers in production, among them "start" (src/run.ts:3), says',
  );
});

it('counts as a search answered at the end of the turn', async () => {
  await open(DEFINED, '{ basics/turn-line: on }');
  expect((await grep(world, { pattern: 'parseConfig' })).note).toContain('defines function "parseConfig"');
  const { warn } = await world.event('Stop', { stop_hook_active: false });
  expect(warn).toBe('[basics/turn-line] This turn: 1 search answered. More: `fairlead log`');
});

describe('what is answered', () => {
  const FILES = {
    'src/config.ts':
      'export interface Store {\n  save(key: string): void;\n}\nexport function parseConfig() {\n  return 1;\n}\nexport function stop() {}\nexport function closeAll() {}\n',
    'src/disk.ts':
      "import type { Store } from './config.ts';\nexport class Disk implements Store {\n  save(key: string) {}\n}\nexport function stop() {}\n",
    'src/run.ts':
      "import { closeAll, parseConfig, stop } from './config.ts';\nexport function start() {\n  parseConfig();\n  stop();\n}\nexport const atEnd = [closeAll];\n",
    'test/run.test.ts':
      "import { closeAll, parseConfig } from '../src/config.ts';\nexport function checks() {\n  parseConfig();\n  closeAll();\n}\n",
  };
  it.each<[what: string, pattern: string, expected: string]>([
    [
      'production before tests',
      'parseConfig',
      '1 caller in production, 1 in tests: "start" (src/run.ts:3), "checks" (test/run.test.ts:3),',
    ],
    [
      'several definitions',
      'stop',
      '"stop" has 2 definitions: src/config.ts:7 (1 caller in production), src/disk.ts:5,',
    ],
    [
      'what is implemented',
      'interface Store',
      'src/config.ts:1 defines interface "Store": implemented or extended by 1',
    ],
    [
      'alternatives, each',
      'parseConfig|Disk',
      'src/config.ts:4 defines function "parseConfig": 1 caller in production',
    ],
    ['alternatives, the second', 'parseConfig|Disk', '; src/disk.ts:2 defines class "Disk", says'],
    ['of alternatives what is known', 'parseConfig|loadConfig', 'src/config.ts:4 defines function "parseConfig"'],
    [
      'what tests call and production hands on',
      'closeAll',
      '1 caller in tests, used in 1 place in production: "checks" (test/run.test.ts:4),',
    ],
    ['a member', String.raw`Disk\.save`, 'src/disk.ts:3 defines method "Disk.save"'],
  ])('%s', async (_, pattern, expected) => {
    await open(FILES);
    expect((await grep(world, { pattern })).note).toContain(expected);
  });

  it.each(['TODO', 'could not parse', 'parse-config', '"parseConfig"', 'loadConfig', 'fs.stop', 'maxRetries: 3'])(
    'no note for %s',
    async (pattern) => {
      await open(FILES);
      expect((await grep(world, { pattern })).note).toBe('');
    },
  );

  it('says less until it fits', async () => {
    await open(FILES);
    for (const maxChars of [400, 260, 200, 150]) {
      world.put(
        `${world.paths.config}/config.yaml`,
        `packs: { autocontext: on, codegraph: { enabled: true, maxChars: ${maxChars} } }\n`,
      );
      await world.pass(5_000);
      await world.prompt('next');
      const { note } = await grep(world, { pattern: 'parseConfig' });
      expect(note.length).toBeLessThanOrEqual(maxChars);
      expect(note).toContain('src/config.ts:4 defines function "parseConfig"');
    }
  });
});

describe('an answer names a file that was not read and has the word', () => {
  const large = (word: string) => `import { ${word} } from './config.ts';\n${word}();\n${'// more\n'.repeat(160_000)}`;
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['one', { 'src/large.ts': large('parseConfig') }, 'which has not read src/large.ts'],
    [
      'and how many more',
      { 'src/large.ts': large('parseConfig'), 'src/larger.ts': large('parseConfig') },
      'which has not read src/large.ts and 1 more with that word',
    ],
  ])('%s', async (_, files, expected) => {
    await open({ ...DEFINED, ...files });
    expect((await grep(world, { pattern: 'parseConfig' })).note).toContain(expected);
  });

  it('and none that has other words', async () => {
    await open({ ...DEFINED, 'src/large.ts': large('saveConfig') });
    const { note } = await grep(world, { pattern: 'parseConfig' });
    expect(note).toContain('defines function "parseConfig"');
    expect(note).not.toContain('not read');
  });
});
