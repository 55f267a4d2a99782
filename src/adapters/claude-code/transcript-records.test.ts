import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/cases.ts';
import type { TranscriptRecord } from '../../event/transcript.ts';
import { subagentTranscripts } from './records.ts';
import { recordsIn } from './transcript-records.ts';

const extras = new URL('../../../test/fixtures/claude-code/extras/', import.meta.url);
const linesOf = (name: string) => readFileSync(new URL(name, extras), 'utf8').split('\n');
const told = (name: string): readonly TranscriptRecord[] => linesOf(name).flatMap((line) => recordsIn(line) ?? []);

/** The records in short, those of hooks on batches left out: each call has one. */
const shown = (records: readonly TranscriptRecord[]) =>
  records.flatMap((record) => {
    switch (record.kind) {
      case 'prompt':
        return [`prompt ${record.origin} ${record.text.slice(0, 30)}`];
      case 'answer':
        return [`answer ${record.text}`];
      case 'call':
        return [`call ${record.call.name} ${record.call.command ?? ''}`.trim()];
      case 'result':
        return [`result ${record.outcome} by ${record.by ?? 'nobody'}${record.started ? ' started' : ''}`];
      case 'hook': {
        const { event, outcome, texts, cut } = record;
        const text = outcome === 'ran' ? '' : texts.map((each) => each.slice(0, 30)).join('|');
        return event === 'tool.batch' ? [] : [`${event} ${outcome}${cut ? ' cut' : ''} ${text}`.trim()];
      }
      case 'turn-end':
        return [`turn-end ${record.hooks}`];
      case 'compacted':
        return ['compacted'];
    }
  });

describe('a recorded transcript with hooks', () => {
  it('tells what became of each of them', () => {
    expect(shown(told('transcript.hooks.jsonl'))).toMatchInlineSnapshot(`
      [
        "session.start ran",
        "session.start told CTX start",
        "prompt human go",
        "prompt.submit warned SYS prompt",
        "prompt.submit told CTX prompt",
        "call Bash echo c-ctx",
        "tool.before ran",
        "tool.before told CTX pre",
        "result ran by settings",
        "call Bash echo c-long",
        "tool.before ran",
        "tool.before told cut LLLLLLLLLLLLLLLLLLLLLLLLLLLLLL",
        "result ran by settings",
        "call Bash echo c-bad",
        "tool.before ran",
        "result ran by settings",
        "call Bash echo c-wrong",
        "tool.before ran",
        "result ran by settings",
        "call Bash echo c-otherevent",
        "tool.before failed Failed to run: Hook returned i",
        "result ran by settings",
        "call Bash echo c-deny",
        "tool.before told CTX beside deny",
        "result stopped by hook",
        "call Bash echo c-ask",
        "tool.before ran",
        "result stopped by settings",
        "call Bash echo c-allow",
        "tool.before ran",
        "result ran by hook",
        "call Bash echo c-sys",
        "tool.before ran",
        "tool.before warned SYS",
        "result ran by settings",
        "call Bash echo c-time",
        "tool.before late",
        "result ran by settings",
        "call Bash echo c-fail",
        "tool.before failed Failed with non-blocking statu",
        "result ran by settings",
        "call Bash echo c-rewrite",
        "tool.before ran",
        "result ran by settings",
        "call Bash echo p-ctx",
        "result ran by settings",
        "tool.after ran",
        "tool.after told CTX post",
        "call Bash echo p-block",
        "result ran by settings",
        "tool.after blocked [r] post block",
        "call Bash exit 3",
        "result failed by settings",
        "tool.failed ran",
        "tool.failed told CTX failed",
        "call Agent",
        "result ran by settings started",
        "call Bash echo c-ctx one",
        "call Bash echo c-deny two",
        "tool.before told CTX beside deny",
        "result stopped by hook",
        "tool.before ran",
        "tool.before told CTX pre",
        "result ran by settings",
        "answer Done.",
        "turn.stop blocked [r] not yet",
        "turn-end 1",
        "answer Done again.",
        "turn.stop ran",
        "turn.stop warned SYS stop",
        "turn-end 1",
      ]
    `);
  });

  it('tells who was asked, and what they said', () => {
    expect(shown(told('transcript.asked.jsonl'))).toMatchInlineSnapshot(`
      [
        "prompt human go",
        "prompt.submit warned SYS prompt",
        "prompt.submit told CTX prompt",
        "call Bash echo c-ask yes",
        "tool.before ran",
        "result ran by person",
        "call Bash echo c-ask no",
        "tool.before ran",
        "result stopped by person",
        "call Bash nosuch tool",
        "call NoSuchTool",
        "result failed by settings",
        "result invalid by nobody",
        "answer ok",
        "prompt.submit blocked [r] prompt no",
        "prompt human more",
        "prompt.submit warned SYS prompt",
        "prompt.submit told CTX prompt",
        "call Bash echo c-ctx",
        "tool.before ran",
        "tool.before told CTX pre",
        "result ran by settings",
        "answer k",
      ]
    `);
  });

  it('tells the same of a sub-agent, with its id', () => {
    const records = told('transcript.hooks-subagent.jsonl');
    expect(new Set(records.map(({ subagent }) => subagent))).toEqual(new Set(['a2a42cc09728d9637']));
    expect(shown(records)).toMatchInlineSnapshot(`
      [
        "prompt system [[lane:sub]] go",
        "subagent.start ran",
        "subagent.start told CTX substart",
        "call Bash echo c-ctx sub",
        "tool.before ran",
        "tool.before told CTX pre",
        "result ran by settings",
        "call Bash echo c-deny sub",
        "tool.before told CTX beside deny",
        "result stopped by hook",
        "answer Report.",
        "subagent.stop blocked [r] sub not yet",
        "answer Report 2.",
      ]
    `);
  });

  it('joins calls, results and hooks by the id of the call', () => {
    const records = told('transcript.hooks.jsonl');
    const calls = new Set(records.flatMap((record) => (record.kind === 'call' ? [record.call.id] : [])));
    const results = records.flatMap((record) => (record.kind === 'result' ? [record.call] : []));
    expect(new Set(results)).toEqual(calls);
    for (const record of records)
      if (record.kind === 'hook' && record.event?.startsWith('tool.') === true && record.event !== 'tool.batch')
        expect(calls).toContain(record.call);
  });

  it('gives what the model got of a text that was too long', () => {
    const cut = told('transcript.hooks.jsonl').find((record) => record.kind === 'hook' && record.cut);
    expect(cut).toMatchObject({ outcome: 'told', event: 'tool.before' });
    expect(cut?.kind === 'hook' && cut.texts[0]).toMatch(/^L{1900,2048}$/);
  });

  it('tells where the context was compacted', () => {
    expect(shown(told('transcript.compacted.jsonl'))).toContain('compacted');
  });
});

