import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TranscriptFile } from '../../engine/rule.ts';
import type { TranscriptLine } from '../../event/transcript.ts';
import { nodeFiles } from '../../platform/files.ts';
import { belongsTo, ceremoniesIn, entryName, walkBacklog } from './journal.ts';
import { collectEntry, printEntry, saysEnriched } from './journal-entry.ts';
import { isEnriched, parseIndex, printIndex, recordsOf, withRecord } from './journal-index.ts';

const NOON = new Date(2026, 2, 10, 12).getTime();
const HOUR = 3_600_000;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fairlead-journal-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string, at = NOON): void {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  utimesSync(full, at / 1_000, at / 1_000);
}

const transcript = (session: string, more: Partial<TranscriptFile> = {}): TranscriptFile => ({
  session,
  path: `/t/${session}.jsonl`,
  size: 1_000,
  mtimeMs: NOON + HOUR,
  startedIn: () => root,
  ...more,
});
const enriched = (name: string, value = 'true', at = NOON) =>
  put(`.context/journal/${name}`, `---\nsession: x\nenriched: ${value}\n---\n\nbody enriched: no\n`, at);
function backlog(...transcripts: readonly TranscriptFile[]) {
  const walk = walkBacklog(nodeFiles, root, () => transcripts);
  for (;;) {
    const { done, value } = walk.next();
    if (done === true) return value && { ...value, unexported: value.unexported.length };
  }
}

describe('without an index', () => {
  beforeEach(() => enriched('2026-03-10-1000-aaaaaaaa.md'));

  it.each<[string, () => readonly TranscriptFile[], number]>([
    ['two newer transcripts', () => [transcript('a'), transcript('b')], 2],
    ['none newer', () => [transcript('a', { mtimeMs: NOON - 1 }), transcript('b', { mtimeMs: NOON })], 0],
    ['one that goes on', () => [transcript('live')], 1],
    ['newer ones of another project', () => [transcript('a', { startedIn: () => `${root}-two` })], 0],
    ['one that does not say where it was', () => [transcript('a', { startedIn: () => undefined })], 1],
    ['no transcripts at all', () => [], 0],
  ])('%s', (_, transcripts, unexported) => {
    expect(backlog(...transcripts())).toMatchObject({ unexported, unenriched: 0 });
  });

  it('opens no transcript that is not newer', () => {
    const startedIn = () => expect.unreachable();
    expect(backlog(transcript('a', { mtimeMs: 0, startedIn }))?.unexported).toBe(0);
  });
});

describe('with an index', () => {
  const index = (entries: object) => put('.context/journal/.state.json', JSON.stringify({ version: 1, entries }));

  it.each<[string, object, number]>([
    ['the session is absent', {}, 1],
    ['it is there', { '2026-03-10-1000-abcdef01.md': { session: 'abcdef01-2', bytes: 1_000 } }, 0],
    ['it has grown since', { '2026-03-10-1000-abcdef01.md': { session: 'abcdef01-2', bytes: 999 } }, 1],
    [
      'one of its entries has it all',
      { 'a.md': { session: 'abcdef01-2', bytes: 1 }, 'b.md': { session: 'abcdef01-2', bytes: 1_000 } },
      0,
    ],
    ['another session begins alike', { '2026-03-10-1000-abcdef01.md': { session: 'abcdef01-9', bytes: 1_000 } }, 1],
    ['another program exported it that day', { '2026-03-10-calm-allen-abcdef01.md': { exported: '2026-03-10' } }, 0],
    ['in parts', { '2026-03-10-calm-allen-abcdef01-p2.md': { exported: '2026-03-10' } }, 0],
    [
      'another program exported it the day before',
      { '2026-03-09-calm-allen-abcdef01.md': { exported: '2026-03-09' } },
      1,
    ],
    [
      'nothing was said in it',
      { '2026-03-10-1000-abcdef01.md': { session: 'abcdef01-2', bytes: 1_000, empty: true } },
      0,
    ],
    [
      'a record is of a wrong kind',
      { 'a.md': 3, 'b.md': null, 'c-abcdef01.md': { session: 7, bytes: 'x', exported: 5 } },
      0,
    ],
  ])('%s: %o', (_, entries, unexported) => {
    index(entries);
    expect(backlog(transcript('abcdef01-2'))?.unexported).toBe(unexported);
  });
});

