import { expect, it } from 'vitest';
import { contextWorld } from './context.fixture.ts';
import type { ContextWorldOptions } from './context.fixture.ts';
import { jobs } from './jobs.ts';
import { answerLine, pauseSession, transcribe } from './session.fixture.ts';

const ON = 'journal: { export_on_session_end: true }';

it.each<[string, ContextWorldOptions, Readonly<Record<string, unknown>>, boolean]>([
  ['where it is switched on', { options: ON }, {}, true],
  ['not where it is not', {}, {}, false],
  ['not for a value of another kind', { options: 'journal: { export_on_session_end: always }' }, {}, false],
  ['not for options of another kind', { options: 'journal: true' }, {}, false],
  ['not in a project that is not initialised', { options: ON, uninitialised: true }, {}, false],
  ['not for an event without a session', { options: ON }, { session_id: undefined, transcript_path: undefined }, false],
  ['not when it left no transcript', { options: ON }, { transcript_path: '/nowhere/session-1.jsonl' }, false],
  ['not when another agent of the session ends', { options: ON }, { agent_id: 'a1', agent_type: 'x' }, false],
])('the end of a session has it exported %s', async (_, options, more, isDue) => {
  const world = contextWorld({ only: ['check-journal'], ...options });
  transcribe(world, answerLine(1_000));
  const { stdout } = await world.event('SessionEnd', { reason: 'other', ...more });
  expect(stdout).toBe('');
  expect(Object.keys(world.cells('context.dirty'))).toEqual(isDue ? [`${world.root} session-1:journal-export`] : []);
});

it('a paused session is not exported', async () => {
  const world = contextWorld({ only: ['check-journal'], options: ON });
  transcribe(world, answerLine(1_000));
  pauseSession(world);
  await world.event('SessionEnd', { reason: 'other' });
  expect(world.cells('context.dirty')).toEqual({});
});

it('leaves the reading of a transcript to a process of its own', async () => {
  const [job] = jobs;
  const context = { subject: 'a session' } as Parameters<NonNullable<typeof job>['run']>[0];
  expect(await job?.run(context)).toEqual({ own: ['journal', 'export', '--session', 'a session'] });
});
