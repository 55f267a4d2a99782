import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../../event/transcript.ts';
import { memoryFile, sessionOfTranscript, transcriptDir, transcriptDirs } from './records.ts';
import { promptsIn } from './transcript.ts';
import { readTranscriptLine } from './transcript-line.ts';

const extras = new URL('../../../test/fixtures/claude-code/extras/', import.meta.url);
const recorded = (name: string) => readFileSync(new URL(name, extras), 'utf8');
const told = (text: string): readonly TranscriptLine[] =>
  text.split('\n').flatMap((line) => readTranscriptLine(line) ?? []);
const shown = (lines: readonly TranscriptLine[]) =>
  lines.flatMap(({ prompt, answer, calls = [], compacted }) => [
    ...(compacted ? ['compacted'] : []),
    ...(prompt === undefined ? [] : [`prompt ${prompt}`]),
    ...(answer === undefined ? [] : [`answer ${answer}`]),
    ...calls.map(({ name, command, paths, query }) => `call ${name} ${command ?? query ?? paths[0] ?? ''}`.trim()),
  ]);

describe('a recorded transcript', () => {
  it('tells prompts, answers and calls in their order', () => {
    expect(shown(told(recorded('transcript.jsonl')))).toEqual([
      'prompt Please tidy up the math functions',
      'answer Reading the file first.',
      'call Read /home/dev/project/src/app.ts',
      'call Bash echo 1 failed; exit 3',
      'call Write /home/dev/project/vendor/x.ts',
      'call Edit /home/dev/project/src/app.ts',
      'call Agent',
      'answer All done.',
    ]);
  });

  it('tells commands as they were typed, and neither the client nor its output', () => {
    expect(shown(told(recorded('transcript.commands.jsonl'))).filter((line) => !line.startsWith('call'))).toEqual([
      'prompt /zones twice',
      'answer We ship to home, near and far; island is new, with factor 3.4.',
      'prompt go on',
      'answer <summary>The zones are home, near, far and island; src/rates.js was edited.</summary>',
    ]);
  });

  it('tells where the context was compacted, without the summary', () => {
    const lines = shown(told(recorded('transcript.compacted.jsonl')));
    expect(lines.filter((line) => !line.startsWith('call') && !line.startsWith('answer'))).toEqual([
      'prompt Which zones do we ship to? Add a zone "island" with factor 3.4.',
      'compacted',
      'prompt Let someone check the zones against the tests in the background.',
    ]);
  });

  it.each(['transcript.jsonl', 'transcript.commands.jsonl', 'transcript.compacted.jsonl'])(
    'has as many prompts as are counted: %s',
    (name) => {
      const lines = told(recorded(name));
      expect(lines.filter(({ prompt }) => prompt !== undefined)).toHaveLength(promptsIn(recorded(name)));
    },
  );

  it('tells time, place, branch and usage', () => {
    const line = told(recorded('transcript.jsonl')).find(({ answer }) => answer === 'All done.');
    expect(line).toMatchObject({
      cwd: '/home/dev/project',
      branch: 'main',
      usage: { tokens: 100, model: 'claude-opus-5-5' },
    });
    expect(new Date(line?.at ?? 0).toISOString()).toMatch(/^2026-11-15T01:29:03/);
  });

  it('of a sub-agent tells nothing', () => {
    expect(told(recorded('transcript.subagent.jsonl'))).toEqual([]);
  });
});

const typed = JSON.parse(
  recorded('transcript.jsonl')
    .split('\n')
    .find((line) => line.includes('"promptSource"')) ?? '',
) as object;
const said = (content: unknown) =>
  readTranscriptLine(JSON.stringify({ ...typed, message: { role: 'user', content } }))?.prompt;

it.each<[string, unknown, string | undefined]>([
  ['text', ' hello\n', 'hello'],
  ['blocks', [{ type: 'text', text: 'one' }, { type: 'image' }, { type: 'text', text: 'two' }], 'one\ntwo'],
  ['a reminder of the client', '<system-reminder>\nx\n</system-reminder>\nreal words', 'real words'],
  ['nothing but a reminder', '<system-reminder>x</system-reminder>', undefined],
  ['a shell command that the person ran', '<bash-input>env</bash-input>', undefined],
  ['its output', '<bash-stdout>TOKEN=1</bash-stdout><bash-stderr></bash-stderr>', undefined],
  ['a notification', '<task-notification>x</task-notification>', undefined],
  [
    'a command without arguments',
    '<command-message>ctx-remember</command-message>\n<command-name>/ctx-remember</command-name>',
    '/ctx-remember',
  ],
])('a prompt of %s', (_, content, prompt) => {
  expect(said(content)).toBe(prompt);
});

it.each([
  '',
  'no json',
  '[]',
  '{"type":"user"}',
  '{"type":"assistant","message":3}',
  '{"type":"assistant","message":{"model":"m","content":[null,{"type":"tool_use"}]}}',
])('does not stumble over %s', (line) => {
  expect(() => readTranscriptLine(line)).not.toThrow();
});

describe('where records lie', () => {
  const place = { root: '/home/u/my.app_x', home: '/home/u', variable: () => undefined };
  const moved = { ...place, variable: (name: string) => (name === 'CLAUDE_CONFIG_DIR' ? '/cfg' : undefined) };

  it('in a place named by the root', () => {
    expect(transcriptDir(place)).toBe('/home/u/.claude/projects/-home-u-my-app-x');
    expect(memoryFile(place)).toBe('/home/u/.claude/projects/-home-u-my-app-x/memory/MEMORY.md');
    expect(memoryFile(moved)).toBe('/cfg/projects/-home-u-my-app-x/memory/MEMORY.md');
  });

  it('beside the transcript that an event named', () => {
    expect(memoryFile({ ...place, transcript: '/t/p/s1.jsonl' })).toBe('/t/p/memory/MEMORY.md');
  });

  it('and in the places of directories below', () => {
    const list = (dir: string) =>
      dir === '/home/u/.claude/projects'
        ? ['-home-u-my-app-x', '-home-u-my-app-x-pkg', '-home-u-my-app', '-home-u-my-app-xy']
        : [];
    expect(transcriptDirs(place, list).map((dir) => dir.slice(25))).toEqual([
      '-home-u-my-app-x',
      '-home-u-my-app-x-pkg',
    ]);
  });

  it.each<[string, string | undefined]>([
    ['0f68c7f7-fe9b-4800-b908-f82c011fb072.jsonl', '0f68c7f7-fe9b-4800-b908-f82c011fb072'],
    ['agent-a5b2c207ed3dcebe4.jsonl', undefined],
    ['.jsonl', undefined],
    ['memory', undefined],
    ['notes.json', undefined],
  ])('%s is of session %s', (name, session) => {
    expect(sessionOfTranscript(name)).toBe(session);
  });
});
