import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TranscriptRecord } from '../../event/transcript.ts';
import { nodeFiles } from '../../platform/files.ts';
import { join } from '../../platform/paths.ts';
import { lookIn } from '../transcript-look.ts';
import { TRANSCRIPTS } from './transcript-files.ts';

const DIR = fileURLToPath(new URL('../../../test/fixtures/codex-sessions', import.meta.url));
const [MAIN = '', SUB = ''] = readdirSync(DIR).toSorted();
const SESSION = '01a1ed0b-8697-72c1-bdc0-0c52832c6fad';
const SUBAGENT = '01a1ed0b-93ce-7f40-8acd-7f28c2c302f3';
const linesOf = (name: string) => readFileSync(join(DIR, name), 'utf8').split('\n').slice(0, -1);

function recordsOf(name: string, from = 0): readonly TranscriptRecord[] {
  const lines = linesOf(name);
  const read = TRANSCRIPTS.reader(() => lines[0] ?? '');
  return lines.slice(from).flatMap((line) => read(line) ?? []);
}

describe('a transcript of codex', () => {
  it('tells of prompts, calls, results and hooks, with where they were', () => {
    const records = recordsOf(MAIN);
    const told = records.map((record) =>
      record.kind === 'call'
        ? `call ${record.call.name}`
        : record.kind === 'result'
          ? `result ${record.outcome}`
          : record.kind === 'hook'
            ? `hook ${record.outcome} ${record.texts.join(' ')}`
            : record.kind,
    );
    expect(told.slice(0, 8)).toEqual([
      'prompt',
      'hook told [user/greet] About go.',
      'call Bash',
      'hook told [user/tell] About tell.',
      'result ran',
      'call Bash',
      'result stopped',
      'call Bash',
    ]);
    expect(told.filter((one) => one.startsWith('result')).toSorted()).toEqual([
      'result failed',
      ...Array.from({ length: 7 }, () => 'result ran'),
      'result stopped',
      'result stopped',
    ]);
    expect(told.slice(-4)).toEqual(['answer', 'hook blocked [user/prove] About all is well.', 'answer', 'turn-end']);
    for (const record of records)
      expect(record).toMatchObject({ session: SESSION, cwd: '/home/dev/project', branch: 'main', attended: false });
    expect(records.every(({ subagent, at = 0 }) => subagent === undefined && at > 0)).toBe(true);
  });

  it('gives calls and outputs the form in which hooks get them', () => {
    const records = recordsOf(MAIN);
    const call = records.find((record) => record.kind === 'call');
    expect(call).toMatchObject({ call: { kind: 'shell', name: 'Bash', command: 'echo tell' } });
    const result = records.find((record) => record.kind === 'result');
    expect(result).toMatchObject({ output: 'tell\n' });
    const patches = records.filter((record) => record.kind === 'call' && record.call.name === 'apply_patch');
    expect(patches[0]).toMatchObject({ call: { kind: 'write', paths: ['/home/dev/project/a.txt'] } });
  });

  it('is known as that of a sub-agent by how it begins, also where reading starts later', () => {
    for (const from of [0, 9])
      for (const record of recordsOf(SUB, from)) expect(record).toMatchObject({ session: SESSION, subagent: SUBAGENT });
    expect(recordsOf(MAIN).some((record) => record.kind === 'result' && record.started?.id === SUBAGENT)).toBe(true);
  });

  it('is found with those of its sub-agents, and these are no sessions', () => {
    const day = '/home/dev/.codex/sessions/2026/11/18';
    const files: Readonly<Record<string, readonly string[]>> = {
      '/home/dev/.codex/sessions': ['2026'],
      '/home/dev/.codex/sessions/2026': ['11'],
      '/home/dev/.codex/sessions/2026/11': ['18'],
      [day]: [SUB, 'notes.txt', MAIN],
    };
    const look = {
      list: (dir: string) => files[dir] ?? [],
      head: (path: string) => lookIn(nodeFiles).head(path.replace(day, DIR)),
    };
    expect(TRANSCRIPTS.all({ home: '/home/dev', variable: () => undefined }, look)).toEqual([join(day, MAIN)]);
    expect(TRANSCRIPTS.subagentsOf(join(day, MAIN), look)).toEqual([join(day, SUB)]);
    expect(TRANSCRIPTS.subagentsOf(join(day, SUB), look)).toEqual([]);
    expect(TRANSCRIPTS.sessionOf(MAIN)).toBe(SESSION);
    expect(TRANSCRIPTS.sessionOf('history.jsonl')).toBeUndefined();
  });

  it('says of a line whether it is damaged', () => {
    const lines = linesOf(MAIN);
    const read = TRANSCRIPTS.reader(() => lines[0] ?? '');
    expect(lines.filter((line) => read(line) === undefined)).toEqual([]);
    for (const line of lines) expect(read(line.slice(0, -20))).toBeUndefined();
  });
});
