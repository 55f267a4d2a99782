import { describe, expect, it } from 'vitest';
import type { ResourceSample } from '../../engine/rule.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, nextIn } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { cellOf, pauseSession, relaysOf } from './session.fixture.ts';

const share = (used: number) => ({ used, total: 100 });
const CALM = { some: 0, full: 0 };

/** A machine of which this is found out, until something else is put into `sample`. */
function world(first: ResourceSample, options?: string, more: ContextWorldOptions = {}) {
  const machine = { sample: first, asked: [] as string[] };
  const opened = contextWorld({
    ...more,
    only: ['check-resources'],
    ...(options === undefined ? {} : { options }),
    sources: {
      async resources(dir) {
        machine.asked.push(dir);
        return machine.sample;
      },
    },
  });
  return { opened, machine };
}

const go = async (opened: World) => {
  opened.now += 60_000;
  return opened.prompt('Go on.');
};
const linesIn = (note: string) => note.split('\n').filter((line) => line.includes('the limit is'));

describe('what is in danger', () => {
  it.each<[string, ResourceSample, string | undefined, readonly string[]]>([
    ['memory, no pressure data', { memory: share(92) }, undefined, ['Memory: 92 % used, the limit is 90 %']],
    ['memory 85, disk 90', { memory: share(85), disk: share(90) }, undefined, []],
    ['memory 95 without pressure', { memory: share(95), pressure: CALM }, undefined, []],
    [
      'memory 95 without pressure, by use',
      { memory: share(95), pressure: CALM },
      'resources: { memory_source: used }',
      ['Memory: 95 % used, the limit is 90 %'],
    ],
    [
      'pressure',
      { memory: share(20), pressure: { some: 40, full: 12.5 } },
      undefined,
      ['Memory: all work waited for it 12 % of the time, the limit is 10 %'],
    ],
    ['some pressure', { memory: share(99), pressure: { some: 40, full: 9 } }, undefined, []],
    [
      'load and swap',
      { load: { average: 6.4, cpus: 4 }, swap: share(80), disk: share(90) },
      undefined,
      ['Swap: 80 % used, the limit is 75 %', 'Load: 1.6 per CPU, the limit is 1.5'],
    ],
    ['a limit of 0', { disk: share(99) }, 'resources: { disk: { danger: 0 } }', []],
    [
      'another limit',
      { disk: share(50) },
      'resources: { disk: { danger: 40 } }',
      ['Disk: 50 % used, the limit is 40 %'],
    ],
    ['options of the wrong kind', { disk: share(96) }, 'resources: [disk]', ['Disk: 96 % used, the limit is 95 %']],
    ['nothing that could be read', {}, undefined, []],
  ])('%s', async (_, sample, options, says) => {
    const { opened } = world(sample, options);
    const { note, warn } = await go(opened);
    expect(linesIn(note)).toEqual(says);
    expect(note === '').toBe(says.length === 0);
    expect(warn === '').toBe(says.length === 0);
    expect(nextIn(note)).toBe(says.length === 0 ? undefined : 'fairlead context wrap-up');
    expect(Object.keys(opened.cells('context.resources_shown'))).toHaveLength(says.length === 0 ? 0 : 1);
  });

  it('is relayed by metric', async () => {
    const { opened } = world({ load: { average: 6.4, cpus: 4 }, swap: share(80) });
    await go(opened);
    expect(relaysOf(opened)).toMatchObject([{ event: 'nudge', variant: 'alert', variables: { load: 1.6, swap: 80 } }]);
  });

  it('without a context, where the agent stands', async () => {
    const { opened, machine } = world({ disk: share(96) }, undefined, { uninitialised: true });
    const { note, warn } = await opened.prompt('Go on.', { cwd: opened.home });
    expect(linesIn(note)).toEqual(['Disk: 96 % used, the limit is 95 %']);
    expect(nextIn(note)).not.toContain('fairlead');
    expect(warn).not.toContain('.context');
    expect(machine.asked).toEqual([opened.home]);
    opened.put('src/a.ts', '');
    await opened.prompt('Go on.', { cwd: `${opened.root}/src` });
    expect(machine.asked.at(-1)).toBe(`${opened.root}/src`);
  });

  it('is asked for the directory of the context', async () => {
    const { opened, machine } = world({}, undefined, { files: { 'src/deep/a.ts': '' } });
    await opened.prompt('Go on.', { cwd: `${opened.root}/src/deep` });
    expect(machine.asked).toEqual([opened.root]);
  });
});

describe('how often', () => {
  it.each([
    [undefined, false],
    ['resources: { repeat: always }', true],
    ['resources: { repeat: 3 }', false],
  ])('the same again, with %s', async (options, isSaid) => {
    const { opened } = world({ disk: share(96) }, options);
    expect((await go(opened)).note).not.toBe('');
    expect((await go(opened)).note !== '').toBe(isSaid);
    expect(cellOf(opened, 'context.resources_shown')).toEqual({ metrics: ['disk'], prompt: isSaid ? 2 : 1 });
  });

  it('a metric that was not in danger before', async () => {
    const { opened, machine } = world({ disk: share(96) });
    await go(opened);
    machine.sample = { disk: share(97), swap: share(80) };
    expect(linesIn((await go(opened)).note)).toHaveLength(2);
    machine.sample = { swap: share(80) };
    expect((await go(opened)).note).toBe('');
  });

  it('again after 20 prompts', async () => {
    const { opened } = world({ disk: share(96) });
    const at: number[] = [];
    for (let prompt = 1; prompt <= 45; prompt += 1) if ((await go(opened)).note !== '') at.push(prompt);
    expect(at).toEqual([1, 21, 41]);
  });

  it('every session hears it', async () => {
    const { opened } = world({ disk: share(96) });
    await go(opened);
    expect((await opened.prompt('Go on.', { session_id: 'other' })).note).not.toBe('');
  });
});

it('what is not found out in time is told at the next prompt', async () => {
  const { opened } = world({ disk: share(96) }, undefined, { factWaitMs: 0 });
  expect((await opened.prompt('Go on.')).note).toBe('');
  expect(opened.cells('context.resources_shown')).toEqual({});
  await opened.pass(1);
  expect((await opened.prompt('And on.')).note).toContain('Disk');
});

it.each<[string, object]>([
  ['a notification', { prompt: '<task-notification>done</task-notification>' }],
  ['a sub-agent', { agent_id: 'a1', agent_type: 'general-purpose' }],
])('%s hears nothing', async (_, fields) => {
  const { opened } = world({ disk: share(96) });
  expect((await opened.prompt('Go on.', { ...fields })).note).toBe('');
});

it('nothing is said while the session is paused', async () => {
  const { opened } = world({ disk: share(96) });
  pauseSession(opened);
  expect((await go(opened)).note).toBe('');
  expect(opened.cells('context.resources_shown')).toEqual({});
});
