import { beforeEach, describe, expect, it } from 'vitest';
import { editOf, event, planGraphs, ROOT, seenAt } from './graphs.fixture.ts';
import type { PlannedGraphs } from './graphs.fixture.ts';

const EDIT = editOf('a.ts');
const SHELL = event('tool.after', { tool: { kind: 'shell', edits: [] } });
const PROMPT = event('prompt.submit', { prompt: { text: 'go', origin: 'human' } });

let world: PlannedGraphs;
beforeEach(() => {
  world = planGraphs();
});

describe('what an event asks for', () => {
  it.each([
    ['an edit', EDIT, { do: 'refresh', root: ROOT, paths: [`${ROOT}/a.ts`] }],
    ['a prompt', PROMPT, { do: 'sweep', root: ROOT }],
    ['a command', SHELL, { do: 'sweep', root: ROOT }],
    [
      'a command that failed',
      event('tool.failed', { tool: { kind: 'shell', edits: [] } }),
      { do: 'sweep', root: ROOT },
    ],
    ['a session that starts', event('session.start', {}), { do: 'sweep', root: ROOT }],
    [
      'a file that the agent saw change',
      event('file.changed', { place: { path: `${ROOT}/b.ts`, change: 'modified' } }),
      { do: 'refresh', root: ROOT, paths: [`${ROOT}/b.ts`] },
    ],
    ['a read', event('tool.after', { tool: { kind: 'read', edits: [] } }), undefined],
    [
      'an edit before it is made',
      event('tool.before', { tool: { kind: 'edit', edits: [{ path: `${ROOT}/a.ts`, operation: 'write' }] } }),
      undefined,
    ],
    ['a prompt by the system', event('prompt.submit', { prompt: { text: '', origin: 'system' } }), undefined],
  ])('%s', async (_, seen, task) => {
    world.graphs.see(seenAt(seen, ROOT));
    expect(world.asked).toEqual([]);
    await world.idle();
    expect(world.asked).toEqual(task === undefined ? [] : [task]);
  });

  it('gathers the changes of a burst, and what comes while work is under way', async () => {
    world.graphs.see(seenAt(EDIT, ROOT));
    world.graphs.see(seenAt(EDIT, ROOT));
    await world.idle();
    world.graphs.see(seenAt(SHELL, ROOT));
    world.graphs.see(seenAt(EDIT, ROOT));
    await world.idle();
    expect(world.asked).toHaveLength(1);
    await world.done();
    expect(world.asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
    await world.done();
    expect(world.asked).toHaveLength(2);
  });

  it('is left alone in a root without an index', async () => {
    world.graphs.see(seenAt(EDIT, '/code/other'));
    await world.idle();
    expect(world.asked).toEqual([]);
    expect(world.graphs.at('/code/other')).toBeUndefined();
  });
});

describe('what is open', () => {
  it('opens after the reply, says when it is behind, and opens again when there is newer data', async () => {
    world.graphs.see(seenAt(PROMPT, ROOT));
    expect(world.opened).toEqual([]);
    await world.idle();
    expect(world.opened).toEqual([ROOT]);
    expect(world.graphs.at(ROOT)?.state).toBe('initialised');
    await world.done();
    expect(world.graphs.at(ROOT)?.state).toBe('stable');
    world.graphs.see(seenAt(EDIT, ROOT));
    expect(world.graphs.at(ROOT)?.state).toBe('initialised');
    await world.idle();
    world.stamps.set(ROOT, '2');
    await world.done();
    expect(world.graphs.at(ROOT)?.state).toBe('stable');
    expect([world.opened.length, world.closed.length]).toEqual([2, 1]);
  });

  it('goes when the index goes', async () => {
    world.graphs.see(seenAt(PROMPT, ROOT));
    await world.idle();
    await world.done();
    world.stamps.delete(ROOT);
    world.graphs.see(seenAt(PROMPT, ROOT));
    await world.idle();
    expect(world.graphs.at(ROOT)).toBeUndefined();
    expect(world.closed).toEqual([ROOT]);
  });

  it('keeps four roots', async () => {
    for (const name of 'abcde') {
      world.stamps.set(`/${name}`, '1');
      world.graphs.see(seenAt(PROMPT, `/${name}`));
      await world.idle();
      await world.done();
    }
    expect(world.closed).toEqual(['/a']);
    expect(world.graphs.at('/e')?.state).toBe('stable');
    expect(world.graphs.at('/a')?.state).toBe('initialised');
    expect(world.closed).toEqual(['/a', '/b']);
  });

  it('reports an indexing process that failed, and asks again with the next event', async () => {
    world.graphs.see(seenAt(EDIT, ROOT));
    await world.idle();
    await world.done(new Error('killed'));
    expect(world.failures).toEqual(['keeping the code graph current']);
    expect(world.graphs.at(ROOT)?.state).toBe('initialised');
    world.graphs.see(seenAt(EDIT, ROOT));
    await world.idle();
    expect(world.asked.map((task) => task.do)).toEqual(['refresh', 'sweep']);
  });

  it('says nothing of work that its own end cuts short, and opens nothing after it', async () => {
    world.graphs.see(seenAt(EDIT, ROOT));
    await world.idle();
    world.graphs.close();
    world.stamps.set(ROOT, '2');
    await world.done(new Error('no more is indexed'));
    expect(world.failures).toEqual([]);
    expect([world.opened.length, world.closed.length]).toEqual([1, 1]);
  });
});
