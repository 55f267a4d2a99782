import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, HOUR, nextIn, NOW } from './context.fixture.ts';
import { answerLine, pauseSession } from './session.fixture.ts';

const EXPORT = 'fairlead journal export --all';
const ENRICH = 'fairlead journal enrich';
const marked = (world: World) => Object.keys(world.cells('context.day.journal')).length > 0;

/** The transcript of a session that was started in `cwd`; those of the world lie in its home. */
function transcript(world: World, session: string, at = NOW - HOUR, cwd = world.root): string {
  const line = JSON.stringify({
    type: 'user',
    sessionId: session,
    cwd,
    timestamp: new Date(at).toISOString(),
    message: { role: 'user', content: 'Go on.' },
  });
  return world.put(join(world.home, `${session}.jsonl`), `${line}\n`, at);
}

function entry(world: World, name: string, isEnriched = true, at = NOW - DAY): void {
  const text = `---\nsession: ${name}\nenriched: ${isEnriched}\n---\n\ntext\n`;
  world.put(`.context/journal/2026-03-09-0900-${name}.md`, text, at);
}

function index(world: World, entries: Readonly<Record<string, unknown>>): void {
  world.put('.context/journal/.state.json', JSON.stringify({ version: 1, entries }));
}

interface Row {
  arrange(world: World): void;
  readonly next?: string;
  readonly says?: readonly string[];
}

it.each<[string, Row]>([
  [
    'two newer transcripts',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        for (const session of ['s-1', 's-2']) transcript(world, session);
        transcript(world, 's-old', NOW - 2 * DAY);
      },
      next: EXPORT,
      says: ['not exported: 2'],
    },
  ],
  [
    'three entries that wait',
    {
      arrange(world) {
        for (const name of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) entry(world, name, false);
        entry(world, 'dddddddd');
        transcript(world, 's-old', NOW - 2 * DAY);
      },
      next: ENRICH,
      says: ['not enriched: 3'],
    },
  ],
  [
    'both',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa', false);
        transcript(world, 's-1');
      },
      next: `${EXPORT}, then ${ENRICH}`,
      says: ['not exported: 1', 'not enriched: 1'],
    },
  ],
  [
    'only the running one is newer',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        transcript(world, 'session-1');
      },
    },
  ],
  [
    'five newer ones of other projects',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        world.put(`${world.root}/inner/.context/TASKS.md`, '# Tasks\n');
        for (const at of [1, 2, 3]) transcript(world, `s-${at}`, NOW - HOUR, `${world.root}-two`);
        transcript(world, 's-4', NOW - HOUR, `${world.root}/inner`);
        transcript(world, 's-5', NOW - HOUR, world.home);
        world.put(`${world.home}/other/s-6.jsonl`, '{}\n', NOW);
      },
    },
  ],
  [
    "a sub-agent's",
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        transcript(world, 'agent-abc');
        world.put(`${world.home}/session-1/subagents/agent-def.jsonl`, '{}\n', NOW);
      },
    },
  ],
  ['no journal', { arrange: (world) => void transcript(world, 's-1') }],
  [
    'a journal without entries',
    {
      arrange(world) {
        world.put('.context/journal/.gitkeep', '');
        transcript(world, 's-1');
      },
      next: EXPORT,
      says: ['not exported: 1'],
    },
  ],
  [
    'a session that the index has, one that grew since, and one that it lacks',
    {
      arrange(world) {
        for (const name of ['aaaaaaaa', 'bbbbbbbb']) entry(world, name);
        for (const session of ['aaaaaaaa-1', 'bbbbbbbb-1', 'cccccccc-1']) transcript(world, session, NOW - 9 * DAY);
        index(world, {
          '2026-03-09-0900-aaaaaaaa.md': { session: 'aaaaaaaa-1', bytes: 1_000_000 },
          '2026-03-09-0900-bbbbbbbb.md': { session: 'bbbbbbbb-1', bytes: 1 },
        });
      },
      next: EXPORT,
      says: ['not exported: 2'],
    },
  ],
  [
    'enriched by the index alone',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa', false);
        transcript(world, 's-old', NOW - 2 * DAY);
        index(world, { '2026-03-09-0900-aaaaaaaa.md': { session: 's-old', bytes: 1_000_000, enriched: true } });
      },
    },
  ],
  [
    'an index that cannot be read',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        transcript(world, 's-1');
        world.put('.context/journal/.state.json', '{');
      },
      next: EXPORT,
      says: ['not exported: 1'],
    },
  ],
  [
    'nothing to do',
    {
      arrange(world) {
        entry(world, 'aaaaaaaa');
        transcript(world, 's-old', NOW - 2 * DAY);
      },
    },
  ],
])('%s', async (_, { arrange, next, says = [] }) => {
  const world = contextWorld({ only: ['check-journal'] });
  arrange(world);
  const { note, warn } = await world.prompt('Go on.');
  expect(nextIn(note)).toBe(next);
  for (const each of says) expect(note).toContain(each);
  expect(warn === '').toBe(next === undefined);
  expect(marked(world)).toBe(next !== undefined);
  expect((await world.prompt('And on.')).note).toBe('');
});

