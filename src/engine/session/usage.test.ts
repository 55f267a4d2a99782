import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usageIn } from '../../adapters/claude-code/transcript-line.ts';
import { nodeFiles } from '../../platform/files.ts';
import { readUsage } from './usage.ts';
import type { UsageLook } from './usage.ts';

const RECORDED = readFileSync(
  new URL('../../../test/fixtures/claude-code/extras/transcript.jsonl', import.meta.url),
  'utf8',
);
const recordedLines = RECORDED.trimEnd().split('\n');
const ANSWER = JSON.parse(recordedLines.find((line) => line.includes('"type":"assistant"')) ?? '') as {
  readonly message: Readonly<Record<string, unknown>>;
};
const RESULT = JSON.parse(recordedLines.find((line) => line.includes('"tool_result"')) ?? '') as {
  readonly message: Readonly<Record<string, unknown>>;
};

/** The recorded answer with other numbers. */
function answer(usage: object, message: object = {}, more: object = {}): string {
  return `${JSON.stringify({ ...ANSWER, ...more, message: { ...ANSWER.message, usage, ...message } })}\n`;
}

/** The recorded result of a call with so many bytes of output. */
function output(bytes: number): string {
  const content = [{ type: 'tool_result', tool_use_id: 'x', content: 'ü'.repeat(bytes / 2) }];
  return `${JSON.stringify({ ...RESULT, message: { ...RESULT.message, content }, toolUseResult: { usage: { input_tokens: 7 } } })}\n`;
}

let dir: string;
let path: string;
let bytesRead: number;
const files = {
  stat: nodeFiles.stat,
  readRange(file: string, from: number, bytes: number) {
    const read = nodeFiles.readRange(file, from, bytes);
    bytesRead += read?.length ?? 0;
    return read;
  },
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'fairlead-usage-'));
  path = join(dir, 's1.jsonl');
  bytesRead = 0;
});
afterEach(() => rmSync(dir, { recursive: true }));

function look(floor = 0, before?: UsageLook): UsageLook | undefined {
  return readUsage(files, path, floor, usageIn, before);
}

const tokensIn = (...parts: readonly string[]): number | undefined => {
  writeFileSync(path, parts.join(''));
  return look()?.record?.tokens;
};

describe('the newest usage record', () => {
  it.each<[string, readonly string[], number | undefined]>([
    ['the recorded transcript', [RECORDED], 100],
    [
      'all that goes in, nothing that comes out',
      [answer({ input_tokens: 5, cache_creation_input_tokens: 70, cache_read_input_tokens: 900, output_tokens: 8000 })],
      975,
    ],
    ['the last of several', [answer({ input_tokens: 5 }), answer({ input_tokens: 6 })], 6],
    ['before a result of 200 KB', [answer({ input_tokens: 41 }), output(200_000)], 41],
    ['before a result of 3 MB', [answer({ input_tokens: 42 }), output(3_000_000)], 42],
    [
      'a record in a line of 300 KB',
      [answer({ input_tokens: 43 }, { content: [{ type: 'text', text: 'x'.repeat(300_000) }] }), output(10)],
      43,
    ],
    ['none', [output(100)], undefined],
    ['an empty file', [], undefined],
    ['only beyond 8 MiB', [answer({ input_tokens: 44 }), output(9 << 20)], undefined],
    ['a sub-agent', [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }, {}, { isSidechain: true })], 5],
    [
      'a model that the client made up',
      [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }, { model: '<synthetic>' })],
      5,
    ],
    ['no model', [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }, { model: undefined })], 5],
    ['nothing went in', [answer({ input_tokens: 5 }), answer({ input_tokens: 0 })], 5],
    ['no number', [answer({ input_tokens: 5 }), answer({ input_tokens: '6' })], 5],
    ['another role', [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }, { role: 'user' })], 5],
    [
      'a record that somebody quotes',
      [answer({ input_tokens: 5 }), output(10).replace('üüüüü', '{\\"input_tokens\\":9}')],
      5,
    ],
    [
      'a last line that is not written to its end',
      [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }).slice(0, -20)],
      5,
    ],
    ['a last line without its end', [answer({ input_tokens: 5 }), answer({ input_tokens: 6 }).trimEnd()], 6],
  ])('%s', (_, parts, tokens) => {
    expect(tokensIn(...parts)).toBe(tokens);
  });

  it('names its model, and the window where the name tells it', () => {
    writeFileSync(path, answer({ input_tokens: 5 }, { model: 'sonnet[1m]' }));
    expect(look()?.record).toEqual({ tokens: 5, model: 'sonnet[1m]', window: 1_000_000 });
  });

  it('is none where there is no transcript', () => {
    expect(look()).toBeUndefined();
  });

  it.each([0, 1, 2, 63, 64, 65])('is found wherever a block ends (%d)', (shift) => {
    const record = answer({ input_tokens: 77 });
    expect(tokensIn(record, output(2 * ((64 << 10) - record.length / 2 - shift * 8)))).toBe(77);
  });

  it('costs one block where it stands at the end', () => {
    tokensIn(output(5_000_000), answer({ input_tokens: 5 }));
    expect(bytesRead).toBe(64 << 10);
  });
});

describe('after a compaction', () => {
  it('records before the floor do not count', () => {
    writeFileSync(path, answer({ input_tokens: 190_000 }));
    const floor = statSync(path).size;
    expect(look(floor)?.record).toBeUndefined();
    appendFileSync(path, answer({ input_tokens: 9_000 }));
    expect(look(floor)?.record?.tokens).toBe(9_000);
  });

  it('what an earlier look found does not count either', () => {
    writeFileSync(path, answer({ input_tokens: 190_000 }));
    const before = look();
    expect(look(statSync(path).size, before)?.record).toBeUndefined();
  });
});

describe('a later look', () => {
  it('reads only what came since, and keeps what it knew', () => {
    writeFileSync(path, output(9 << 20) + answer({ input_tokens: 5 }));
    const first = look();
    bytesRead = 0;
    expect(look(0, first)?.record?.tokens).toBe(5);
    expect(bytesRead).toBe(0);
    const more = output(200_000);
    appendFileSync(path, more);
    const second = look(0, first);
    expect(second?.record?.tokens).toBe(5);
    expect(bytesRead).toBe(Buffer.byteLength(more));
    const newest = answer({ input_tokens: 6 });
    appendFileSync(path, newest);
    bytesRead = 0;
    expect(look(0, second)?.record?.tokens).toBe(6);
    expect(bytesRead).toBe(newest.length);
  });

  it('reads a line again that was not complete', () => {
    const line = answer({ input_tokens: 6 });
    writeFileSync(path, answer({ input_tokens: 5 }) + line.slice(0, 50));
    const first = look();
    expect(first?.record?.tokens).toBe(5);
    appendFileSync(path, line.slice(50));
    expect(look(0, first)?.record?.tokens).toBe(6);
  });

  it('starts over when the file became shorter', () => {
    writeFileSync(path, answer({ input_tokens: 5 }) + output(1000));
    const first = look();
    writeFileSync(path, answer({ input_tokens: 3 }));
    expect(look(0, first)?.record?.tokens).toBe(3);
  });
});
