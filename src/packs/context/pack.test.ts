import { describe, expect, it } from 'vitest';
import { pausedId } from '../../engine/session/pause.ts';
import { plantRepository } from '../../git/repository.fixture.ts';
import { readRelays } from '../../ledger/relays.ts';
import { machineSources } from '../../platform/fact-sources.ts';
import { cellId } from '../../state/cells.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';

const decisions = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`).join('\n');
const SIX_DUE = {
  '.context/DECISIONS.md': decisions,
  '.context/reminders.json': JSON.stringify([{ id: 1, message: 'Rotate the key', created: '2026-03-01', after: null }]),
  '.context/journal/2026-03-07-0900-aaaaaaaa.md': '---\nenriched: false\n---\nA session.\n',
};
const releases = async () => ({ engine: '1.4.2', registered: '1.3.9' });

function worldOfSix(): World {
  const world = contextWorld({ files: SIX_DUE, sources: { releases, resources: async () => ({}) } });
  world.put(`${world.home}/memory/MEMORY.md`, '- the tests need a database\n', NOW - DAY);
  return world;
}

function set(world: World, id: string, value: string): void {
  const change = { op: 'set' as const, id, value, expires: 0 };
  world.engine.store.commit({ reads: new Map(), changes: [change], now: world.now });
}

async function relays(world: World) {
  await world.engine.finishLate(0);
  world.engine.memory.ledger.flush();
  const { db } = world.engine.memory;
  return db ? readRelays(db) : [];
}

const DAILY = ['journal', 'ceremonies', 'knowledge'] as const;
const markers = (world: World) => DAILY.filter((name) => Object.keys(world.cells(`context.day.${name}`)).length > 0);
const parts = (note: string) => note.split('\n\n').length;

describe('six nudges due at one prompt', () => {
  it('are three in one reply, by importance, and the other three at the next', async () => {
    const world = worldOfSix();
    const first = await world.prompt('Go on.');
    expect(parts(first.note)).toBe(3);
    expect(first.note.indexOf('Rotate the key')).toBeLessThan(first.note.indexOf('1.3.9'));
    expect(first.note.indexOf('1.3.9')).toBeLessThan(first.note.indexOf('fairlead memory sync'));
    expect(first.warn.match(/┌/g)).toHaveLength(1);
    expect(markers(world)).toEqual([]);
    const second = await world.prompt('And on.');
    expect(parts(second.note)).toBe(3);
    expect(second.note).toContain('DECISIONS.md');
    expect(markers(world)).toEqual([...DAILY]);
    expect((await world.prompt('And on.')).note).toBe('');
  });

  it('have room for more where the person gives it', async () => {
    const world = contextWorld({ files: SIX_DUE, options: 'attention: { max_nudges: 6 }', sources: { releases } });
    expect(parts((await world.prompt('Go on.')).note)).toBeGreaterThan(3);
  });
});

describe('wording', () => {
  const only = ['check-knowledge'];
  const files = { '.context/DECISIONS.md': decisions };

  it('of white space is silence that counts as said', async () => {
    const world = contextWorld({ only, files });
    world.put(`${world.paths.config}/messages/context/check-knowledge/warning.md`, ' \n');
    expect(await world.prompt('Go on.')).toMatchObject({ stdout: '' });
    expect(Object.keys(world.cells('context.day.knowledge'))).toHaveLength(1);
    expect(await relays(world)).toMatchObject([{ rule: 'context/check-knowledge', variables: { silenced: true } }]);
  });

  it('of ctx with a variable that nobody fills is left out, which is told once and not to the agent', async () => {
    const path = '.context/hooks/messages/check-knowledge/warning.txt';
    const world = contextWorld({ only, files: { ...files, [path]: 'Too long: {{.Nope}}' } });
    world.trust();
    expect((await world.prompt('Go on.')).note).toContain('DECISIONS.md: 21 entries');
    world.now += DAY;
    world.restart();
    expect((await world.prompt('Go on.')).note).toContain('DECISIONS.md: 21 entries');
    expect((await relays(world)).filter(({ variant }) => variant === 'template-error')).toHaveLength(1);
  });

  it.each([
    ['trusted', 'Ours: DECISIONS.md'],
    ['not trusted', 'Mine: DECISIONS.md'],
  ])('of a project that is %s', async (trust, said) => {
    const world = contextWorld({
      only,
      files: { ...files, '.fairlead/messages/context/check-knowledge/warning.md': 'Ours: {fileWarnings}' },
    });
    world.put(`${world.paths.config}/messages/context/check-knowledge/warning.md`, 'Mine: {fileWarnings}');
    if (trust === 'trusted') world.trust();
    expect((await world.prompt('Go on.')).note).toContain(said);
  });

  it('of ctx stands below that of the project and above that of the person', async () => {
    const path = '.context/hooks/messages/check-knowledge/warning.txt';
    const world = contextWorld({ only, files: { ...files, [path]: 'Theirs: {{.FileWarnings}}' } });
    world.put(`${world.paths.config}/messages/context/check-knowledge/warning.md`, 'Mine: {fileWarnings}');
    world.trust();
    expect((await world.prompt('Go on.')).note).toContain('Theirs: DECISIONS.md');
  });
});

describe('sessions and places', () => {
  it('a pause counts each prompt once, and only the pause is told', async () => {
    const world = worldOfSix();
    set(world, pausedId('session-1'), JSON.stringify({ since: NOW, turns: 0 }));
    for (let prompt = 1; prompt <= 3; prompt += 1) {
      const { note } = await world.prompt('Go on.');
      expect(note).toContain('paused');
      expect(parts(note)).toBe(1);
    }
    expect(Object.values(world.cells('paused'))).toEqual([{ since: NOW, turns: 3 }]);
    expect(world.cells('context.prompts')).toEqual({});
  });

  it('a directory below the root has the same cells', async () => {
    const world = contextWorld({ files: { 'src/a.ts': '1' } });
    await world.prompt('Go on.', { cwd: `${world.root}/src` });
    await world.prompt('Go on.');
    expect(world.cells('context.prompts')).toEqual({ 'session-1': 2 });
  });

  it('two sessions share what is daily and nothing else', async () => {
    const world = contextWorld({ files: { '.context/DECISIONS.md': decisions } });
    expect((await world.prompt('Go on.', { session_id: 'a' })).note).toContain('DECISIONS.md');
    expect((await world.prompt('Go on.', { session_id: 'b' })).note).not.toContain('DECISIONS.md');
    await world.prompt('Go on.', { session_id: 'a' });
    expect(world.cells('context.prompts')).toEqual({ a: 2, b: 1 });
  });

  it.each(['{', '"text"', '[]', 'null', '{"count":"many"}'])('a damaged cell (%s) counts as unset', async (value) => {
    const world = worldOfSix();
    for (const name of ['persist', 'heartbeat', 'qa', 'reminders_shown', 'resources_shown', 'plan_entry', 'pct_marks'])
      set(world, cellId('session', 'session-1', `context.${name}`), value);
    for (const name of ['wrapped_up', 'oversize', 'session_log', 'ceremony_seen', 'memory_hash'])
      set(world, cellId('workspace', world.root, `context.${name}`), value);
    const { note, stdout } = await world.prompt('Go on.');
    expect(note).toContain('Rotate the key');
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    await world.before('Bash', { command: 'git status' });
    await world.before('Read', { file_path: `${world.root}/package.json` });
    expect(world.engine.failures.read().map(({ what }) => what)).toEqual([]);
  });
});

it('500 prompts of a session at work start no process', async () => {
  const started: string[] = [];
  const world = contextWorld({
    files: { ...SIX_DUE, '.context/map-tracking.json': '{"last_run":"2026-01-20"}', 'src/a.ts': '1' },
    sources: {
      git: (dir, args) => (started.push(args[0] ?? ''), machineSources.git(dir, args)),
      resources: async () => ({}),
    },
  });
  const repository = plantRepository(world.root);
  repository.commit('Begin', NOW - DAY, 'src/a.ts');
  const go = async (prompts: number) => {
    for (let prompt = 0; prompt < prompts; prompt += 1) {
      world.now += 20_000;
      await world.prompt('Go on.');
    }
  };
  await go(5);
  expect(started, 'the map is held against the history once').not.toEqual([]);
  started.length = 0;
  await go(500);
  expect(started).toEqual([]);
});
