import { describe, expect, it } from 'vitest';
import { readRelays } from '../../ledger/relays.ts';
import type { StoredRelay } from '../../ledger/relays.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld } from './context.fixture.ts';

const decisions = Array.from({ length: 21 }, (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`).join('\n');

/** A project where one nudge is due; `wording` is the person's own. */
function open(options?: string, wording?: string): World {
  const world = contextWorld({
    only: ['check-knowledge'],
    files: { '.context/DECISIONS.md': decisions },
    ...(options === undefined ? {} : { options }),
  });
  if (wording !== undefined) world.put(`${world.paths.config}/messages/context/check-knowledge/warning.md`, wording);
  return world;
}

function relays(world: World): readonly StoredRelay[] {
  world.engine.ledger.flush();
  const { db } = world.engine.memory;
  return db ? readRelays(db) : [];
}

const marked = (world: World) => Object.keys(world.cells('context.day.knowledge')).length === 1;

it.each<[string, string | undefined, 'both' | 'agent' | 'user', 'box' | 'plain']>([
  ['by default', undefined, 'both', 'box'],
  ['audience: both', 'nudge: { audience: both }', 'both', 'box'],
  ['audience: agent', 'nudge: { audience: agent }', 'agent', 'box'],
  ['audience: user', 'nudge: { audience: user }', 'user', 'box'],
  ['an audience that is none', 'nudge: { audience: everybody }', 'both', 'box'],
  ['style: plain', 'nudge: { style: plain }', 'both', 'plain'],
  ['plain, for the person', 'nudge: { style: plain, audience: user }', 'user', 'plain'],
  ['a style that is none', 'nudge: { style: [box] }', 'both', 'box'],
  ['a group that is none', 'nudge: loud', 'both', 'box'],
  ['nothing', 'nudge: null', 'both', 'box'],
])('%s', async (_, options, audience, style) => {
  const world = open(options);
  const { note, warn } = await world.prompt('Go on.');
  expect(note.includes('21 entries, 20 is the most')).toBe(audience !== 'user');
  expect(warn.includes('21 entries')).toBe(audience !== 'agent');
  if (audience !== 'agent') expect(warn.includes('┌')).toBe(style === 'box');
  expect(marked(world)).toBe(true);
  expect(relays(world)).toMatchObject([
    { event: 'nudge', rule: 'context/check-knowledge', variant: 'warning', variables: { files: 1 } },
  ]);
});

it('the box is 52 columns wide and ends with the path of the context', async () => {
  const world = open();
  const lines = (await world.prompt('Go on.')).warn.split('\n');
  const box = lines.slice(lines.findIndex((line) => line.startsWith('┌')));
  expect(new Set(box.map((line) => line.length))).toEqual(new Set([52]));
  const inside = box.slice(1, -1).map((line) => line.slice(2, -2).trimEnd());
  expect(inside.join('')).toContain(`${world.root}/.context`);
  expect(inside.findIndex((line) => line.startsWith('Next: '))).toBeLessThan(
    inside.findIndex((line) => line.startsWith('/')),
  );
});

it('what is relayed is the title, and no text of files', async () => {
  const world = open();
  await world.prompt('Go on.');
  const [record] = relays(world);
  expect(record?.message).toBe('context/check-knowledge: Knowledge files have grown past what is useful to load:');
  expect(record?.variables).toEqual({ files: 1 });
});

it.each(['', ' \n\t\n'])('silenced by %j: nobody hears it, and it counts as said', async (wording) => {
  const world = open(undefined, wording);
  expect((await world.prompt('Go on.')).stdout).toBe('');
  expect(marked(world)).toBe(true);
  expect(relays(world)).toMatchObject([{ event: 'nudge', variables: { files: 1, silenced: true } }]);
  expect((await world.prompt('And on.')).stdout).toBe('');
  expect(relays(world)).toHaveLength(1);
});

describe('long wording', () => {
  const line = 'This line has forty characters, as it is.';

  it.each<[string, string, number]>([
    ['of exactly 700 characters stays', 'x'.repeat(700), 700],
    ['whose line ends there is cut there', `title\n${'x'.repeat(694)}\nmore`, 700],
    ['is cut at the last line end before', `${line}\n`.repeat(30), 42 * 16 - 1],
    ['whose first line is too long is cut in it', `${'x'.repeat(900)}\nmore`, 700],
    ['is not cut in the middle of a character', `${'x'.repeat(699)}🙂`, 699],
  ])('%s', async (_, wording, length) => {
    const world = open(undefined, wording);
    const { note, warn } = await world.prompt('Go on.');
    expect(note).toBe(`[context/check-knowledge] ${wording.slice(0, length)}`);
    expect(warn).not.toContain('more');
    const cut = wording.trim().length > 700 ? { cut: wording.trim().length } : {};
    expect(relays(world)[0]?.variables).toEqual({ files: 1, ...cut });
  });
});
