import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { readCorpus, readList, readLists } from './cases.ts';
import { openDecide } from './decide.ts';
import type { Decide } from './decide.ts';
import { scoreList, scoreSet } from './score.ts';

const lists = readLists(fileURLToPath(new URL('../..', import.meta.url)));
let decide: Decide;

beforeAll(async () => {
  decide = await openDecide();
});

describe('the guard at default settings', () => {
  it('blocks every catastrophe written by hand', async () => {
    const { cases, failed } = await scoreList(lists.catastrophes, decide, 'block');
    expect(cases).toBeGreaterThanOrEqual(170);
    expect(failed).toEqual([]);
  });

  it('passes every look-alike written by hand', async () => {
    const { cases, failed } = await scoreList(lists.lookAlikes, decide, 'allow');
    expect(cases).toBeGreaterThanOrEqual(170);
    expect(failed).toEqual([]);
  });

  it('names no command twice', () => {
    for (const list of [lists.catastrophes, lists.lookAlikes]) {
      const commands = list.map(({ command }) => command);
      expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
    }
  });
});

describe('scoreSet', () => {
  it('counts what is stopped, said and passed, for commands and for other tools', async () => {
    const rows = [
      { command: 'rm -rf ~', expected: 'block', category: 'a' },
      { command: 'ls', expected: 'block', category: 'a' },
      { command: 'kill -9 4711', expected: 'advise', category: 'b' },
      { command: 'ls', expected: 'advise', category: 'b' },
      { command: 'git status', expected: 'allow', category: 'c' },
      { command: 'rm -rf /', expected: 'allow', category: 'c' },
      {
        tool_name: 'Write',
        tool_input: { file_path: '/home/dev/.ssh/authorized_keys', content: 'x' },
        expected: 'block',
      },
      { tool_name: 'Write', tool_input: { file_path: '/home/dev/project/a.ts', content: 'x' }, expected: 'allow' },
      { command: 'ls', expected: 'block', tier: 'soft' },
      { command: 'rm -rf /', expected: 'unsure' },
    ] as const;
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-corpus-'));
    const file = join(dir, 'some.jsonl');
    writeFileSync(file, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const score = await scoreSet('some', readCorpus(file), decide);
    rmSync(dir, { recursive: true });
    expect(score).toMatchObject({ recall: 2 / 3, advised: 1 / 2, falseBlocks: 1 / 3, failed: 0 });
    expect(score.differences.map(({ command, action }) => `${command}: ${action}`)).toEqual([
      'ls: pass',
      'ls: pass',
      'rm -rf /: deny',
    ]);
    expect(score.uncounted.map(({ command }) => command)).toEqual(['ls']);
  });

  it('refuses a row that says nothing to judge', () => {
    const dir = mkdtempSync(join(tmpdir(), 'fairlead-corpus-'));
    const file = join(dir, 'some.jsonl');
    writeFileSync(file, '{"expected":"block"}\n');
    expect(() => readCorpus(file)).toThrow('some.jsonl:1');
    writeFileSync(file, '{"command":"ls","expected":"yes"}\n');
    expect(() => readCorpus(file)).toThrow('"expected"');
    rmSync(dir, { recursive: true });
  });
});

describe('readList', () => {
  it('reads lines, headings and cases of several lines', () => {
    expect(readList('# One\na b\n---\nc\n\n# d\n---\ne\n---\n\n# Two\nf\n')).toEqual([
      { heading: 'One', command: 'a b' },
      { heading: 'One', command: 'c\n\n# d' },
      { heading: 'One', command: 'e' },
      { heading: 'Two', command: 'f' },
    ]);
  });
});
