import { DatabaseSync } from '@photostructure/sqlite';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeHome, TRANSPORTS } from './home.ts';
import type { Home } from './home.ts';
import { bash, call, say, turn } from './model.ts';
import { runSession } from './session.ts';

const rule = (event: string, words: string, action: string) =>
  `---\nevent: ${event}\nwords: [${words}]\naction: ${action}\n---\nAbout ${words}.\n`;

const RULES = {
  tell: rule('bash', 'tell', 'note'),
  stop: rule('bash', 'stopped', 'deny'),
  ask: rule('bash', 'asked', 'ask'),
  after: rule('tool.after', 'afterwards', 'deny'),
  greet: rule('prompt', 'hello', 'note'),
  refuse: rule('prompt', 'forbidden', 'deny'),
  prove: rule('stop', 'all is well', 'deny'),
};

interface Fated {
  readonly event: string;
  readonly action: string;
  readonly rules: string;
  readonly call: string;
  readonly subagent: string;
  readonly at: number;
  readonly fate: string | null;
}

function fatesIn(home: Home): Fated[] {
  const db = new DatabaseSync(join(home.state, 'state.db'), { readOnly: true });
  try {
    return db
      .prepare('SELECT event, action, rules, call, subagent, at, fate FROM fates JOIN events USING (n) ORDER BY n')
      .all() as Fated[];
  } finally {
    db.close();
  }
}

/** Stands between the client and our hook, and spoils the replies to commands that say so. */
function spoilReplies(home: Home): void {
  const path = join(home.project, '.claude', 'settings.local.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as {
    hooks: Record<string, { hooks: { command: string; args?: string[]; timeout?: number; onFailure?: string }[] }[]>;
  };
  const between = join(home.dir, 'fairlead-spoiled');
  const own = settings.hooks['PreToolUse']?.[0]?.hooks[0];
  if (!own) throw new Error('no entry');
  writeFileSync(
    between,
    `#!${process.execPath}
const { spawnSync } = require('node:child_process');
const input = require('node:fs').readFileSync(0, 'utf8');
const { command = '' } = JSON.parse(input).tool_input ?? {};
const args = ${JSON.stringify(own.args ?? [])};
const { stdout } = spawnSync(${JSON.stringify(own.command)}, args, { input, encoding: 'utf8' });
const reply = stdout.trim() === '' ? {} : JSON.parse(stdout);
const said = reply.hookSpecificOutput ?? {};
if (command.includes('too-long')) said.additionalContext += '\\n' + 'x'.repeat(10_000);
if (command.includes('bad-json')) process.stdout.write(stdout.slice(0, -5));
else if (command.includes('wrong-place')) process.stdout.write(JSON.stringify(said));
else if (command.includes('too-late')) setTimeout(() => {}, 6_000);
else if (command.includes('exit-one')) process.exitCode = 1;
else if (command.includes('silent')) process.exitCode = 0;
else if (stdout.trim() !== '') process.stdout.write(JSON.stringify(reply));
`,
  );
  chmodSync(between, 0o755);
  own.command = between;
  own.args = ['hook', '--agent', 'claude-code', 'PreToolUse'];
  own.timeout = 4;
  delete own.onFailure;
  writeFileSync(path, JSON.stringify(settings));
}

/**
 * The same question asked another way: not record by record, but of the transcript's raw text, by what the client is known
 * to write for each outcome.
 */
function readIndependently({ event, action, rules, call: id }: Fated, lines: readonly string[]): string {
  const ofCall = lines.filter((line) => line.includes(`"${id}"`));
  const names = (line: string) => rules.split(',').some((one) => line.includes(`[${one}]`));
  const has = (from: readonly string[], ...texts: string[]) =>
    from.some((line) => texts.every((text) => line.includes(text)));
  const own = id === '' ? lines.filter(names) : ofCall;
  if (action === 'deny') {
    if (has(own.filter(names), 'hook_blocking_error') || has(own.filter(names), 'blocked_by_hook')) return 'denied';
    if (has(own.filter(names), '"source":"hook"', '"decision":"reject"')) return 'denied';
  }
  if (action === 'ask' && has(own, '"decision":"reject"', '"tool_result"')) return 'refused';
  if (action === 'ask' && has(own, '"source":"user_temporary"')) return 'allowed';
  const hookEvent =
    { 'tool.before': 'PreToolUse', 'tool.after': 'PostToolUse', 'prompt.submit': 'UserPromptSubmit' }[event] ?? '';
  const ofEvent = own.filter((line) => line.includes(`"hookEvent":"${hookEvent}"`));
  if (has(ofEvent, 'hook_additional_context', '<persisted-output>')) return 'cut';
  if (has(ofEvent.filter(names), 'hook_additional_context')) return 'delivered';
  if (has(ofEvent, 'hook_cancelled')) return 'late';
  if (has(ofEvent, 'hook_non_blocking_error')) return 'failed';
  return has(ofEvent, 'hook_success') ? 'misplaced' : 'unseen';
}

