import { afterEach, describe, expect, it } from 'vitest';
import { writeWebhook } from '../../relay/webhook.ts';
import { openWebhook } from '../../relay/webhook.fixture.ts';
import type { WebhookServer } from '../../relay/webhook.fixture.ts';
import { nodeFiles } from '../../platform/files.ts';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, HOUR, NOW } from './context.fixture.ts';
import { answerLine, cellOf, pauseSession, relaysOf, transcribe } from './session.fixture.ts';

const world = (options?: string) =>
  contextWorld({ only: ['heartbeat'], ...(options === undefined ? {} : { options }) });
const go = (opened: World) => opened.prompt('Go on.');
const beats = (opened: World) => relaysOf(opened).map(({ variables }) => variables);

it('leaves a record of every prompt and says nothing', async () => {
  const opened = world();
  expect((await go(opened)).stdout).toBe('');
  expect(cellOf(opened, 'context.heartbeat')).toEqual({ count: 1, mtime: NOW - 7 * DAY });
  opened.put('.context/TASKS.md', '# Tasks\n', NOW - HOUR);
  expect((await go(opened)).stdout).toBe('');
  expect((await go(opened)).stdout).toBe('');
  expect(cellOf(opened, 'context.heartbeat')).toEqual({ count: 3, mtime: NOW - HOUR });
  expect(beats(opened)).toEqual([
    { prompt_count: 1, context_modified: false },
    { prompt_count: 2, context_modified: true },
    { prompt_count: 3, context_modified: false },
  ]);
  expect(relaysOf(opened)[0]).toMatchObject({
    event: 'heartbeat',
    rule: 'context/heartbeat',
    variant: 'pulse',
    session: 'session-1',
    root: opened.root,
  });
});

it.each([
  [100_000, undefined, { tokens: 100_000, context_window: 200_000, usage_pct: 50 }],
  [100_000, 'window: { size: 400000 }', { tokens: 100_000, context_window: 400_000, usage_pct: 25 }],
  [250_000, undefined, { tokens: 250_000, context_window: 1_000_000, usage_pct: 25 }],
])('%i tokens with %s', async (tokens, options, told) => {
  const opened = world(options);
  transcribe(opened, answerLine(tokens));
  await go(opened);
  expect(beats(opened)).toEqual([{ prompt_count: 1, context_modified: false, ...told }]);
});

it('paused: no record, nothing counts', async () => {
  const opened = world();
  pauseSession(opened);
  await go(opened);
  expect(relaysOf(opened)).toEqual([]);
  expect(opened.cells('context.heartbeat')).toEqual({});
});

it.each<[string, object]>([
  ['a notification', { prompt: '<task-notification>done</task-notification>' }],
  ['a sub-agent', { agent_id: 'a1', agent_type: 'general-purpose' }],
])('%s is no prompt', async (_, fields) => {
  const opened = world();
  await opened.prompt('Go on.', { ...fields });
  expect(relaysOf(opened)).toEqual([]);
});

it('sessions count for themselves', async () => {
  const opened = world();
  await go(opened);
  await opened.prompt('Go on.', { session_id: 'other' });
  expect(relaysOf(opened).map(({ session, variables }) => [session, variables?.['prompt_count']])).toEqual([
    ['session-1', 1],
    ['other', 1],
  ]);
});

describe('a webhook', () => {
  let webhook: WebhookServer | undefined;
  afterEach(() => webhook?.close());

  async function subscribed(events: string, ...answers: ('hang' | number)[]): Promise<World> {
    webhook = await openWebhook(...answers);
    const opened = world(`notify: { events: ${events}, timeout_ms: 30000 }`);
    const { config } = opened.paths;
    writeWebhook({ files: nodeFiles, root: opened.root, config, userHome: opened.home }, new URL(webhook.url));
    return opened;
  }

  it('that nobody subscribed hears nothing; the log does', async () => {
    const opened = await subscribed('[]');
    await go(opened);
    await opened.engine.finishLate(1_000);
    expect(webhook?.received).toEqual([]);
    expect(relaysOf(opened)).toHaveLength(1);
  });

  it('hears of a prompt once it is answered', async () => {
    const opened = await subscribed('[heartbeat]');
    await go(opened);
    await webhook?.got(1);
    expect(webhook?.received[0]?.record).toMatchObject({
      event: 'heartbeat',
      session_id: 'session-1',
      detail: { hook: 'context/heartbeat', variables: { prompt_count: 1, context_modified: false } },
    });
  });

  it('that hangs holds no reply up', async () => {
    const opened = await subscribed('[heartbeat]', 'hang');
    for (let prompt = 0; prompt < 10; prompt += 1) {
      await go(opened);
      // A reply that waited would be there only after the request was given up, and the next record would be sent too.
      expect(webhook?.received.length).toBeLessThanOrEqual(1);
    }
    await webhook?.got(1);
    expect(beats(opened)).toHaveLength(10);
  });
});
