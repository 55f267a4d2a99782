import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { composeSession } from '../../../scripts/compose-session.mjs';
import type { World } from '../world.fixture.ts';
import { contextWorld, DAY, NOW } from './context.fixture.ts';

const BUDGET = 9_000;
/** What is due at the beginning of the session, and what becomes due while it lasts. */
const DUE = {
  '.context/reminders.json': JSON.stringify([
    { id: 1, message: 'Rotate the signing key', created: '2026-03-01', after: null },
    { id: 2, message: 'Ask about the release', created: '2026-03-01', after: '2026-03-11' },
  ]),
  '.context/DECISIONS.md': Array.from(
    { length: 21 },
    (_, at) => `## [2026-01-01-0000${10 + at}] Decision ${at}\n`,
  ).join('\n'),
  '.context/journal/2026-03-07-0900-aaaaaaaa.md': 'A session without recall.\n',
  '.context/map-tracking.json': JSON.stringify({ opted_out: false, last_run: '2026-01-20' }),
  'src/app.ts': 'export const one = 1;\n',
};

it('60 prompts and 200 calls: what is said, and how much of it', async () => {
  const world = contextWorld({
    files: DUE,
    options: 'billing_token_warn: 150000, recheck_minutes: 10',
    sources: { resources: async () => (world.now > start + 30 * 240_000 ? { disk: { used: 97, total: 100 } } : {}) },
  });
  const start = NOW + 10 * 3_600_000;
  const transcript = join(world.home, 'transcripts', 'session.jsonl');
  mkdirSync(dirname(transcript));
  mkdirSync(join(dirname(transcript), 'memory'));
  world.put(join(dirname(transcript), 'memory', 'MEMORY.md'), '- the tests need a database\n', NOW - DAY);
  appendFileSync(transcript, '');
  git(world, NOW - 2 * DAY, 'git init -q -b main && git add -A && git commit -q -m "Start"');

  const told: string[] = [];
  let prompts = 0;
  let calls = 0;
  let characters = 0;
  for (const step of composeSession()) {
    world.now = start + step.at;
    if ('transcript' in step) appendFileSync(transcript, `${step.transcript}\n`);
    else if ('file' in step) world.put(step.file, step.text, world.now);
    else if ('run' in step) git(world, world.now, step.run);
    else {
      const payload = JSON.parse(JSON.stringify(step.payload).replaceAll('/home/dev/project', world.root)) as Payload;
      const { hook_event_name: event, tool_name: tool } = payload;
      if (event === 'UserPromptSubmit' && !payload.prompt?.startsWith('<')) prompts += 1;
      if (event === 'PreToolUse') calls += 1;
      const { note, action, reason, warn } = await world.send({ ...payload, transcript_path: transcript });
      characters += note.replaceAll(tmpdir(), '/tmp').length;
      expect(note.length).toBeLessThanOrEqual(BUDGET);
      const where = tool === undefined ? `prompt ${prompts}` : `call ${calls} ${event} ${tool}`;
      const said = tool === undefined ? note.split('\n\n').map(title) : [title(note)];
      for (const each of said.filter((text) => text !== '')) told.push(`${where}: ${each}`);
      if (action !== 'pass') told.push(`${where}: ${action}: ${title(reason)}`);
      if (event === 'UserPromptSubmit' && note !== '' && warn === '') told.push(`${where}: to the agent alone`);
    }
  }
  expect({ prompts, calls }).toEqual({ prompts: 60, calls: 200 });
  const sum = `${told.length} texts, ${characters} characters in ${prompts} prompts and ${calls} calls`;
  await expect([...told, sum, ''].join('\n')).toMatchFileSnapshot('../../../test/fixtures/sessions/long.golden.txt');
});

interface Payload {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly prompt?: string;
}

/** Without the name of a commit, which depends on the settings of git. */
const title = (text: string): string => (text.split('\n', 1)[0] ?? '').replace(/\b[0-9a-f]{7,40}$/, '(a commit)');

function git(world: World, at: number, command: string): void {
  const date = `${Math.floor(at / 1_000)} +0000`;
  const who = { GIT_AUTHOR_NAME: 'dev', GIT_AUTHOR_EMAIL: 'dev@example.com' };
  const env = { ...who, GIT_COMMITTER_NAME: 'dev', GIT_COMMITTER_EMAIL: 'dev@example.com', HOME: world.home };
  execFileSync('sh', ['-c', command], {
    cwd: world.root,
    env: { PATH: process.env['PATH'], ...env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
}