it('without a journal there is nothing to wait for', () => {
  mkdirSync(join(root, '.context'));
  expect(backlog(transcript('a'))).toBeUndefined();
});

it('counts entries that neither index nor front matter calls enriched', () => {
  put(
    '.context/journal/.state.json',
    '{"entries":{"2026-03-10-1-aaaaaaaa.md":{"enriched":"2026-03-11"},"2026-03-10-2-aaaaaaaa.md":{"enriched":false}}}',
  );
  for (const name of ['2026-03-10-1-aaaaaaaa.md', '2026-03-10-2-aaaaaaaa.md']) enriched(name, 'false');
  enriched('2026-03-10-3-aaaaaaaa.md', '"2026-03-10"');
  put('.context/journal/2026-03-10-4-aaaaaaaa.md', 'no front matter; enriched: true\n');
  put('.context/journal/2026-03-10-4-aaaaaaaa-p2.md', 'a later part\n');
  put('.context/journal/README.md', 'no entry\n');
  expect(backlog()?.unenriched).toBe(2);
});

it.each<[string, boolean]>([
  ['---\nenriched: true\n---\n', true],
  ['---\r\nsession: a\r\nenriched: 2026-01-01\r\n---\r\n', true],
  ['---\nenriched: false\n---\n', false],
  ['---\nenriched:\n---\n', false],
  ['---\nsession: a\n---\nenriched: true\n', false],
  ['', false],
])('%j says enriched: %s', (head, expected) => {
  expect(saysEnriched(head)).toBe(expected);
});

it('a session belongs to the nearest project', () => {
  put('inner/.context/TASKS.md', '');
  expect(
    ['', '/src', '/inner', '/inner/src', '-two', '/..'].map((place) => belongsTo(nodeFiles, root, root + place)),
  ).toEqual([true, true, false, false, false, false]);
});

it('names entries by local time and the beginning of the id', () => {
  expect(entryName('0f68c7f7-fe9b', new Date(2026, 0, 5, 9, 7).getTime())).toBe('2026-01-05-0907-0f68c7f7.md');
});

describe('ceremonies', () => {
  const wanted = {
    lookback: 3,
    start: ['ctx-remember', 'fairlead context remember'],
    end: ['ctx-wrap-up', 'fairlead context wrap-up'],
  };
  it.each<[string, readonly string[], object]>([
    ['no entry', [], { entries: 0, start: false, end: false }],
    ['neither', ['a', 'b', 'c'], { entries: 3, start: false, end: false }],
    ['the beginning', ['/ctx-remember', 'b', 'c'], { entries: 3, start: true, end: false }],
    ['the end', ['a', '- Bash `fairlead context wrap-up`'], { entries: 2, start: false, end: true }],
    [
      'both, in different entries',
      ['ctx-wrap-up', 'b', 'fairlead context remember'],
      { entries: 3, start: true, end: true },
    ],
    ['only in an entry that is too old', ['ctx-remember', 'b', 'c', 'd'], { entries: 3, start: false, end: false }],
  ])('%s', (_, texts, expected) => {
    for (const [at, text] of texts.entries()) put(`.context/journal/2026-03-0${at + 1}-1000-aaaaaaaa.md`, text);
    expect(ceremoniesIn(nodeFiles, root, wanted)).toEqual(expected);
  });
});

describe('the index', () => {
  it.each(['', '3', '[]', '{"version":'])('%j is none', (text) => {
    expect(parseIndex(text)).toBeUndefined();
  });

  it('keeps what others wrote into it', () => {
    const text = '{"version":1,"theirs":5,"entries":{"b.md":{"normalized":"2026-01-01"},"a.md":{"locked":"x"}}}';
    const next = withRecord(parseIndex(text) ?? expect.unreachable(), 'b.md', { bytes: 3 });
    expect(JSON.parse(printIndex(next))).toEqual({
      version: 1,
      theirs: 5,
      entries: { 'a.md': { locked: 'x' }, 'b.md': { normalized: '2026-01-01', bytes: 3 } },
    });
  });

  it('finds records by session, and by name where there is no session', () => {
    const index = {
      version: 1,
      entries: {
        'x.md': { session: 'abcdef01-2' },
        '2026-01-01-s-abcdef01.md': { exported: '2026-01-01' },
        'y-abcdef02.md': {},
      },
    };
    expect(recordsOf(index, 'abcdef01-2')).toHaveLength(2);
    expect(isEnriched({ enriched: '' })).toBe(false);
    expect(isEnriched({ enriched: true })).toBe(true);
  });
});