describe('a damaged transcript', () => {
  const all = ['transcript.hooks.jsonl', 'transcript.asked.jsonl', 'transcript.jsonl'].flatMap(linesOf);
  const anyValue = fc.jsonValue();

  it('tells nothing, never throws, and is known for what it is where an end is missing', () =>
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat(), (line, at) => {
        const cut = line.slice(0, at % Math.max(1, line.length));
        expect(recordsIn(cut) ?? []).toEqual([]);
        if (cut !== '' && !cut.endsWith('}')) expect(recordsIn(cut)).toBeUndefined();
      }),
      cases(2_000),
    ));

  it('may hold anything where a field should be', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...all.filter((line) => (recordsIn(line) ?? []).length > 0)),
        fc.nat(),
        anyValue,
        (line, at, value) => {
          const damaged = JSON.parse(line) as Record<string, unknown>;
          const holders = [damaged, damaged['attachment'], damaged['message'], damaged['permissionDecision']].filter(
            (holder) => typeof holder === 'object' && holder !== null,
          ) as Record<string, unknown>[];
          const holder = holders[at % holders.length] as Record<string, unknown>;
          const keys = Object.keys(holder);
          const key = keys[at % keys.length];
          if (key !== undefined) holder[key] = value;
          expect(Array.isArray(recordsIn(JSON.stringify(damaged)))).toBe(true);
        },
      ),
      cases(2_000),
    ));
});

it('finds the transcripts of sub-agents beside that of their session', () => {
  const list = (dir: string) =>
    dir === '/p/abc/subagents' ? ['agent-1.jsonl', 'agent-1.meta.json', 'notes.jsonl'] : [];
  expect(subagentTranscripts('/p/abc.jsonl', { list })).toEqual(['/p/abc/subagents/agent-1.jsonl']);
  expect(subagentTranscripts('/p/abc', { list })).toEqual([]);
});