function transcriptLines(home: Home): string[] {
  const projects = join(home.dir, '.claude', 'projects');
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(projects, name), 'utf8').split('\n'));
}

const agentCall = (prompt: string) =>
  call('Agent', { description: 'd', prompt, subagent_type: 'general-purpose', run_in_background: false });

describe('what became of decisions', () => {
  it('is found in the transcript, however a reply was lost', async () => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init('command');
      spoilReplies(home);
      const expected: [ReturnType<typeof bash>, string][] = [
        [bash('echo tell'), 'delivered'],
        [bash('echo tell too-long'), 'cut'],
        [bash('echo tell bad-json'), 'misplaced'],
        [bash('echo tell wrong-place'), 'misplaced'],
        [bash('echo tell too-late'), 'late'],
        [bash('echo tell exit-one'), 'failed'],
        [bash('echo tell silent'), 'unseen'],
        [bash('echo stopped'), 'denied'],
        [bash('echo stopped bad-json'), 'misplaced'],
        [bash('echo stopped too-late'), 'late'],
        [bash('echo stopped exit-one'), 'failed'],
        [bash('echo asked yes'), 'allowed'],
        [bash('echo asked no'), 'refused'],
        [bash('echo asked exit-one'), 'failed'],
        [bash('echo afterwards'), 'delivered'],
      ];
      const ofSubagent = [bash('echo tell sub'), bash('echo stopped sub')];
      const session = await runSession(home, {
        prompts: ['hello', 'forbidden', 'hello again'],
        script: {
          main: [
            ...expected.map(([each]) => turn(each)),
            turn(agentCall('[lane:sub] go')),
            say('all is well'),
            say('Done.'),
            say('Bye.'),
          ],
          sub: [...ofSubagent.map((each) => turn(each)), say('Report.')],
        },
        allows: (_tool, input) => !String(input['command']).includes('no'),
      });
      expect(session.code).toBe(0);
      await home.stopDaemon();
      const fates = fatesIn(home).filter(({ rules }) => rules.startsWith('user/'));
      const ofCall = new Map(fates.map(({ call: id, fate }) => [id, fate]));
      expect(expected.map(([{ id, input }]) => [input['command'], ofCall.get(id)])).toEqual(
        expected.map(([{ input }, fate]) => [input['command'], fate]),
      );
      expect(ofSubagent.map(({ id }) => ofCall.get(id))).toEqual(['delivered', 'denied']);
      const others = fates.filter(({ call: id }) => id === '').map(({ rules, fate }) => [rules, fate]);
      expect(others).toEqual([
        ['user/greet', 'delivered'],
        ['user/prove', 'denied'],
        ['user/refuse', 'denied'],
        ['user/greet', 'delivered'],
      ]);
      const lines = transcriptLines(home);
      for (const one of fates) expect([one, readIndependently(one, lines)]).toEqual([one, one.fate]);
      const logged = home.fairlead('log', '--all', '--json', '--last', 'all').trim().split('\n');
      const shown = logged.flatMap((line) => (JSON.parse(line) as { fate?: string }).fate ?? []);
      expect(shown.toSorted()).toEqual(
        fatesIn(home)
          .map(({ fate }) => fate ?? 'open')
          .toSorted(),
      );
      expect(home.fairlead('log', '--all', '--last', 'all')).toContain('in the wrong envelope');
      expect(JSON.parse(home.fairlead('stats', '--json'))).toMatchObject({ fates: { late: 2, failed: 3 } });
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });

  it.each(TRANSPORTS)('is found over %s, with nobody to ask', async (transport) => {
    const home = makeHome();
    try {
      for (const [name, text] of Object.entries(RULES)) home.rule(name, text);
      await home.init(transport);
      const calls = [bash('echo tell'), bash('echo stopped'), bash('echo asked'), bash('echo afterwards')];
      await runSession(home, {
        prompts: ['hello'],
        script: { main: [...calls.map((each) => turn(each)), say('Done.')] },
      });
      await home.stopDaemon();
      const ofCall = new Map(fatesIn(home).map(({ call: id, fate }) => [id, fate]));
      expect(calls.map(({ id }) => ofCall.get(id))).toEqual(['delivered', 'denied', 'refused', 'delivered']);
    } finally {
      expect(await home.remove()).toEqual([]);
    }
  });
});