it('without a place for transcripts it passes', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa', false);
  for (const transcript_path of [join(world.home, 'nowhere/session-1.jsonl'), undefined])
    expect((await world.prompt('Go on.', { transcript_path })).note).toBe('');
  expect(marked(world)).toBe(false);
});

it.each<[string, string, boolean]>([
  ['nothing at all', '', true],
  ['no word', '\n\n', true],
  ['a summary', '{"type":"summary","summary":"x","leafUuid":"y"}\n', true],
  ['snapshots', '{"type":"file-history-snapshot","messageId":"a","snapshot":{}}\n', true],
  [
    'a command of the client',
    `${JSON.stringify({ type: 'user', isMeta: true, message: { role: 'user', content: 'Caveat' } })}\n`,
    true,
  ],
  ['a prompt', `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'Go on.' } })}\n`, false],
  ['an answer', answerLine(5).replace('"cwd":"/home/dev/project",', ''), false],
])('a session with %s lacks nothing in the journal: %j', async (_, text, isEmpty) => {
  for (const isIndexed of [false, true]) {
    const world = contextWorld({ only: ['check-journal'] });
    entry(world, 'aaaaaaaa');
    if (isIndexed) index(world, { '2026-03-09-0900-aaaaaaaa.md': { session: 'old', bytes: 1, enriched: true } });
    world.put(join(world.home, 's-1.jsonl'), text, NOW);
    const { note } = await world.prompt('Go on.');
    expect(note.includes('not exported: 1')).toBe(!isEmpty);
  }
});

it('finds the transcripts when the event does not name one', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa');
  const dir = join(world.home, '.claude/projects', world.root.replaceAll(/[^A-Za-z0-9]/g, '-'));
  const said = { type: 'user', cwd: world.root, message: { role: 'user', content: 'Go on.' } };
  world.put(join(dir, 's-1.jsonl'), `${JSON.stringify(said)}\n`, NOW);
  const { note } = await world.prompt('Go on.', { transcript_path: undefined });
  expect(note).toContain('not exported: 1');
});

it('the marker holds for its day, in all sessions', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa', false);
  expect((await world.prompt('Go on.')).note).not.toBe('');
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).toBe('');
  await world.pass(DAY);
  expect((await world.prompt('Go on.', { session_id: 'session-2' })).note).not.toBe('');
});

it('a look that found nothing costs the next prompts no transcript, until a session or an entry comes', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa');
  const running = transcript(world, 'session-1', NOW);
  await world.prompt('Go on.');
  world.work.open.length = world.work.list.length = 0;
  world.put(running, 'a longer one\n', NOW + 1_000);
  await world.prompt('And on.');
  expect([...world.work.open, ...world.work.list].filter((path) => path.startsWith(world.home))).not.toContain(
    world.home,
  );
  expect(world.work.open.filter((path) => path.endsWith('.jsonl') && !path.endsWith('/session-1.jsonl'))).toEqual([]);
  transcript(world, 's-1', NOW);
  expect((await world.prompt('And on.')).note).toContain('not exported: 1');
});

it('opens no transcript that is older than the newest entry', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa');
  for (let at = 0; at < 20; at += 1) transcript(world, `s-${at}`, NOW - 3 * DAY);
  transcript(world, 'session-1', NOW);
  world.work.open.length = 0;
  await world.prompt('Go on.');
  expect(world.work.open.filter((path) => path.endsWith('.jsonl') && !path.endsWith('/session-1.jsonl'))).toEqual([]);
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['a sub-agent', { agent_id: 'agent-1', agent_type: 'Explore' }, 'Go on.'],
  ['a notification', {}, '<task-notification>done</task-notification>'],
])('%s hears nothing', async (_, more, prompt) => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa', false);
  expect((await world.prompt(prompt, more)).note).toBe('');
  expect(marked(world)).toBe(false);
});

it('paused, or not initialised, it passes', async () => {
  const world = contextWorld({ only: ['check-journal'] });
  entry(world, 'aaaaaaaa', false);
  pauseSession(world);
  expect((await world.prompt('Go on.')).note).toBe('');
  expect(marked(world)).toBe(false);
  const bare = contextWorld({ only: ['check-journal'], uninitialised: true });
  entry(bare, 'aaaaaaaa', false);
  expect((await bare.prompt('Go on.')).note).toBe('');
});

it('counts thousands of entries behind the prompt, and says it at the next', async () => {
  const world = contextWorld({ only: ['check-journal'], factWaitMs: 0 });
  for (let at = 0; at < 60; at += 1) world.put(`.context/journal/2026-03-01-09${10 + at}-aaaaaaaa.md`, 'A session.\n');
  mkdirSync(`${world.home}/transcripts`);
  const more = { transcript_path: `${world.home}/transcripts/session-1.jsonl` };
  expect((await world.prompt('Go on.', more)).note).toBe('');
  expect(world.cells('context.day.journal')).toEqual({});
  await world.pass(1_000);
  expect((await world.prompt('And on.', more)).note).toContain('60');
});