describe('the body of an entry', () => {
  const bodyOf = (...lines: readonly TranscriptLine[]) => collectEntry('s', '/r', lines).body;
  const call = (input: Readonly<Record<string, unknown>>, more: object = {}) => ({
    calls: [{ kind: 'other' as const, name: 'Tool', input, hasInput: true, paths: [], edits: [], ...more }],
  });

  it.each<[string, TranscriptLine, string]>([
    ['a command of several lines', call({}, { command: 'a\n  b' }), '- Tool `a b`'],
    ['one with backticks', call({}, { command: 'echo `date`' }), '- Tool `` echo `date` ``'],
    ['a path in the project', call({}, { paths: ['/r/src/x.ts'] }), '- Tool `src/x.ts`'],
    ['a path elsewhere', call({}, { paths: ['/rx/x.ts'] }), '- Tool `/rx/x.ts`'],
    ['a search in all of the project', call({}, { query: 'foo', paths: ['/r'] }), '- Tool `foo`'],
    ['a search', call({}, { query: 'foo', paths: ['/r/src'] }), '- Tool `foo in src`'],
    ['what it is about', call({ description: 'Look', content: 'secret text' }), '- Tool `Look`'],
    ['nothing to tell', call({ content: 'x' }), '- Tool'],
    ['a long command', call({}, { command: 'x'.repeat(300) }), `- Tool \`${'x'.repeat(200)}…\``],
  ])('%s', (_, line, text) => {
    expect(bodyOf(line)).toBe(text);
  });

  it('cuts a long text and says by how much', () => {
    const text = bodyOf({ answer: `\`\`\`\n${'x'.repeat(30_000)}` });
    expect(text.length).toBeLessThan(20_200);
    expect(text).toMatch(/x\n```\n\n\[10004 more characters\]$/);
  });

  it('masks a secret that lies across the cut', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    expect(bodyOf({ answer: `${'x '.repeat(9_995)}${secret} and more ${'y'.repeat(100)}` })).not.toContain('ghp_');
  });

  it('stays below its limit whatever comes, and keeps both ends', () => {
    const line = { prompt: 'é'.repeat(5_000), answer: '漢'.repeat(5_000) };
    const text = printEntry(
      collectEntry(
        's',
        '/r',
        Array.from({ length: 400 }, () => line),
      ),
    );
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(200 << 10);
    expect(new TextEncoder().encode(text).length).toBeGreaterThan(150 << 10);
    expect(text).toContain('## Prompt 1\n');
    expect(text).toContain('## Prompt 400\n');
    expect(text.match(/are left out here/g)).toHaveLength(1);
  });

  it('is the same when nothing changed', () => {
    const entry = collectEntry('s', '/r', [{ at: NOON, prompt: 'p', branch: 'fix: #3' }]);
    const text = printEntry(entry);
    expect(text).toContain('branch: "fix: #3"\n');
    expect(printEntry(entry, text)).toBe(text);
    expect(printEntry(entry, text.replaceAll('\n', '\r\n'))).toContain('enriched: false\n---');
  });
});

it('the records of an index are gone through once, however many sessions are asked about', () => {
  const sessions = Array.from({ length: 50 }, (_, at) => `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`);
  const records = sessions.map((session, at) => [
    `2026-03-10-1200-${session.slice(0, 8)}.md`,
    at % 2 === 0 ? { session, bytes: at } : { bytes: at },
  ]);
  let walks = 0;
  const entries = new Proxy(Object.fromEntries(records) as Record<string, { bytes: number }>, {
    ownKeys: (target) => ((walks += 1), Reflect.ownKeys(target)),
  });
  const index = { version: 1, entries };
  const found = sessions.map((session) => recordsOf(index, session).map(({ bytes }) => bytes));
  expect(found).toEqual(sessions.map((_, at) => [at]));
  expect(walks).toBe(1);
});
